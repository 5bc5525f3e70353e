"""Commands and options exist, print what pages say that they print, and variant files that are shown can be read."""

import re
import shlex
import subprocess
import tempfile

from .pages import code_blocks, prose
from .report import ROOT, count, problem, run

# Options of programs that are not ours.
OTHERS = {"--locked", "--release", "--signal", "--workspace", "--doc", "--nocapture", "--no-default-features"}


def commands(text):
    """Every command line of the program in a page."""
    lines = [line for block in code_blocks(text) for line in block]
    lines += [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose(text))]
    for line in lines:
        # What follows two blanks says what the command does.
        line = re.split(r" {2,}(?=[^ ])", line.removeprefix("$ ").strip())[0]
        for part in re.split(r" (?:\||;|&&) ", line):
            part = re.sub(r"^cargo run --release -- ", "backrank ", part.strip())
            part = re.sub(r"^[^\s=]*/backrank ", "backrank ", part)
            if part.startswith("backrank "):
                yield part.split(" > ")[0]


def check_commands(page, program, options):
    text = page.read_text()
    for line in commands(text):
        try:
            arguments = shlex.split(line)[1:]
        except ValueError as error:
            problem(page, f"{line}: {error}")
            continue
        # `N` stands for a number, and `…` for what is not said.
        arguments = ["2" if argument == "N" else argument for argument in arguments if "…" not in argument]
        found = subprocess.run([program, *arguments, "--help"], cwd=ROOT, capture_output=True, text=True)
        count("commands")
        if found.returncode != 0 and "a value is required" not in found.stderr:
            problem(page, f"{line}: {found.stderr.strip().splitlines()[0]}")
    for option in re.findall(r"`(--[a-z][a-z-]*)", prose(text)):
        if option not in options | OTHERS:
            problem(page, f"no command has the option {option}")


def check_transcripts(page, program):
    for block in code_blocks(page.read_text()):
        if not block[0].startswith("$ "):
            continue
        for part in "\n".join(block)[2:].split("\n$ "):
            line, _, said = part.partition("\n")
            found = run(program, line)
            count("outputs")
            if found.returncode != 0:
                problem(page, f"$ {line}\n{found.stderr}")
            elif found.stdout.rstrip() != said.rstrip():
                problem(page, f"$ {line}\nprints\n{found.stdout}")


def check_variants(page, program):
    """Variant files that are shown are complete."""
    for block in code_blocks(page.read_text()):
        if not block[0].startswith("name = "):
            continue
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write("\n".join(block))
            file.flush()
            found = run(program, f"backrank count {file.name}")
        if found.returncode != 0:
            problem(page, f"{block[0]}: {found.stderr}")


def check(page, program, options):
    check_commands(page, program, options)
    check_transcripts(page, program)
    check_variants(page, program)
