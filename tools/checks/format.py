"""Everything is formatted by clang-format-19 with the .clang-format of the repository."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

MEND = "Run: tools/format"

STYLE = pathlib.Path(__file__).resolve().parents[2] / ".clang-format"
REFUSED = {"two statements on a line": {"src/base/a.cpp": "int a;  int   b;\n"}}


def program():
    found = shutil.which("clang-format-19")
    if not found:
        sys.exit("format: clang-format-19 is missing (other versions format differently); run tools/packages test")
    return found


def complaints(arguments):
    command = [program(), "--dry-run", f"--style=file:{STYLE}", *arguments]
    return subprocess.run(command, capture_output=True, text=True).stderr


def find(tree):
    files = [str(tree.root / path) for path in tree.sources()]
    shares = [files[start::8] for start in range(8) if files[start::8]]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for text in pool.map(complaints, shares):
            seen = set()
            for match in re.finditer(r"^(.+?):(\d+):\d+: (?:warning|error): ", text, re.M):
                if match.group(1) not in seen:
                    seen.add(match.group(1))
                    path = pathlib.Path(match.group(1)).relative_to(tree.root)
                    yield f"{path}:{match.group(2)}: not formatted from here on"
