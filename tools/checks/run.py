#!/usr/bin/env python3
"""Runs repository checks by name, or all of them: tools/checks/run.py [NAME...]

A check is a module with
  MEND          what to do about a finding
  REFUSED       samples {title: {path: text}}, each of which the check must refuse
  find(tree)    yields a line "path:line: what is wrong" for each finding
Samples are tried first, so that a check that has gone blind fails.
"""

import importlib
import pathlib
import sys
import tempfile

from tree import Tree

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECKS = ["layers", "words", "determinism", "format", "folder_map", "sizes", "addresses", "tickets", "conflicts"]
# Not among those that run by themselves: code moves away from under a mutation now and then, and whoever moves it need not
# mend that at once.
ON_REQUEST = ["mutations"]


def sample_tree(folder, files):
    for path, text in files.items():
        place = pathlib.Path(folder) / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return Tree(folder)


def run(name):
    check = importlib.import_module(name)
    for title, files in check.REFUSED.items():
        with tempfile.TemporaryDirectory() as folder:
            if not list(check.find(sample_tree(folder, files))):
                print(f"{name}: the sample '{title}' is no longer refused; mend tools/checks/{name}.py")
                return False
    findings = list(check.find(Tree(ROOT)))
    for finding in findings:
        print(finding)
    if findings:
        print(f"{name}: {len(findings)} finding(s). {check.MEND}")
    else:
        print(f"{name}: nothing to mend; {len(check.REFUSED)} sample(s) refused as they should be")
    return not findings


def main():
    names = sys.argv[1:] or CHECKS
    unknown = [name for name in names if name not in CHECKS + ON_REQUEST]
    if unknown:
        sys.exit(f"run.py: unknown check {unknown[0]}; known: {', '.join(CHECKS + ON_REQUEST)}")
    sys.exit(0 if all([run(name) for name in names]) else 1)


if __name__ == "__main__":
    main()
