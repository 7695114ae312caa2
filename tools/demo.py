"""What ./dev demo runs once the tool is built: spectra of a voice and a photograph, with the figures as a table.

Usage: demo.py TOOL FOLDER VOICE.wav PICTURE.jpg
"""

import json
import math
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import wave


def run(tool, command, arguments, environment):
    """Runs one command of the tool and returns its JSON report; its notes are shown, but the device once is enough."""
    result = subprocess.run([tool, command, *arguments, "--json"], capture_output=True, env=environment, text=True)
    for line in result.stderr.splitlines():
        if not line.startswith("seiche: using "):
            print(line, file=sys.stderr)
    if result.returncode != 0:
        sys.exit(f"demo: {command} failed with status {result.returncode}")
    return json.loads(result.stdout)


def bring_files(folder, voice):
    """What the commands of the README read, beside photograph.png."""
    numbers = random.Random(7)
    path = lambda name: os.path.join(folder, name)
    shutil.copyfile(voice, path("voice.wav"))
    with wave.open(voice) as sound:
        rate = sound.getframerate()
    with wave.open(path("hall.wav"), "wb") as hall:  # an echo that dies away within a second
        hall.setnchannels(1)
        hall.setsampwidth(2)
        hall.setframerate(rate)
        echoes = [0.3 * math.exp(-6.9 * i / rate) * numbers.gauss(0, 1) for i in range(rate)]
        echoes[0] = 1
        hall.writeframes(struct.pack(f"<{rate}h", *(round(32767 * max(-1, min(1, x))) for x in echoes)))
    with open(path("radio.cu8"), "wb") as radio:  # a carrier, and one that is modulated in frequency, in noise
        samples, phase = bytearray(), 0.0
        for i in range(200000):
            phase += 2 * math.pi * (0.15 + 0.02 * math.sin(2 * math.pi * i / 20000))
            steady = 2 * math.pi * -0.2 * i
            for part in (math.cos, math.sin):
                value = 127.5 + 50 * part(phase) + 30 * part(steady) + numbers.gauss(0, 2)
                samples.append(max(0, min(255, round(value))))
        radio.write(samples)
    with open(path("field.npy"), "wb") as field:
        side = 64
        head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (side, side)
        head += " " * (117 - len(head)) + "\n"
        field.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        field.write(struct.pack(f"<{side * side}f", *(numbers.gauss(0, 1) for _ in range(side * side))))
    for name in ("a.txt", "b.txt"):
        with open(path(name), "w") as file:
            file.write("".join(numbers.choice("123456789") for _ in range(10000)) + "\n")


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
    from PIL import Image  # where the files alone are wanted, it need not be there

    bring_files(folder, voice)
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
Try next, in {folder} (README.md, "The tool", has more of them for the files there):
  {tool} devices
  {tool} plan "1024x1024 c2c f32 batch=16"
  {tool} bench "1024 c2c f32 batch=4096\"""")


if __name__ == "__main__":
    main()
