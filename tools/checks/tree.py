"""The files of the repository as the checks see them: everything git would commit, build output left out."""

import os
import pathlib
import re
import subprocess

SOURCE_SUFFIXES = {".cpp", ".hpp"}


class Tree:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self._texts = {}
        self.paths = sorted(p for p in self._list() if (self.root / p).is_file())

    def _list(self):
        if (self.root / ".git").exists():
            command = ["git", "-C", str(self.root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
            return set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")) - {""}
        found = set()
        for folder, folders, files in os.walk(self.root):
            folders[:] = [f for f in folders if f not in {"build", "__pycache__"} and not f.startswith(".")]
            found.update(str((pathlib.Path(folder) / f).relative_to(self.root)) for f in files)
        return found

    def text(self, path):
        if path not in self._texts:
            self._texts[path] = (self.root / path).read_text(encoding="utf-8", errors="replace")
        return self._texts[path]

    def sources(self, *folders):
        """C++ files, under the folders if any are named."""
        for path in self.paths:
            if pathlib.PurePath(path).suffix in SOURCE_SUFFIXES and (not folders or is_under(path, *folders)):
                yield path


def is_under(path, *folders):
    return any(path == folder or path.startswith(folder + "/") for folder in folders)


_NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|(?<![A-Za-z0-9_])R"(?P<mark>[^()\\ ]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])*'",
    re.S,
)


def code_only(text, keep_strings=False):
    """The text with comments, and strings unless kept, blanked; line numbers stay."""

    def blank(match):
        found = match.group(0)
        if keep_strings and not found.startswith("/"):
            return found
        return re.sub(r"[^\n]", " ", found)

    return _NOT_CODE.sub(blank, text)


_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)


def includes(text):
    """(line, name) of every include directive."""
    for match in _INCLUDE.finditer(code_only(text, keep_strings=True)):
        yield text.count("\n", 0, match.start()) + 1, match.group(2)
