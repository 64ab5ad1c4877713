"""The same inputs give the same run, with any compiler and any library: no random draw whose order is open, no walk over a
container whose order is open."""

import pathlib
import re

from tree import code_only

MEND = (
    "Name each draw in a statement of its own: the order of two draws within one full expression differs from compiler "
    "to compiler. Walk a std::map or a sorted vector: the order of an unordered container depends on the library, that of "
    "a pointer-keyed one on the allocator, and the core's outputs must depend on neither. Looking up is fine."
)

DRAWN_IN = ("src/core", "src/client", "src/handoff", "src/reactor", "testkit/simulator", "testkit/fake_cluster")
WALKED_IN = ("src/core",)

DRAW = re.compile(
    r"(?:\brandom\w*(?:\(\))?|\bchoice\w*(?:\(\))?|\bschedule_|\bweather_)\s*(?:\.|->)\s*(?:next|below|jitter|between|chance|one_of)\s*\("
    r"|\bdrawing_\s*\.\s*\w+\s*\("
    r"|\buuid\s*::\s*random\s*\("
)
UNORDERED = re.compile(r"\bunordered_(?:multi)?(?:map|set)\s*<")
POINTER_KEYED = re.compile(r"\b(?:multi)?(?:map|set)\s*<\s*(?:const\s+)?[\w:]+(?:\s+const)?\s*\*")

REFUSED = {
    "two draws in one expression": {"src/core/a.cpp": "auto made = pair(random.next(), random.next());\n"},
    "a draw on each side of a condition": {"testkit/simulator/a.cpp": "if (choice_.chance(5) || choice_.chance(6)) go();\n"},
    "draws behind functions": {
        "testkit/simulator/a.cpp": "int minutes(int most) { return choice_.between(0, most); }\n"
        "void f() { add(choice_.chance(5) ? 1 : 2, minutes(3)); }\n"
    },
    "draws behind functions of functions": {
        "testkit/simulator/a.cpp": "int minutes(int most) { return choice_.between(0, most); }\n"
        "int hours(int most) { return 60 * minutes(most); }\nvoid f() { add(hours(1), minutes(3)); }\n"
    },
    "a walk over an unordered member": {
        "src/core/a.hpp": "std::unordered_map<int, std::string> names_;\n",
        "src/core/a.cpp": '#include "core/a.hpp"\nvoid f() { for (const auto& [id, name] : names_) use(id); }\n',
    },
    "a walk by iterator": {
        "src/core/a.cpp": "std::unordered_set<int> seen;\nvoid f() { use(*seen.begin()); }\n",
    },
    "a walk by algorithm": {
        "src/core/a.cpp": "std::unordered_set<int> seen;\nvoid f() { std::erase_if(seen, odd); }\n",
    },
    "a walk over a view's unordered member": {
        "src/core/b.hpp": "struct view { std::unordered_map<int, int> topics; };\n",
        "src/core/a.cpp": '#include "core/b.hpp"\nvoid f(const view& v) { for (const auto& [a, b] : v.topics) use(a); }\n',
    },
    "a walk over pointers": {
        "src/core/a.cpp": "std::set<const manager*> touched;\nvoid f() { for (auto* one : touched) one->go(); }\n",
    },
    "a walk over an alias": {
        "src/core/a.cpp": "using entries = std::unordered_map<int, int>;\nentries known;\nvoid f() { for (auto& [a, b] : known) use(a); }\n",
    },
}


def line_of(text, position):
    return text.count("\n", 0, position) + 1


HEAD = re.compile(r"\s*(?:else\s+)?(?:if|while|switch|for)\s*(?:constexpr\s*)?\(")


def expressions(code, start, end):
    """(first, last) of full expressions in a statement: the head of an if or a loop is one, what follows it another."""
    head = HEAD.match(code, start, end)
    if head:
        depth, position = 1, head.end()
        while position < end and depth > 0:
            depth += {"(": 1, ")": -1}.get(code[position], 0)
            position += 1
        yield start, position
        yield from expressions(code, position, end)
    else:
        yield start, end


