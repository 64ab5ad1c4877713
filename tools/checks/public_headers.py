#!/usr/bin/env python3
"""Every public header compiles alone. The build compiles each (cmake/repository_checks.cmake); this makes sure that none
was left out, and that a header that leans on another's includes is refused."""

import argparse
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = "#pragma once\ninline std::string leans_on_others() { return {}; }\n"


def compiles(compiler, header_text):
    with tempfile.TemporaryDirectory() as folder:
        header = pathlib.Path(folder) / "sample.hpp"
        header.write_text(header_text)
        command = [compiler, "-std=c++20", "-fsyntax-only", "-x", "c++", str(header)]
        return subprocess.run(command, capture_output=True).returncode == 0


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--compiler", required=True)
    arguments.add_argument("--build", required=True)
    options = arguments.parse_args()
    if compiles(options.compiler, SAMPLE) or not compiles(options.compiler, "#include <string>\n" + SAMPLE):
        sys.exit("public_headers: the sample that must be refused is not, or its mended form is")
    objects = pathlib.Path(options.build)
    left_out = []
    count = 0
    for folder in ("include", "testkit/include"):
        for header in sorted((ROOT / folder).rglob("*.hpp")):
            count += 1
            name = header.relative_to(ROOT / folder)
            if not list(objects.glob(f"tests/CMakeFiles/strandline_public_headers.dir/**/{name}.cpp.o")):
                left_out.append(name)
    if left_out:
        sys.exit(f"public_headers: not compiled alone: {', '.join(map(str, left_out))}. Configure and build again.")
    print(f"public_headers: {count} headers compile alone")


if __name__ == "__main__":
    main()
