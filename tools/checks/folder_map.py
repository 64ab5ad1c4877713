"""The folder map of ARCHITECTURE.md names the folders that exist, no more and no fewer."""

import pathlib
import re

MEND = (
    "The table between <!-- folder map --> and <!-- end of folder map --> in ARCHITECTURE.md must name each folder under "
    "src, include, testkit, apps, tests, examples, tools, cmake and docs that holds files: add the missing line and say "
    "what is in the folder, or remove the line of a folder that is gone."
)

MAPPED = ("src", "include", "testkit", "apps", "tests", "examples", "tools", "cmake", "docs")
# Folders whose inner folders are data or another language's packages.
LEAVES = ("tests/java", "tests/fuzz/corpus", "tests/package")

MAP_OF_ONE = "<!-- folder map -->\n| `src/base/` | bytes |\n<!-- end of folder map -->\n"
REFUSED = {
    "a folder that is not in the map": {"ARCHITECTURE.md": MAP_OF_ONE, "src/base/a.hpp": "", "src/records/b.hpp": ""},
    "a folder that is gone": {"ARCHITECTURE.md": MAP_OF_ONE, "src/records/b.hpp": ""},
    "a folder that is named twice": {
        "ARCHITECTURE.md": MAP_OF_ONE.replace("<!-- end", "| `src/base/` | more bytes |\n<!-- end"),
        "src/base/a.hpp": "",
    },
    "no map": {"ARCHITECTURE.md": "", "src/base/a.hpp": ""},
}


def folders(tree):
    found = set()
    for path in tree.paths:
        folder = str(pathlib.PurePath(path).parent)
        if folder.split("/")[0] not in MAPPED:
            continue
        leaf = next((leaf for leaf in LEAVES if folder == leaf or folder.startswith(leaf + "/")), None)
        found.add(leaf or folder)
    return found


def find(tree):
    text = tree.text("ARCHITECTURE.md") if "ARCHITECTURE.md" in tree.paths else ""
    block = re.search(r"<!-- folder map -->(.*)<!-- end of folder map -->", text, re.S)
    if not block:
        yield "ARCHITECTURE.md:1: has no folder map"
        return
    lines = re.findall(r"^\|\s*`([^`]+?)/?`\s*\|", block.group(1), re.M)
    named = set(lines)
    real = folders(tree)
    for folder in sorted(real - named):
        yield f"ARCHITECTURE.md: the folder map does not name {folder}/"
    for folder in sorted(folder for folder in named if lines.count(folder) > 1):
        yield f"ARCHITECTURE.md: the folder map names {folder}/ more than once"
    for folder in sorted(named - real):
        yield f"ARCHITECTURE.md: the folder map names {folder}/, which holds no files"
