"""Words that have no place in a room: what would make the core impure, or the kernel know what it schedules."""

import re

from tree import code_only

MEND = (
    "core/, records/ and protocol/ are values in, values out: take base::instant and base::random_source& as arguments, "
    "and leave threads, locks, sockets and output to reactor/, handoff/ and asio/. The kernel is the same for every kind "
    "of consumer: what it must not name belongs to a manager."
)

PURE_ROOMS = ("src/core", "src/records", "src/protocol")
IMPURE = re.compile(
    r"(?P<clock>\b\w*clock\w*\s*(::|\.|->)\s*now\b|\bgettimeofday\b|\bclock_gettime\b)"
    r"|\b(?P<word>random_device|mt19937\w*|mutex|this_thread|jthread|thread|sleep\w*|asio|iostream|cout|cerr|rand|srand)\b"
)
KERNEL_WORDS = {"group", "share", "fetch", "offset", "topic"}

REFUSED = {
    "the core asks the time": {"src/core/group/a.cpp": "auto t = std::chrono::steady_clock::now();\n"},
    "the core rolls dice": {"src/core/group/a.cpp": "std::random_device device;\n"},
    "records take a lock": {"src/records/a.hpp": "std::mutex guard;\n"},
    "the protocol waits": {"src/protocol/a.cpp": "std::this_thread::sleep_for(1s);\n"},
    "the core knows Asio": {"src/core/a.hpp": "namespace asio = boost::asio;\n"},
    "the core prints": {"src/core/a.cpp": "#include <iostream>\n"},
    "the kernel knows groups": {"src/core/kernel/a.hpp": "struct group_plan {};\n"},
    "the kernel knows topics, in a comment": {"src/core/kernel/a.hpp": "// One for each of the topics.\n"},
}


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def find(tree):
    for path in tree.sources(*PURE_ROOMS):
        code = code_only(tree.text(path))
        for match in IMPURE.finditer(code):
            yield f"{path}:{line_of(code, match.start())}: '{match.group(0)}' in a room that does no I/O"
    for path in tree.sources("src/core/kernel"):
        text = tree.text(path)
        for match in re.finditer(r"[A-Za-z]+", text):
            word = match.group(0).lower()
            if word in KERNEL_WORDS or word.removesuffix("s") in KERNEL_WORDS:
                yield f"{path}:{line_of(text, match.start())}: the kernel says '{match.group(0)}'"
