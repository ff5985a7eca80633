#!/usr/bin/env python3
"""What readers find in the traces of testdata/: expect.py TESTDATA [EVT]

Prints a line of JSON for each trace, as v1.jsonl, future.jsonl and damaged.jsonl beside this file have it (README.md):
what EVT, or the `evt` of the path, reads by the headers of blocks, without an index. A test compares the files with it.
    expect.py testdata/v1 > format-spec/conformance/v1.jsonl"""
import hashlib
import json
import pathlib
import subprocess
import sys

# What a session states of itself and of what is not there. Sentences are evt's own, so they are left out.
OF_SESSION = ("uuid", "declared", "end", "rows", "lost", "missing", "not_decodable", "not_understood")
OF_EVENT = ("ns", "stream_id", "event", "fields", "rest")
MOST = 256  # characters of a text: of a longer one its sum is expected


def lines(command):
    output = subprocess.run(command, capture_output=True, check=False, text=True).stdout
    return [json.loads(line, object_pairs_hook=first_of_each) for line in output.splitlines()]


def first_of_each(members):
    found = {}
    for name, value in members:
        found.setdefault(name, value)
    return found


def chosen(found, names):
    return {name: short(found[name]) for name in names if name in found}


def short(value):
    if isinstance(value, dict):
        return {name: short(each) for name, each in value.items()}
    if isinstance(value, list):
        return [short(each) for each in value]
    is_long = isinstance(value, str) and len(value) > MOST
    return {"sha256": hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()} if is_long else value


def expected(evt, trace):
    unread = subprocess.run([evt, "check", "--no-rings", trace], capture_output=True, check=False, text=True).stderr
    found = next(iter(lines([evt, "check", "--no-rings", "--json", trace])),
                 {"status": "newer" if any(word in unread for word in ("newer", "later", "draft")) else "none"})
    events = lines([evt, "convert", "--no-rings", "--format", "json", "-o", "-", trace])
    return {"file": trace.name, "status": found["status"],
            "sessions": [chosen(session, OF_SESSION) for session in found.get("sessions", [])],
            "events": [chosen(event, OF_EVENT) for event in events],
            "damage": [[damage["offset"], damage["length"]] for damage in found.get("damage", [])],
            "missing": [[each["session"], each.get("stream"), each["rows"]] for each in found.get("missing", [])]}


def main(folder, evt="evt"):
    for trace in sorted(pathlib.Path(folder).glob("*.evt")):
        print(json.dumps(expected(evt, trace), separators=(",", ":")))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(print(__doc__, file=sys.stderr) or 2)
    main(*sys.argv[1:])
