"""The mutations of tests/mutations apply: each finds the one place that it breaks.

A file per room:
  tests = ["core_fetch_test"]     programs that ought to notice, built and run first
  more = ["system_consumer_test"] programs that are built and run when those stay silent; with arguments if it is none of
                                  GoogleTest, "strandline-simulate --standard"
  [[mutation]]
  name = "..."     what is broken, as a sentence
  against = "V9"   the invariant, or the property of the reactor's design (P1 to P6), that it breaks
  file, find, put  `find` stands exactly once in the file and is replaced by `put`
  tests, more      instead of the room's, if others ought to notice
  argued = "..."   why nothing notices it, and why that is right
tools/mutate runs them.
"""

import pathlib
import re
import tomllib

MEND = (
    "Code that a mutation breaks has moved: let its `find` in tests/mutations name the same mechanism in its new form. "
    "A mechanism that is gone takes its mutations along."
)
FOLDER = "tests/mutations"
KNOWN = {"name", "against", "file", "find", "put", "tests", "more", "argued"}

# What makes a program: a room's own tests, those of other folders, tools.
PROGRAMS = re.compile(r"^\s*(strandline_room|strandline_test|strandline_live_test|add_executable)\(\s*([\w-]+)", re.M)

_MADE = {"src/CMakeLists.txt": "strandline_room(a a)\n"}
_ROOM = 'tests = ["a_test"]\n[[mutation]]\nname = "%s"\nagainst = "V1"\nfile = "src/a.cpp"\nfind = "%s"\nput = "%s"\n'
REFUSED = {
    "what is looked for is not there": _MADE
    | {
        f"{FOLDER}/a.toml": _ROOM % ("It forgets.", "int b;", "int c;"),
        "src/a.cpp": "int a;\n",
    },
    "what is looked for is there twice": _MADE
    | {
        f"{FOLDER}/a.toml": _ROOM % ("It forgets.", "int a;", "int c;"),
        "src/a.cpp": "int a;\nint a;\n",
    },
    "nothing is changed": _MADE
    | {f"{FOLDER}/a.toml": _ROOM % ("It forgets.", "int a;", "int a;"), "src/a.cpp": "int a;\n"},
    "two of one name": _MADE
    | {
        f"{FOLDER}/a.toml": _ROOM % ("It forgets.", "int a;", "int c;"),
        f"{FOLDER}/b.toml": _ROOM % ("It forgets.", "int a;", "int c;"),
        "src/a.cpp": "int a;\n",
    },
    "a file that is gone": _MADE | {f"{FOLDER}/a.toml": _ROOM % ("It forgets.", "int a;", "int c;")},
    "a program that nobody makes": {
        f"{FOLDER}/a.toml": _ROOM % ("It forgets.", "int a;", "int c;"),
        "src/a.cpp": "int a;\n",
    },
}


def load(tree):
    """Every mutation as a dictionary with `room`, `tests` and `more` filled in, in the order of the files."""
    found = []
    for path in tree.paths:
        if not path.startswith(FOLDER + "/") or not path.endswith(".toml"):
            continue
        room = tomllib.loads(tree.text(path))
        for one in room.get("mutation", []):
            one.setdefault("tests", room.get("tests", []))
            one.setdefault("more", room.get("more", []))
            found.append({"room": pathlib.PurePath(path).stem, "from": path} | one)
    return found


def programs(tree):
    """The names of all programs that a build makes."""
    made = set()
    for path in tree.paths:
        if pathlib.PurePath(path).name == "CMakeLists.txt":
            for how, name in PROGRAMS.findall(tree.text(path)):
                made.add(f"{name}_test" if how == "strandline_room" else name)
    return made


def find(tree):
    names = set()
    made = programs(tree)
    for one in load(tree):
        where = f"{one['from']}: '{one.get('name', '?')}'"
        missing = {"name", "against", "file", "find", "put"} - one.keys()
        strange = one.keys() - KNOWN - {"room", "from"}
        if missing or strange or not one["tests"]:
            yield f"{where}: lacks {', '.join(sorted(missing)) or 'nothing'}; does not know {', '.join(sorted(strange)) or 'nothing'}"
            continue
        for program in (command.split()[0] for command in one["tests"] + one["more"]):
            if program not in made:
                yield f"{where}: asks {program}, which no CMakeLists.txt makes"
        if one["name"] in names:
            yield f"{where}: another one has this name"
        names.add(one["name"])
        if not re.fullmatch(r"(V([1-9]|1\d|20)|P[1-6])( (V([1-9]|1\d|20)|P[1-6]))*", one["against"]):
            yield f"{where}: is against '{one['against']}', which is neither an invariant V1 to V20 nor a property P1 to P6"
        if one["find"] == one["put"]:
            yield f"{where}: changes nothing"
        if one["file"] not in tree.paths:
            yield f"{where}: {one['file']} is gone"
            continue
        count = tree.text(one["file"]).count(one["find"])
        if count != 1:
            yield f"{where}: what it looks for stands {count} times in {one['file']}, not once"
