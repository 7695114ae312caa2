"""`seiche ocean --window`: a window on a display of the X server that draws into a file, Xvfb."""

import ctypes
import json
import os
import shutil
import struct
import subprocess
import time
import unittest

import numpy

import tool
from test_resample import read_png

SMALL = ["--size", "32", "--width", "160", "--height", "90", "--device", "vulkan"]
VALIDATED = {"VK_INSTANCE_LAYERS": "VK_LAYER_KHRONOS_validation",
             "VK_LAYER_ENABLES": "VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT"}
NO_DISPLAY = {"DISPLAY": "", "WAYLAND_DISPLAY": ""}


class KeyPress(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("sent", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("root", ctypes.c_ulong),
                ("child", ctypes.c_ulong), ("time", ctypes.c_ulong), ("places", ctypes.c_int * 4),
                ("state", ctypes.c_uint), ("keycode", ctypes.c_uint), ("same_screen", ctypes.c_int)]


class Message(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("sent", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("name", ctypes.c_ulong),
                ("format", ctypes.c_int), ("data", ctypes.c_long * 5)]


class Event(ctypes.Union):
    _fields_ = [("key", KeyPress), ("message", Message), ("room", ctypes.c_long * 24)]


class Person:
    """Somebody at the display, who sees its only window and does something to it."""

    def __init__(self, display, screen):
        self.screen = screen
        self.x11 = ctypes.CDLL("libX11.so.6")
        for name in ("XOpenDisplay", "XDefaultRootWindow", "XInternAtom"):
            getattr(self.x11, name).restype = ctypes.c_void_p
        self.display = ctypes.c_void_p(self.x11.XOpenDisplay(display.encode()))

    def see(self):
        """The pixels (height, width, 3) of the display, as Xvfb keeps them: an X window dump."""
        with open(self.screen, "rb") as file:
            data = file.read()
        header = struct.unpack(">25I", data[:100])
        (width, height), line = header[4:6], header[12]
        begin = header[0] + 12 * header[19]  # after a table of colours
        rows = numpy.frombuffer(data, "u1", line * height, begin).reshape(height, line // 4, 4)
        return rows[:, :width, 2::-1]

    def window(self):
        root, parent, children = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.POINTER(ctypes.c_ulong)()
        count = ctypes.c_uint()
        self.x11.XQueryTree(self.display, ctypes.c_ulong(self.x11.XDefaultRootWindow(self.display)),
                            ctypes.byref(root), ctypes.byref(parent), ctypes.byref(children), ctypes.byref(count))
        return ctypes.c_ulong(max(children[:count.value]))

    def resize(self, width, height):
        self.x11.XResizeWindow(self.display, self.window(), width, height)
        self.x11.XFlush(self.display)

    def send(self, event):
        self.x11.XSendEvent(self.display, self.window(), 0, ctypes.c_long(0), ctypes.byref(event))
        self.x11.XFlush(self.display)

    def press_escape(self):
        escape = self.x11.XKeysymToKeycode(self.display, ctypes.c_ulong(0xFF1B))
        self.send(Event(key=KeyPress(type=2, window=self.window(), time=1, keycode=escape, same_screen=1)))

    def press_its_button(self):
        names = [self.x11.XInternAtom(self.display, name, 0) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW")]
        message = Message(type=33, window=self.window(), name=names[0], format=32)
        message.data[0] = names[1]
        self.send(Event(message=message))

    def leave(self):
        self.x11.XCloseDisplay(self.display)


class Window(tool.ToolTest):
    def need_windows(self):
        said = self.run_tool("ocean", "--window", env=NO_DISPLAY).stderr
        for reason in ("GLFW's header", "GLFW was not found"):
            if reason in said:
                self.skipTest(said)

    def open_display(self):
        if shutil.which("Xvfb") is None:
            self.skipTest("there is no Xvfb in PATH (package xvfb)")
        reading, writing = os.pipe()
        with open(self.path("xvfb.log"), "wb") as log:
            server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "320x200x24", "-fbdir",
                                       self.folder.name, "-nolisten", "tcp"], pass_fds=[writing], stderr=log)
        os.close(writing)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        with os.fdopen(reading) as numbers:
            number = numbers.readline().strip()
        if not number:
            with open(self.path("xvfb.log"), encoding="utf-8") as log:
                self.skipTest("Xvfb does not start: " + log.read())
        self.display = ":" + number
        person = Person(self.display, self.path("Xvfb_screen0"))
        self.addCleanup(person.leave)
        return person

    def start(self, *arguments):
        environment = dict(os.environ, DISPLAY=self.display, WAYLAND_DISPLAY="", **VALIDATED)
        process = subprocess.Popen([tool.TOOL, "ocean", "--window", *SMALL, *arguments, "--json"],
                                   cwd=self.folder.name, env=environment, text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def finish(self, process):
        out, err = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 0, err + out)
        self.assertRegex(err, r"^seiche: using vulkan:\d+ [^\n]*\n$")
        self.assertTrue(out.startswith("{"), "the validation layers write before the report: " + out)
        return json.loads(out)

    def wait_until(self, holds, process, what):
        until = time.monotonic() + 100
        while not holds():
            self.assertIsNone(process.poll(), f"the window closed without {what}")
            self.assertLess(time.monotonic(), until, f"never {what}")
            time.sleep(0.02)

    def test_the_window_has_the_frames_that_files_have(self):
        self.need_windows()
        person = self.open_display()
        self.succeed("ocean", "-o", "frames", *SMALL, "--frames", "1", "--fps", "1", env={"PATH": ""})
        expected = read_png(self.path("frames/frame_0000.png"))
        process = self.start("--frames", "2", "--fps", "1")
        self.wait_until(lambda: numpy.array_equal(person.see()[:90, :160], expected), process, "the sea's first frame")
        # ... which is no blank one: a bright sky above a blue sea, in many colours.
        sky, sea = expected[:25, :80].mean((0, 1)), expected[50:, :80].mean((0, 1))
        self.assertGreater(sky[0], sea[0] + 50)
        self.assertGreater(sea[2], sea[0] + 15)
        self.assertGreater(len(numpy.unique(expected.reshape(-1, 3), axis=0)), 1000)
        report = self.finish(process)
        self.assertEqual((report["frames"], report["width"], report["height"]), (2, 160, 90))
        self.assertGreater(report["results"][0]["transforms_ms"], 0)
        self.assertLess(report["results"][0]["frames_per_second"], 1.001)

    def test_a_window_may_be_resized_and_closed(self):
        self.need_windows()
        person = self.open_display()
        for close in (person.press_escape, person.press_its_button):
            with self.subTest(close.__name__):
                process = self.start()
                self.wait_until(lambda: person.see()[45:90, 80:160].any(2).all(), process, "a picture")
                # The last is the largest: nothing of a frame of an earlier size, which the server cuts off, fills it.
                for width, height in ((200, 120), (20, 10), (250, 140)):
                    person.resize(width, height)
                    self.wait_until(lambda: person.see()[height // 2:height, :width].any(2).all() and
                                    not person.see()[height:, width:].any(), process, f"{width} by {height} pixels")
                close()
                report = self.finish(process)
                self.assertEqual((report["width"], report["height"]), (250, 140))
                self.assertGreaterEqual(report["frames"], 4)

    def test_what_a_window_cannot(self):
        for arguments, says in ((["-o", "frames"], "--window: expected no -o"),
                                (["--arrays", "both"], "--window: expected one algorithm to draw by, got 2"),
                                (["--arrays", "opengl-images"], "--arrays: expected buffers or images"),
                                (["--frames", "0"], "--frames"), (["--fps", "0"], "--fps: expected")):
            with self.subTest(arguments=arguments):
                self.refuse("ocean", "--window", *arguments, status=2, says=says)
        self.refuse("ocean", "--window", env=dict(NO_DISPLAY, SEICHE_GLFW_LIBRARY="/nowhere"), says="GLFW")

    def test_no_display(self):
        self.need_windows()
        self.refuse("ocean", "--window", says="--window: no display to open a window on: expected one that $DISPLAY",
                    env=NO_DISPLAY)
        self.refuse("ocean", "--window", says="no display", env=dict(NO_DISPLAY, DISPLAY=":9999"))


if __name__ == "__main__":
    tool.main()
