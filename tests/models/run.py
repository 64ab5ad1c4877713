#!/usr/bin/env python3
"""Searches the model of handoff with spin: its properties hold, and each broken variant is refuted.

  run.py [--cc COMPILER]   search; prints the number of states
  run.py --table           the table of transitions, as docs/reliability.md shows it
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
MODEL = FOLDER / "meeting.pml"

# A property that concerns only one of those who may be there; the others are looked at wherever.
CONCERNS = {"data_arrives": "POLL", "calls_end": "CALL", "one_result": "CALL", "space_is_heard_of": "SPACE"}
# What is searched: name, who is there.
WHOLE = [
    ("a poll, a wake-up, a close", ["POLL", "WAKEUP", "CLOSE"]),
    ("a call at its deadline, a close", ["CALL", "DEADLINE", "CLOSE"]),
    ("a poll and space that comes back", ["POLL", "SPACE"]),
    ("a poll, a call, a wake-up", ["POLL", "CALL", "WAKEUP"]),
]
# What is broken, in which company, and which search must notice: None is the one for deadlocks and assertions.
BROKEN = [
    ("SIGNAL_FIRST", ["POLL"], None),
    ("NO_VERSION", ["POLL"], None),
    ("TOKEN_LATE", ["CALL", "POLL", "SPACE"], None),
    ("STAYS_IN_TABLE", ["CALL", "CLOSE"], "one_result"),
    ("FORGETS_RESULT", ["CALL", "DEADLINE"], None),
    ("NO_SECOND_LOOK", ["SPACE"], "space_is_heard_of"),
    ("SUBMIT_UNSEEN", ["CALL", "CLOSE"], None),
    ("KEEPS_WAKEUP", ["POLL", "WAKEUP"], None),
]


def transitions():
    """(number, what, file, text) of every transition the model names."""
    for number, what, path, text in re.findall(r"/\* (T\d+) ([^:]+): (\S+) \| (.*?) \*/", MODEL.read_text()):
        yield number, what, path, text


def unknown_lines():
    for number, _, path, text in transitions():
        if text not in (ROOT / path).read_text():
            yield f"{MODEL.relative_to(ROOT)}: {number} stands for a line that is not in {path} any more: {text}"


def table():
    lines = ["| | transition | code |", "|---|---|---|"]
    for number, what, path, text in transitions():
        lines.append(f"| {number} | {what} | `{text.replace('|', chr(92) + '|')}` in [{pathlib.PurePath(path).name}](../{path}) |")
    return "\n".join(lines)


class search:
    """One model with its switches, compiled for safety or for a property."""

    def __init__(self, switches, compiler, folder, liveness):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
        self.run(["spin", "-a", *[f"-D{each}" for each in switches], str(MODEL)])
        flags = [] if liveness else ["-DSAFETY", "-DNOCLAIM"]
        self.run([compiler, "-O1", "-w", "-DCOLLAPSE", *flags, "-o", "pan", "pan.c"])

    def run(self, command):
        made = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if made.returncode != 0:
            sys.exit(f"{' '.join(command)} failed:\n{made.stdout}")

    def errors(self, claim=None):
        """(errors, states). A search that was cut short is no answer."""
        command = ["./pan", "-m200000"] + (["-a", "-f", "-N", claim] if claim else [])
        said = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
        found = re.search(r"errors: (\d+)", said)
        states = re.search(r"(\d+) states, stored", said)
        if not found or not states or "max search depth too small" in said or "out of memory" in said:
            sys.exit(f"{' '.join(command)} gave no answer:\n{said}")
        return int(found.group(1)), int(states.group(1))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--cc", default="cc")
    arguments.add_argument("--table", action="store_true")
    given = arguments.parse_args()
    if given.table:
        print(table())
        return
    if not shutil.which("spin"):
        sys.exit("spin is not installed: tools/packages test")
    wrong = list(unknown_lines())
    if table() not in (ROOT / "docs/reliability.md").read_text():
        wrong.append("docs/reliability.md: its table of transitions is not what tests/models/run.py --table prints")
    claims = re.findall(r"^ltl (\w+)", MODEL.read_text(), re.MULTILINE)
    with tempfile.TemporaryDirectory() as folder:
        for name, switches in WHOLE:
            errors, states = search(switches, given.cc, folder, liveness=False).errors()
            print(f"{name}: no lost wake, no deadlock, no second result: {states} states, {errors} errors")
            if errors:
                wrong.append(f"{name}: {errors} errors")
            lively = search(switches, given.cc, folder, liveness=True)
            for claim in claims:
                if CONCERNS.get(claim) not in (None, *switches):
                    continue
                errors, states = lively.errors(claim)
                print(f"{name}: {claim}: {states} states, {errors} errors")
                if errors:
                    wrong.append(f"{name}: {claim} does not hold")
        for switch, others, claim in BROKEN:
            errors, _ = search([switch, *others], given.cc, folder, liveness=claim is not None).errors(claim)
            print(f"{switch}: {'refuted' if errors else 'NOT REFUTED'}")
            if not errors:
                wrong.append(f"the broken variant {switch} was not refuted")
    for line in wrong:
        print(line, file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
