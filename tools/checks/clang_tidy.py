#!/usr/bin/env python3
"""clang-tidy on what changed, or on everything.

  clang_tidy.py --build build/release          files changed since origin/main, or of the last commits, and what is not
                                               committed; newest first, tests last, as many as --seconds allow; without
                                               the path-sensitive checks, which take most of the time
  clang_tidy.py --build build/release --all    every source file, every check; tests without the path-sensitive ones,
                                               which take four times as long there as all others and look for what a test
                                               that runs would meet
  clang_tidy.py --build build/release PATH...  these files, or all in these folders, as if they had changed
A file whose text, headers, flags and .clang-tidy are as they were when it passed is not read again.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from layers import resolve
from tree import Tree, includes, is_under

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECENT_COMMITS = 5
# The flags are those of g++; and libstdc++ 12 uses in stable_sort what it calls deprecated itself.
ARGUMENTS = ["--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-deprecated-declarations"]
PRECOMPILED = re.compile(r" -Winvalid-pch| -include \S+cmake_pch\.hxx")
SAMPLE = "int CamelCaseName() {\n    int* nothing = 0;\n    return *nothing;\n}\n"
MEND = "clang_tidy: mend what it says, or, where it is wrong, NOLINT(name-of-check) on the line with the reason."


def git(*arguments):
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True)
    return done.stdout.split("\n") if done.returncode == 0 else []


def changed_files():
    """Newest change first: not committed, then commit by commit."""
    found = git("diff", "--name-only", "HEAD") + git("ls-files", "--others", "--exclude-standard")
    base = (git("merge-base", "HEAD", "origin/main") or [""])[0]
    head = (git("rev-parse", "HEAD") or [""])[0]
    span = [f"{base}..HEAD"] if base and base != head else ["-n", str(RECENT_COMMITS)]
    found += git("log", "--name-only", "--format=", *span)
    return list(dict.fromkeys(path for path in found if path))


class Compilation:
    """The build's commands without its precompiled headers, so that a header that is not included is missed here."""

    def __init__(self, build, folder):
        database = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
        self.commands = {}
        for entry in database:
            entry["command"] = PRECOMPILED.sub("", entry["command"])
            path = os.path.relpath(os.path.join(entry["directory"], entry["file"]), ROOT)
            self.commands[path] = entry["command"]
        self.folder = folder
        (folder / "compile_commands.json").write_text(json.dumps(database))


def reachable(tree, known, path):
    """The file and every file of the repository it includes."""
    todo, seen = [path], set()
    while todo:
        current = todo.pop()
        if current in seen:
            continue
        seen.add(current)
        for _, name in includes(tree.text(current)):
            target = resolve(current, name, known)
            if target:
                todo.append(target)
    return sorted(seen)


def key_of(tree, known, command, path, extra):
    digest = hashlib.sha256((ROOT / ".clang-tidy").read_bytes() + " ".join(extra).encode())
    digest.update(" ".join(a for a in shlex.split(command) if a.startswith(("-D", "-W", "-std"))).encode())
    for part in reachable(tree, known, path):
        digest.update(part.encode() + b"\0" + tree.text(part).encode() + b"\0")
    return digest.hexdigest()


def tidy(program, compilation, path, extra):
    command = [program, "-p", str(compilation.folder), "--quiet", *ARGUMENTS, *extra, str(ROOT / path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    return done.returncode == 0, done.stdout + (done.stderr if "error" in done.stderr else "")


def is_test(path):
    return path.endswith("_test.cpp") or is_under(path, "tests")


def sample_is_refused(program):
    with tempfile.TemporaryDirectory() as folder:
        sample = pathlib.Path(folder) / "sample.cpp"
        sample.write_text(SAMPLE)
        command = [program, f"--config-file={ROOT / '.clang-tidy'}", "--quiet", str(sample), "--", "-std=c++20"]
        return subprocess.run(command, capture_output=True).returncode != 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--build", required=True, help="a configured build folder")
    arguments.add_argument("--all", action="store_true", help="every source file, however long it takes")
    arguments.add_argument("--seconds", type=float, default=60, help="start no further file after this long")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count(), help="files at a time")
    arguments.add_argument("paths", nargs="*")
    options = arguments.parse_args()
    program = shutil.which("clang-tidy-19")
    if not program:
        sys.exit("clang_tidy: clang-tidy-19 is missing; run tools/packages test")
    if not sample_is_refused(program):
        sys.exit("clang_tidy: the sample that must be refused is not; mend .clang-tidy")

    tree = Tree(ROOT)
    known = set(tree.paths)
    passed_before = ROOT / "build" / "clang-tidy"
    passed_before.mkdir(parents=True, exist_ok=True)
    compilation = Compilation(options.build, passed_before)
    commands = compilation.commands
    wanted = changed_files()
    if options.all:
        wanted = sorted(commands)
    elif options.paths:
        wanted = [path for path in sorted(commands) if is_under(path, *options.paths)]
    wanted = [path for path in wanted if path in commands]
    wanted = sorted((path for path in wanted if path in known), key=is_test)

    def left_out(path):
        return [] if options.all and not is_test(path) else ["--checks=-clang-analyzer-*"]

    deadline = None if options.all else time.monotonic() + options.seconds

    def examine(path):
        extra = left_out(path)
        mark = passed_before / key_of(tree, known, commands[path], path, extra)
        if mark.exists():
            return "known", ""
        if deadline is not None and time.monotonic() > deadline:
            return "left", path
        good, output = tidy(program, compilation, path, extra)
        if good:
            mark.touch()
            return "passed", ""
        return "refused", f"-- {path}\n{output}"

    count = {"known": 0, "left": 0, "passed": 0, "refused": 0}
    with ThreadPoolExecutor(options.jobs) as pool:
        for result, output in pool.map(examine, wanted):
            count[result] += 1
            if result == "refused":
                print(re.sub(re.escape(str(ROOT)) + "/", "", output), flush=True)
    print(
        f"clang_tidy: {count['passed']} passed, {count['known']} unchanged since they passed, {count['refused']} refused, "
        f"{count['left']} left for the next run"
    )
    if count["refused"]:
        sys.exit(MEND)


if __name__ == "__main__":
    main()
