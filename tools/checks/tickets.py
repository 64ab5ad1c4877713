#!/usr/bin/env python3
"""Public failures of other consumers, and the tests that show they are not ours: tools/checks/tickets.toml lists the
failures, a comment directly above a test names those it shows, docs/reliability.md has the table.

  // tickets: KAFKA-20253 (A1) B12 M4; invariants: V1 V2
  TEST(closing, a_leave_is_sent_beside_a_heartbeat_in_flight) {

(A1) is an entry of the catalogue, whose ticket may stand before it; M4 one of the museum; B12 one of the cases. The
invariants, V1 to V20, may be left out: those of the entry count as well.

  tools/checks/tickets.py --write      makes the table anew
  tools/checks/tickets.py --missing    prints what has no test and waits for nothing
"""

import pathlib
import re
import sys
import tomllib

from tree import Tree

MEND = "Run tools/checks/tickets.py --write, which makes the table of docs/reliability.md anew, after mending what it names."

LIST = "tools/checks/tickets.toml"
PAGE = "docs/reliability.md"
BEGIN = "<!-- tickets: made by tools/checks/tickets.py --write -->"
END = "<!-- end of tickets -->"
TITLES = {
    "catalogue": "By mechanism",
    "museum": "Regressions of other clients",
    "cases": "Reports about other clients, as cases",
}

_COMMENT = re.compile(r"^//\s*tickets:\s*(.*)$")
_TEST = re.compile(r"^(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)")
# What may stand in a comment: the tracker's own name of a ticket is for the reader.
_TRACKER = re.compile(r"^(KAFKA|KIP)-\d+$|^\w[\w./-]*#\d+$")


def number(identity):
    """Sorts A2 before A10 and B07 before B102."""
    return identity[0], int(identity[1:])


def load(tree):
    text = tree.text(LIST) if LIST in tree.paths else "[catalogue]\n[museum]\n[cases]\n"
    return tomllib.loads(text)


def entry_of(word, entries):
    """(kind, id) of a word in a comment, None if it is only for the reader; LookupError if nobody knows it."""
    if re.fullmatch(r"\([A-F]\d+\)", word):
        kind, identity = "catalogue", word[1:-1]
    elif re.fullmatch(r"M\d+", word):
        kind, identity = "museum", word
    elif re.fullmatch(r"B\d{2,}", word):
        kind, identity = "cases", word
    elif _TRACKER.match(word):
        return None
    else:
        raise LookupError(f"'{word}' is neither (A1), M1, B01 nor a ticket such as KAFKA-1")
    if identity not in entries[kind]:
        raise LookupError(f"{identity} does not stand in {LIST} under [{kind}]")
    return kind, identity


def shown_by_tests(tree, entries, findings):
    """{(kind, id): [(path, suite, name, invariants)]}; what is wrong goes to findings."""
    shown = {}
    for path in tree.sources("src", "testkit", "apps", "tests", "examples"):
        text = tree.text(path)
        if "tickets:" not in text:
            continue
        lines = text.split("\n")
        for index, line in enumerate(lines):
            comment = _COMMENT.match(line)
            if not comment:
                continue
            after = index + 1
            while after < len(lines) and lines[after].startswith("//"):
                after += 1
            # A long name stands on the next line.
            head = " ".join(part.strip() for part in lines[after : after + 3])
            test = _TEST.match(re.sub(r"\(\s+", "(", head))
            if not test:
                findings.append(f"{path}:{index + 1}: no test follows; the comment stands directly above one")
                continue
            words, _, rest = comment.group(1).partition(";")
            invariants = []
            if rest.strip():
                named = re.fullmatch(r"\s*invariants?:\s*(.*)", rest)
                invariants = re.split(r"[\s,]+", named.group(1).strip(" .")) if named else []
                wrong = [name for name in invariants if not re.fullmatch(r"V([1-9]|1\d|20)", name)]
                if wrong or not named:
                    findings.append(f"{path}:{index + 1}: after ';' stands 'invariants: V1 V2', of V1 to V20")
                    continue
            for word in re.split(r"[\s,]+", words.strip(" .")):
                try:
                    found = entry_of(word, entries)
                except LookupError as error:
                    findings.append(f"{path}:{index + 1}: {error}")
                    continue
                if found:
                    shown.setdefault(found, []).append((path, test.group(1), test.group(2), invariants))
    return shown


