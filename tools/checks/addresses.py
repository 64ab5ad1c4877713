"""Nothing in the repository knows the machine it was written on, nor where a registry lives."""

import re

MEND = (
    "Take paths from the environment, the build system or a temporary folder; name packages by their package manager's "
    "name and leave hosts to its configuration."
)

MACHINE_PATH = re.compile(r"(?<![\w$}.~-])/(work|home|root|mnt|tmp)/\w")
HOST = re.compile(r"https?://([A-Za-z0-9.-]+)")
OWN_HOSTS = re.compile(r"^(localhost|127\.0\.0\.1|([a-z0-9-]+\.)*(example|test|invalid)(\.(com|org|net))?)\.?$")
NAMESPACES = re.compile(r'(xmlns(:\w+)?|xsi:schemaLocation)="[^"]*"')
# The licence is quoted whole; this file holds the samples.
UNTOUCHED = ("LICENSE", "tools/checks/addresses.py")

REFUSED = {
    "a path of a machine": {"tools/a": "cd /home/somebody/strandline\n"},
    "a host of a registry": {"tools/b.py": 'BASE = "https://repo.somewhere.io/maven2"\n'},
}


def find(tree):
    for path in tree.paths:
        if path in UNTOUCHED:
            continue
        for number, line in enumerate(tree.text(path).split("\n"), 1):
            if MACHINE_PATH.search(line):
                yield f"{path}:{number}: names a path of one machine: {MACHINE_PATH.search(line).group(0)}..."
            if path.endswith(".md"):
                continue
            for match in HOST.finditer(NAMESPACES.sub("", line)):
                if not OWN_HOSTS.match(match.group(1)):
                    yield f"{path}:{number}: names the host {match.group(1)}"
