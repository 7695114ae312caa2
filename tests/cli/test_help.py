"""What the tool says of itself: its help, what it answers to slips of the pen, completions and the manual's page."""

import os
import re
import shutil
import subprocess
import unittest

import tool


def groff_warns(page):
    """What groff finds wrong with a page of the manual."""
    result = subprocess.run(["groff", "-man", "-ww", "-z", "-Tutf8"], input=page, text=True, capture_output=True, timeout=60)
    return result.stderr


class Help(tool.ToolTest):
    def commands(self):
        return re.findall(r"^  ([a-z]+)  ", self.succeed("--help").stdout, re.M)

    def options(self, command):
        """Names of a command's options, as its help has them."""
        text = self.succeed(command, "--help").stdout
        return {name for line in re.findall(r"^  (-.*)", text, re.M) for name in re.findall(r"(?:^|, )(--?[a-z-]+)", line)}

    def own_commands(self):
        return [command for command in self.commands() if command not in ("study", "ocean")]

    def test_help_is_a_command_too(self):
        self.assertEqual(self.succeed("help").stdout, self.succeed("--help").stdout)
        self.assertGreater(len(self.own_commands()), 15)
        for command in self.own_commands():
            self.assertEqual(self.succeed("help", command).stdout, self.succeed(command, "--help").stdout)

    def test_the_nearest_word_is_named(self):
        for arguments, says in [
                (["trasnform"], "unknown command 'trasnform', did you mean 'transform'?"),
                (["help", "trasnform"], "did you mean 'transform'?"), (["completion", "bsh"], "did you mean 'bash'?"),
                (["plan", "8", "--radixes", "2"], "unknown option '--radixes', did you mean '--radices'?"),
                (["cache", "--claer"], "unknown option '--claer', did you mean '--clear'?"),
                (["--verson"], "unknown option '--verson', did you mean '--version'?"),
                (["cache", "-x"], "unknown option '-x'")]:
            with self.subTest(arguments=arguments):
                self.refuse(*arguments, status=2, says=says)

    def test_every_option_says_what_it_is(self):
        for command in self.own_commands():
            text = self.succeed(command, "--help").stdout
            self.assertNotRegex(text, r"(?m)\bTEXT$", command)
            for bare in re.findall(r"^  (-\S.*)\n(?!  )", text, re.M):
                self.assertRegex(bare, r"\S  +\S", command)

    def complete(self, *words):
        """What bash offers for the last of the words."""
        script = """source "$1"; shift
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
            _seiche; printf '%s\\n' "${COMPREPLY[@]}" """
        with open(self.path("completion.bash"), "w") as file:
            file.write(self.succeed("completion", "bash").stdout)
        result = subprocess.run(["bash", "-c", script, "bash", self.path("completion.bash"), "seiche", *words], text=True,
                                capture_output=True, timeout=60)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return set(result.stdout.split())

    @unittest.skipUnless(shutil.which("bash"), "bash is not installed")
    def test_bash_completes(self):
        self.assertEqual(self.complete(""), set(self.commands()))
        self.assertEqual(self.complete("spec"), {"spectrum", "spectrogram"})
        self.assertEqual(self.complete("--quiet", "tran"), {"transform"})
        for command in self.own_commands():
            self.assertEqual(self.complete(command, "-"), self.options(command))
        self.assertEqual(self.complete("transform", "--kind", "dct"), {"dct1", "dct2", "dct3", "dct4"})
        self.assertEqual(self.complete("transform", "--kind", "=", "r2"), {"r2c", "r2hc"})
        self.assertEqual(self.complete("emit", "64", "--dialect", "spirv"), {"spirv", "spirv-opencl"})
        self.assertEqual(self.complete("help", "big"), {"bigmul"})
        self.assertEqual(self.complete("completion", ""), {"bash", "zsh", "fish"})
        # Nothing is offered for numbers, and for files it is the shell that looks.
        self.assertEqual(self.complete("bench", "--repeat", ""), set())
        self.assertEqual(self.complete("spectrogram", "a"), set())

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_takes_its_completion(self):
        folder = self.path("functions")
        os.mkdir(folder)
        with open(os.path.join(folder, "_seiche"), "w") as file:
            file.write(self.succeed("completion", "zsh").stdout)
        subprocess.run(["zsh", "-f", "-n", os.path.join(folder, "_seiche")], check=True, timeout=60)
        script = "fpath=($1 $fpath); autoload -Uz compinit; compinit -D -u; print $_comps[seiche]; autoload +X -Uz _seiche"
        result = subprocess.run(["zsh", "-f", "-c", script, "zsh", folder], text=True, capture_output=True, timeout=60)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "_seiche\n", ""))

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_completes(self):
        path = self.path("seiche.fish")
        with open(path, "w") as file:
            file.write(self.succeed("completion", "fish").stdout)
        environment = dict(os.environ, HOME=self.folder.name, XDG_CONFIG_HOME=self.folder.name, XDG_DATA_HOME=self.folder.name)

        def complete(line):
            result = subprocess.run(["fish", "--no-config", "-c", f"source {path}; complete -C '{line}'"], text=True,
                                    capture_output=True, env=environment, timeout=60)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            return {text.split("\t")[0] for text in result.stdout.splitlines()}

        self.assertEqual(complete("seiche spec"), {"spectrum", "spectrogram"})
        self.assertEqual(complete("seiche transform --kind dct"), {"dct1", "dct2", "dct3", "dct4"})
        self.assertEqual({name for name in complete("seiche bench --") if name != "--help"} | {"--help"},
                         {name for name in self.options("bench") if name.startswith("--")})

    def test_the_manual_has_every_command_and_option(self):
        page = self.succeed("--generate", "man").stdout
        for command in self.own_commands():
            self.assertIn(f'.SS "{command}"\n', page)
            for option in self.options(command):
                self.assertIn(option.replace("-", r"\-"), page)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_groff_finds_nothing_wrong_with_the_manual(self):
        self.assertIn("macro", groff_warns(".TH A 1\n.NOSUCH\n"))
        self.assertEqual(groff_warns(self.succeed("--generate", "man").stdout), "")

    def test_what_can_be_generated(self):
        self.refuse("--generate", status=2, says="expected one of bash, zsh, fish")
        self.refuse("--generate", "morse", status=2, says="got 'morse'")
        self.refuse("--generate", "markdown", "juggle", status=2, says="unknown command 'juggle'")


if __name__ == "__main__":
    tool.main()