FUNCTION = re.compile(r"\b(?!(?:if|for|while|switch|catch)\b)(\w+)\s*\([^;{}]*\)\s*(?:const\s*|noexcept\s*|override\s*|final\s*)*\{")


def behind(code, position, pair="()"):
    """Behind what closes the bracket that ends at `position`."""
    depth = 1
    while position < len(code) and depth > 0:
        depth += {pair[0]: 1, pair[1]: -1}.get(code[position], 0)
        position += 1
    return position


def drawing_functions(code):
    """Functions of this file that draw, or call one that does; by name. What they draw is in the order of their bodies."""
    bodies = [(one.group(1), code[one.end() : behind(code, one.end(), "{}")]) for one in FUNCTION.finditer(code)]
    known = set()
    while True:
        calls = re.compile(rf"\b(?:{'|'.join(sorted(known))})\s*\(") if known else None
        found = {name for name, body in bodies if DRAW.search(body) or (calls and calls.search(body))}
        if found <= known:
            return known
        known |= found


def draws(code):
    """Full expressions with two draws of which neither is an argument of the other; bodies in braces are statements of
    their own."""
    functions = drawing_functions(code)
    calls = re.compile("|".join([DRAW.pattern, *(rf"(?<![\w.:>])\b{name}\s*\(" for name in sorted(functions))]))
    start = 0
    for match in re.finditer(r"[;{}]", code):
        for first, last in expressions(code, start, match.start()):
            # Arguments are drawn before the function draws.
            drawn_until = None
            for found in calls.finditer(code, first, last):
                if drawn_until is not None and found.start() >= drawn_until:
                    yield found.start()
                    break
                drawn_until = drawn_until or behind(code, found.end())
        start = match.end()


def closing(code, position):
    """Behind the angle bracket that closes the one before `position`."""
    depth = 1
    while position < len(code) and depth > 0:
        depth += {"<": 1, ">": -1}.get(code[position], 0)
        position += 1
    return position


def open_order_names(code):
    """Names of variables and members, and of aliases, whose type walks in an open order."""
    names, aliases = set(), set()
    for pattern in (UNORDERED, POINTER_KEYED):
        for match in pattern.finditer(code):
            alias = re.search(r"\busing\s+(\w+)\s*=\s*(?:std::)?$", code[: match.start()])
            if alias:
                aliases.add(alias.group(1))
                continue
            end = closing(code, code.index("<", match.start()) + 1)
            name = re.match(r"\s*[&*]?\s*(\w+)\s*[;={(,)]", code[end:])
            if name:
                names.add(name.group(1))
    for alias in aliases:
        names.update(re.findall(rf"\b{alias}\s*&?\s+(\w+)\s*[;={{(,)]", code))
    return names


def walks(code, names):
    for name in sorted(names):
        word = rf"\b{name}\b"
        for pattern in (
            rf"\bfor\s*\([^;()]*(?:\([^()]*\))?[^;()]*:\s*(?:[\w.\->()*]*(?:\.|->))?{word}\s*\)",
            rf"{word}\s*(?:\.|->)\s*c?begin\s*\(",
            rf"\b(?:erase_if|for_each|any_of|all_of|none_of|find_if|count_if|transform|copy)\s*\(\s*(?:[\w.\->]*(?:\.|->))?{word}\s*,",
        ):
            for match in re.finditer(pattern, code):
                yield match.start(), name


def find(tree):
    for path in tree.sources(*DRAWN_IN):
        if path.endswith("_test.cpp"):
            continue
        code = code_only(tree.text(path))
        for position in draws(code):
            yield f"{path}:{line_of(code, position)}: a second random draw in one full expression"
    for path in tree.sources(*WALKED_IN):
        code = code_only(tree.text(path))
        seen = [path] + [
            f"src/{name}" for name in re.findall(r'#\s*include\s*"([^"]+)"', tree.text(path)) if f"src/{name}" in tree.paths
        ]
        beside = str(pathlib.PurePath(path).with_suffix(".hpp"))
        if beside in tree.paths:
            seen.append(beside)
        names = set()
        for one in seen:
            names |= open_order_names(code_only(tree.text(one)))
        for position, name in walks(code, names):
            yield f"{path}:{line_of(code, position)}: walks over {name}, whose order is open"
