"""Size is a symptom, not a limit: prints the longest files and functions, and complains when a long file grows."""

import pathlib
import re
import tomllib

from tree import code_only

MEND = (
    "A file past {limit} lines has grown. Does it do two jobs? Split it; if it truly is one concept, record its length in "
    "tools/checks/sizes.toml, where reviewers will see it."
)
LIMIT = 500
MEND = MEND.format(limit=LIMIT)
SHOWN = 10

REFUSED = {"a long file that nobody has talked about": {"src/base/a.cpp": "int a;\n" * (LIMIT + 1)}}

_CONTROL = re.compile(r"\b(if|for|while|switch|do|else|catch|try|namespace|class|struct|union|enum|extern)\b")


def functions(text):
    """(lines, first line, name) of the outermost blocks that follow a parameter list. A heuristic, for people to read."""
    code = code_only(text)
    depth_of_function = None
    depth = 0
    head_start = 0
    for match in re.finditer(r"[{};]", code):
        mark = match.group(0)
        if mark == "{":
            head = code[head_start : match.start()]
            depth += 1
            if depth_of_function is None and "(" in head and not _CONTROL.search(head.split("(")[0]):
                depth_of_function = depth
                start = match.start()
                name = re.search(r"([\w:~]+|operator\s*\S+)\s*\(", head)
                title = name.group(1) if name else "?"
        elif mark == "}":
            if depth == depth_of_function:
                first = code.count("\n", 0, start) + 1
                yield code.count("\n", start, match.start()) + 1, first, title
                depth_of_function = None
            depth -= 1
        head_start = match.end()


def find(tree):
    known = {}
    if "tools/checks/sizes.toml" in tree.paths:
        known = tomllib.loads(tree.text("tools/checks/sizes.toml"))["lines"]
    files = sorted(((tree.text(path).count("\n"), path) for path in tree.sources()), reverse=True)
    longest = sorted(
        ((lines, path, line, name) for _, path in files for lines, line, name in functions(tree.text(path))), reverse=True
    )
    if (tree.root / ".git").exists():
        print("longest files:")
        for lines, path in files[:SHOWN]:
            print(f"  {lines:5} {path}")
        print("longest functions:")
        for lines, path, line, name in longest[:SHOWN]:
            print(f"  {lines:5} {path}:{line} {name}")
    for lines, path in files:
        if lines > max(LIMIT, known.get(path, 0)):
            yield f"{path}:1: {lines} lines, was {known.get(path, f'below {LIMIT}')}"
    for path in known:
        if not (tree.root / pathlib.PurePath(path)).is_file():
            yield f"tools/checks/sizes.toml: {path} is gone; remove its line"
