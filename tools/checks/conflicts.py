"""No file has what a merge left to be decided."""

import re

MEND = "Two changes met here and nobody decided: keep what is meant of both and remove the marks."

MARK = re.compile(r"^(<{7}|>{7}|\|{7})( |$)", re.M)
REFUSED = {
    "a merge that nobody finished": {"src/base/a.cpp": "<" * 7 + " HEAD\nint a;\n=======\nint b;\n" + ">" * 7 + " other\n"},
}
SUFFIXES = (".cpp", ".hpp", ".py", ".md", ".txt", ".cmake", ".toml", ".json", ".in", ".java")


def find(tree):
    for path in tree.paths:
        if "." in path.rsplit("/", 1)[-1] and not path.endswith(SUFFIXES):
            continue
        text = tree.text(path)
        for match in MARK.finditer(text):
            yield f"{path}:{text.count(chr(10), 0, match.start()) + 1}: {match.group(1)}"
