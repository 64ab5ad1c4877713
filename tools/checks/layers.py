"""Dependencies point one way: rooms.toml says which folder may include which."""

import functools
import pathlib
import re
import tomllib

from tree import includes, is_under

MEND = (
    "An include crosses a border of tools/checks/rooms.toml. Move the code to the room that owns it, or pass the value "
    "in; a change of the table is a change of the architecture and needs a decision record."
)

REFUSED = {
    "base sees the protocol": {"src/base/a.hpp": '#include "protocol/b.hpp"\n', "src/protocol/b.hpp": ""},
    "a core folder sees another": {
        "src/core/fetch/a.cpp": '#include "core/group/b.hpp"\n',
        "src/core/group/b.hpp": "",
    },
    "the kernel sees a core folder": {
        "src/core/kernel/a.hpp": '#include "core/boundary/b.hpp"\n',
        "src/core/boundary/b.hpp": "",
    },
    "a manager sees another": {
        "src/core/group/heartbeat_manager.hpp": '#include "core/group/membership_manager.hpp"\n',
        "src/core/group/membership_manager.hpp": "",
    },
    "a manager sees another beside it": {
        "src/core/group/heartbeat_manager.hpp": '#include "membership_manager.hpp"\n',
        "src/core/group/membership_manager.hpp": "",
    },
    "the client sees more of core than its boundary": {
        "src/client/a.cpp": '#include "core/group/b.hpp"\n',
        "src/core/group/b.hpp": "",
    },
    "the wiring decides about the protocol": {
        "src/core/consumer_core.cpp": '#include "protocol/messages/fetch.hpp"\n',
        "src/protocol/messages/fetch.hpp": "",
    },
    "the wiring reaches into a manager": {
        "src/core/consumer_core.cpp": '#include "core/group/consumer/member_state.hpp"\n',
        "src/core/group/consumer/member_state.hpp": "",
    },
    "what kinds of groups share sees one of them": {
        "src/core/group/a.cpp": '#include "core/group/consumer/b.hpp"\n',
        "src/core/group/consumer/b.hpp": "",
    },
    "the reactor decides about the protocol": {
        "src/reactor/reactor.cpp": '#include "protocol/broker_error.hpp"\n',
        "src/protocol/broker_error.hpp": "",
    },
    "the library sees the test kit": {
        "src/client/a.cpp": "#include <strandline/testkit/b.hpp>\n",
        "testkit/include/strandline/testkit/b.hpp": "",
    },
    "a public header sees the inside": {
        "include/strandline/a.hpp": '#include "base/b.hpp"\n',
        "src/base/b.hpp": "",
    },
    "Asio outside its room": {"src/reactor/a.hpp": "#include <boost/asio/ip/tcp.hpp>\n"},
    "the core owns a thread": {"src/core/kernel/a.hpp": "#include <thread>\n"},
    "the tool sees the inside": {"apps/a.cpp": '#include "src/base/b.hpp"\n', "src/base/b.hpp": ""},
}

ROOTS = ["src", "include", "testkit/include", ""]


@functools.cache
def table():
    with open(pathlib.Path(__file__).with_name("rooms.toml"), "rb") as file:
        return tomllib.load(file)


def folder_of(path):
    """The folder of the table that decides about a file; the longest wins."""
    holding = [folder for folder in table()["may_include"] if is_under(path, folder)]
    return max(holding, key=len, default=None)


def resolve(path, name, known):
    """The file of the repository that an include names, as written or relative to an include path."""
    beside = pathlib.PurePath(path).parent / name
    for candidate in [str(beside)] + [str(pathlib.PurePath(root) / name) for root in ROOTS]:
        if candidate in known:
            return candidate
    return None


def name_from_src(path):
    return path.removeprefix("src/").removeprefix("include/")


def find(tree):
    known = set(tree.paths)
    for path in tree.sources("src", "include", "testkit", "apps", "examples"):
        folder = folder_of(path)
        allowed = table()["may_include"].get(folder, [])
        for line, name in includes(tree.text(path)):
            target = resolve(path, name, known)
            if target is None and re.match(r"(base|protocol|records|core|handoff|access|reactor|client|strandline)/", name):
                yield f"{path}:{line}: includes {name}, which is not in the repository"
                continue
            if target is not None:
                other = folder_of(target)
                if folder is not None and other != folder and other not in allowed:
                    yield f"{path}:{line}: {folder} may not include {other or target} ({name})"
            if path.endswith("_test.cpp"):
                continue
            own_name = pathlib.PurePath(path).stem
            for rule in table()["forbidden"]:
                if target is not None and rule.get("third_party"):
                    continue
                pattern = rule["include"].replace("SELF", re.escape(own_name) + r"\b")
                if re.search(rule["files"], path) and re.search(pattern, name_from_src(target) if target else name):
                    yield f"{path}:{line}: may not include {name}: {rule['why']}"
