"""What ./dev demo runs once the tool is built: spectra of a voice and a photograph, with the figures as a table.

Usage: demo.py TOOL FOLDER VOICE.wav PICTURE.jpg
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

from PIL import Image


def run(tool, command, arguments, environment):
    """Runs one command of the tool and returns its JSON report; its notes are shown, but the device once is enough."""
    result = subprocess.run([tool, command, *arguments, "--json"], capture_output=True, env=environment, text=True)
    for line in result.stderr.splitlines():
        if not line.startswith("seiche: using "):
            print(line, file=sys.stderr)
    if result.returncode != 0:
        sys.exit(f"demo: {command} failed with status {result.returncode}")
    return json.loads(result.stdout)


def describe(title, source, unit, report):
    print(f"\n{title}")
    print(f"  input        {source}")
    print(f"  size         {' x '.join(map(str, report['size']))} ({unit})")
    print(f"  picture      {report['output']} ({os.path.getsize(report['output']) // 1024} KiB)")
    print(f"  device time  {report['device_milliseconds']:.3f} ms")
    print(f"  error        {report['error']:.2e} (relative L2, against a higher-precision reference)")
    print(f"  plan time    cold {report['plan_cold_ms']:.1f} ms, warm {report['plan_warm_ms']:.4f} ms")


def main():
    tool, folder, voice, photograph = sys.argv[1:]
    picture = os.path.join(folder, "photograph.png")
    Image.open(photograph).convert("RGB").save(picture)

    # Empty kernel caches, so that "cold" is what a first user sees.
    caches = tempfile.mkdtemp(prefix="seiche-demo-")
    environment = dict(os.environ, SEICHE_CACHE_DIR=caches, POCL_CACHE_DIR=os.path.join(caches, "pocl"))
    outputs = {name: os.path.join(folder, f"{name}.png") for name in
               ("voice_spectrogram", "voice_spectrum", "photograph_spectrum")}
    try:
        jobs = [
            ("Spectrogram of a voice", voice, "channels x samples", "spectrogram",
             [voice, "-o", outputs["voice_spectrogram"]]),
            ("Spectrum of the voice", voice, "channels x samples", "spectrum",
             [voice, "-o", outputs["voice_spectrum"]]),
            ("Spectrum of a photograph", photograph, "pixels across x down", "spectrum",
             [picture, "-o", outputs["photograph_spectrum"]]),
        ]
        for index, (title, source, unit, command, arguments) in enumerate(jobs):
            report = run(tool, command, arguments, environment)
            if index == 0:
                print(f"\nDevice: {report['device']}")
            describe(title, source, unit, report)
    finally:
        shutil.rmtree(caches, ignore_errors=True)

    print(f"""
Try next:
  {tool} devices
  {tool} plan "1024x1024 c2c f32 batch=16"
  {tool} bench "1024 c2c f32 batch=4096\"""")


if __name__ == "__main__":
    main()