def is_open(kind, identity, entry, shown):
    return not entry.get("waits") and (kind, identity) not in shown


def table(entries, shown):
    listed = [(kind, identity, entry) for kind in TITLES for identity, entry in entries[kind].items()]
    waiting = sum(1 for kind, identity, entry in listed if entry.get("waits") and (kind, identity) not in shown)
    open_now = sum(1 for kind, identity, entry in listed if is_open(kind, identity, entry, shown))
    lines = [
        f"{len(listed)} entries: {len(listed) - waiting - open_now} are shown by tests, {waiting} wait for a feature that "
        f"does not exist yet, {open_now} have no test yet.",
    ]
    for kind, title in TITLES.items():
        lines += ["", f"### {title}", "", "| | whose | what people saw | invariants | shown by |", "|---|---|---|---|---|"]
        for identity in sorted(entries[kind], key=number):
            entry = entries[kind][identity]
            tests = sorted(set((path, suite, name) for path, suite, name, _ in shown.get((kind, identity), [])))
            invariants = set(entry.get("invariants", "").split())
            for _, _, _, more in shown.get((kind, identity), []):
                invariants.update(more)
            if tests:
                cell = "<br>".join(f"[{suite}: {name.replace('_', ' ')}](../{path})" for path, suite, name in tests)
            elif entry.get("waits"):
                cell = f"waits for {entry['waits']}"
            else:
                cell = "no test yet"
            named = " ".join(sorted(invariants, key=number))
            lines.append(f"| {identity} | {entry['ticket']} | {entry['what']} | {named} | {cell} |")
    return "\n".join(lines)


def find(tree):
    entries = load(tree)
    findings = []
    shown = shown_by_tests(tree, entries, findings)
    yield from findings
    text = tree.text(PAGE) if PAGE in tree.paths else ""
    if BEGIN not in text or END not in text:
        yield f"{PAGE}:1: has no table of tickets between '{BEGIN}' and '{END}'"
        return
    begin = text.index(BEGIN)
    present = text[begin + len(BEGIN) : text.index(END)].strip()
    if present != table(entries, shown).strip():
        yield f"{PAGE}:{text.count(chr(10), 0, begin) + 1}: the table of tickets is not what the tests' comments say"


_ONE = '[catalogue]\nA1 = {ticket = "KAFKA-1", what = "spins"}\n[museum]\n[cases]\n'
_PAGE_OF_ONE = f"{BEGIN}\n{table(tomllib.loads(_ONE), {})}\n{END}\n"
REFUSED = {
    "a ticket nobody knows": {LIST: _ONE, PAGE: _PAGE_OF_ONE, "src/a_test.cpp": "// tickets: (A2)\nTEST(a, b) {\n"},
    "a comment that stands above no test": {LIST: _ONE, PAGE: _PAGE_OF_ONE, "src/a_test.cpp": "// tickets: (A1)\nint a;\n"},
    "an invariant that is none": {
        LIST: _ONE,
        PAGE: _PAGE_OF_ONE,
        "src/a_test.cpp": "// tickets: (A1); invariants: V21\nTEST(a, b) {\n",
    },
    "a table that is not up to date": {LIST: _ONE, PAGE: _PAGE_OF_ONE, "src/a_test.cpp": "// tickets: (A1)\nTEST(a, b) {\n"},
    "no table": {LIST: _ONE},
}


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    tree = Tree(root)
    entries = load(tree)
    findings = []
    shown = shown_by_tests(tree, entries, findings)
    if findings:
        sys.exit("\n".join(findings))
    if sys.argv[1:] == ["--missing"]:
        for kind in TITLES:
            for identity, entry in entries[kind].items():
                if is_open(kind, identity, entry, shown):
                    print(f"{identity:5} {entry['ticket']}: {entry['what']}")
    elif sys.argv[1:] == ["--write"]:
        page = root / PAGE
        text = page.read_text(encoding="utf-8")
        begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
        page.write_text(text[:begin] + "\n" + table(entries, shown) + "\n" + text[end:], encoding="utf-8")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
