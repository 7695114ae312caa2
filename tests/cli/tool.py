"""Runs the tool in a temporary folder; what its tests share."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

TOOL = os.path.abspath(sys.argv[1])


class ToolTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="seiche-test-")
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_tool(self, *arguments, env=None, stdin=None, text=True):
        """The finished process, run in the test's folder; `stdin`: what it reads."""
        return subprocess.run([TOOL, *map(str, arguments)], cwd=self.folder.name, text=text, capture_output=True,
                              input=stdin, env=dict(os.environ, **(env or {})), timeout=240)

    def succeed(self, *arguments, env=None):
        result = self.run_tool(*arguments, env=env)
        self.assertEqual(result.returncode, 0, f"{arguments}: {result.stderr}")
        return result

    def json(self, *arguments, env=None):
        return json.loads(self.succeed(*arguments, "--json", env=env).stdout)

    def refuse(self, *arguments, status=1, says="", env=None):
        """Fails in one line that says so, and leaves no file behind."""
        before = sorted(os.listdir(self.folder.name))
        result = self.run_tool(*arguments, env=env)
        self.assertEqual(result.returncode, status, f"{arguments}: {result.stderr}{result.stdout}")
        self.assertEqual(result.stdout, "")
        lines = [line for line in result.stderr.splitlines() if not line.startswith("seiche: using ")]
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertTrue(lines[0].startswith("seiche: "), lines[0])
        self.assertIn(says, lines[0])
        self.assertEqual(sorted(os.listdir(self.folder.name)), before)
        return lines[0]


def main():
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
