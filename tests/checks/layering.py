#!/usr/bin/env python3
"""The include rule of the house, over every include of every source file.

    layering.py ROOT

Each room below lists the rooms that it may include; a source file outside all rooms, an include that no list allows and
files that include each other in a circle are errors. So is knowledge outside its place: the bytes of a row, the frame
of a block, Cap'n Proto, caught exceptions. So is a comment that begins with "of". Prints the graph of rooms, or what is
wrong. Exit status 1 when anything is.
"""
import collections
import os
import re
import sys

# Room: the rooms that it may include, lowest first. A room's public headers (include/) count as the room itself.
CORE = "libtrace-read/core/src/"
# What rooms of the command have that read traces.
READING = ["format-spec/include", "libtrace-read/core/include", "libtrace-read/analyze/include", "libtrace-read/text",
           "libtrace-read/export/include", "libtrace-read/report/include", "libtrace-read/report/shared"]
ROOMS = {
    "format-spec/include": [],
    "format-spec/src/base": ["format-spec/include"],
    "format-spec/src/row": ["format-spec/include", "format-spec/src/base"],
    "format-spec/src/block": ["format-spec/include", "format-spec/src/base", "format-spec/src/row"],
    "format-spec/src/session": ["format-spec/include", "format-spec/src/base", "format-spec/src/row", "format-spec/src/block"],
    "format-spec/src/ring": ["format-spec/include", "format-spec/src/base", "format-spec/src/row", "format-spec/src/block",
                             "format-spec/src/session"],
    "format-spec/src/columns": ["format-spec/include", "format-spec/src/base", "format-spec/src/row"],
    "libtrace-write/include": ["format-spec/include"],
    "libtrace-write/src": ["libtrace-write/include", "format-spec"],
    "libtrace-write/compact": ["libtrace-write/include", "libtrace-write/src", "format-spec"],
    "libtrace-read/core/include": ["format-spec/include"],
    CORE + "base": ["format-spec", "libtrace-read/core/include"],
    CORE + "source": ["format-spec", "libtrace-read/core/include", CORE + "base"],
    CORE + "block": ["format-spec", "libtrace-read/core/include", CORE + "base", CORE + "source"],
    CORE + "event": ["format-spec", "libtrace-read/core/include", CORE + "base"],
    CORE + "session": ["format-spec", "libtrace-read/core/include", CORE + "base", CORE + "block", CORE + "event",
                       CORE + "index"],
    CORE + "index": ["format-spec", "libtrace-read/core/include", CORE + "base", CORE + "block"],
    CORE + "order": ["format-spec", "libtrace-read/core/include", CORE + "base", CORE + "block", CORE + "event",
                     CORE + "session"],
    CORE + "trace": ["format-spec", "libtrace-read/core"],
    CORE + "follow": ["format-spec", "libtrace-read/core"],
    "libtrace-read/edit": ["format-spec", "libtrace-read/core", "libtrace-read/analyze/include"],
    "libtrace-read/import": ["format-spec", "libtrace-read/core", "libtrace-read/edit"],
    "libtrace-read/analyze": ["format-spec", "libtrace-read/core"],
    "libtrace-read/text": ["format-spec", "libtrace-read/core"],
    "libtrace-read/export": ["format-spec", "libtrace-read/core", "libtrace-read/analyze/include", "libtrace-read/text"],
    "libtrace-read/report": ["format-spec", "libtrace-read/core/include", "libtrace-read/analyze/include",
                             "libtrace-read/text", "libtrace-read/export"],
    "libtrace-read/c": ["format-spec/include", "libtrace-read/core/include", "libtrace-read/text", "libtrace-read/export",
                        "libtrace-read/report/include", "libtrace-read/report/shared"],
    "libtrace-view/rows": ["format-spec/include", "libtrace-read/core/include", "libtrace-read/analyze/include"],
    "libtrace-view/flows": ["libtrace-view/rows", "libtrace-read/core/include", "libtrace-read/analyze/include"],
    "libtrace-view/look": ["libtrace-view/rows", "libtrace-read/text"],
    "libtrace-view/picture": ["libtrace-view/rows", "libtrace-view/look", "format-spec/include"],
    "libtrace-view/terminal": ["libtrace-view/rows", "libtrace-view/look"],
    "libtrace-view/tiles": ["libtrace-view/rows", "libtrace-view/flows", "libtrace-read/core/include",
                            "libtrace-read/analyze/include"],
    "libtrace-record/recorded": ["format-spec/include", "libtrace-write/include"],
    "libtrace-record/hooks": ["format-spec/include", "libtrace-write/include", "libtrace-record/recorded"],
    "libtrace-record/preload": ["format-spec/include", "libtrace-write/include", "libtrace-record/recorded",
                                "libtrace-record/hooks"],
    "libtrace-record/perf": [],
    "libtrace-record/stacks": ["format-spec/include", "libtrace-write/include", "libtrace-record/perf", "libtrace-record/sched",
                               "libtrace-record/recorded"],
    "libtrace-record/live": ["format-spec/include", "libtrace-record/stacks"],
    "libtrace-record/sched": ["format-spec/include", "libtrace-write/include", "libtrace-record/perf"],
    # It has the writer's clock of stops.
    "libtrace-record/stops": ["format-spec/include", "libtrace-write/include", "libtrace-write/src", "libtrace-record/sched"],
    "libtrace-record/collect": ["format-spec/include", "libtrace-write/include", "libtrace-read/core/include",
                                "libtrace-read/edit/include", "libtrace-record/sched", "libtrace-record/stops", "libtrace-record/stacks",
                                "libtrace-record/preload", "libtrace-record/hooks", "libtrace-record/recorded"],
    "tools/http": ["format-spec/include"],
    "tools/base": READING,
    "tools/where": ["tools/base", *READING],
    "tools/lines": ["tools/base", *READING],
    "tools/text_form": ["format-spec/include", "libtrace-write/include", *READING],
    "tools/input": ["tools/base", "tools/where", "libtrace-record/collect", *READING],
    "tools/collect": ["tools/base", "format-spec", *READING],
    "tools/sql": ["tools/base", *READING],
    "tools/stats": ["tools/base", "libtrace-view/terminal", *READING],
    "tools/assertions": ["tools/base", "tools/where", "libtrace-view/look", *READING],
    "tools/why": ["tools/base", *READING],
    "tools/run": ["tools/base", "libtrace-record/collect", "libtrace-record/sched", *READING],
    "tools/view": ["tools/base", "tools/where", "tools/input", "tools/http", "tools/why", "libtrace-view", "libtrace-write/include",
                   "libtrace-read/edit/include", *READING],
    "tools/cmd": ["tools/base", "tools/where", "tools/lines", "tools/text_form", "tools/input", "tools/sql", "tools/stats", "tools/assertions",
                  "tools/run", "libtrace-record/live", "tools/view", "tools/why", "tools/collect", "libtrace-view", "libtrace-record/collect", "libtrace-write/include",
                  "libtrace-read/edit/include", *READING],
    # The command line knows the commands, and no command knows it.
    "tools/cli": ["tools/base", "tools/where", "tools/lines", "tools/input", "tools/stats", "tools/why", "tools/cmd", "libtrace-view",
                  "libtrace-write/include", *READING],
    "examples": ["format-spec/include", "libtrace-write/include", "libtrace-read/core/include",
                 "libtrace-read/edit/include", "libtrace-read/analyze/include", "libtrace-read/text/include",
                 "libtrace-read/export/include", "libtrace-read/report/include", "libtrace-read/c/include"],
}
# Where an include is looked up, beside the file's own folder and the project's root.
INCLUDE_FOLDERS = ["format-spec/include", "libtrace-write/include", "libtrace-read/core/include",
                   "libtrace-read/edit/include", "libtrace-read/analyze/include", "libtrace-read/text/include",
                   "libtrace-read/export/include", "libtrace-read/report/include", "libtrace-read/c/include"]

# What only these files may contain: (expression, folders, files that may, what the rule is).
PLACES = [
    # The writer's emit finishes rows where they are; the reader's StreamRows looks at rows whose end was not read yet. Tests
    # compare both with RowReader and RowWriter.
    (r"RowHeader|row_header\.h", ("format-spec", "libtrace-write", "libtrace-read", "tools"),
     r"format-spec/src/row/|libtrace-write/src/row_in_progress\.cc$|libtrace-read/core/src/order/stream_rows\.cc$",
     "a row's header is known in format-spec/src/row and in two more places"),
    # The size of a row is at bit 48 of its front; Cap'n Proto's pointers have their own such places.
    (r"(<<|>>)=? *48", ("format-spec", "libtrace-write", "libtrace-read"),
     r"format-spec/src/(row/|columns/type_items\.cc$|base/capnp_message\.cc$)|libtrace-write/include/evt/emit\.h$",
     "bytes of a row's header belong to format-spec/src/row"),
    (r"(seal_header|store_block_header|append_trailer)\(", ("format-spec", "libtrace-write", "libtrace-read", "tools"),
     r"format-spec/src/(block/block_(header|framer)\.|session/(metadata_records|session_encoder)\.)",
     "blocks are framed in format-spec/src/block and session"),
    (r"^ *# *include *<CLI/", ("tools",), r"tools/cli/", "CLI11 is known in tools/cli"),
    (r"\bduckdb::", ("tools",), r"tools/(sql/|cmd/sql\.)", "DuckDB is known in tools/sql"),
    (r"^ *# *include *<microhttpd", ("tools",), r"tools/http/http_server\.cc$", "libmicrohttpd is known in http_server.cc"),
    (r"^ *# *include *<rapidjson/", ("libtrace-read", "tools"), r"libtrace-read/import/src/(chrome/chrome_event|ctf/ctf2_parser)\.cc$",
     "RapidJSON is known in chrome_event.cc and ctf2_parser.cc"),
    (r"^ *# *include *<lzma\.h", ("libtrace-read", "tools"), r"libtrace-read/core/src/source/xz_codec\.cc$",
     "liblzma is known in xz_codec.cc"),
    (r'^ *# *include *"(tools/)?http/', ("tools",), r"tools/view/(browser_view|view_routes)\.",
     "the server is known to the view in the browser alone"),
    (r'^ *# *include *[<"](capnp|kj)/', ("format-spec", "libtrace-write", "libtrace-read", "tools"),
     r"libtrace-read/core/src/base/messages\.cc$",
     "Cap'n Proto is known in messages.cc"),
    # Where Cap'n Proto throws, and where an exception in a thread would end the program.
    (r"(class|struct) (Ring|Inline)Backend|(ring|inline)_backend\.h", ("libtrace-write",),
     r"libtrace-write/src/((ring|inline)_backend\.|evt_writer\.h$)",
     "the ways of writing are chosen by evt_writer.h and known through backend.h alone"),
    (r'"flusher\.h"', ("libtrace-write",), r"libtrace-write/src/(flusher|ring_backend)\.",
     "the flusher belongs to the ring's way of writing"),
    # Values that are copied, as numbers are, are what they hold; Timeline has what each call of next() looks at.
    (r"^ +(?! |(Hidden|Opaque)<\w+> \w+;).*\w_( = [^;]*)?;", ("libtrace-read/analyze/include",),
     r"libtrace-read/analyze/include/evt/(analysis/(histogram|actor_list|role_set|span_doubts)|open_stack|timeline)\.h$",
     "what an analysis holds is behind a pointer, in its src"),
    (r"catch \(", ("format-spec", "libtrace-write", "libtrace-read"),
     r"libtrace-read/(core/src/(base/messages|block/decode_ahead)\.cc|c/src/guarded\.h)$",
     "exceptions are caught in messages.cc, decode_ahead.cc and guarded.h"),
    (r"^ *(//|/\*) Of |\S *(//|/\*) of ", ("format-spec", "libtrace-write", "libtrace-record", "libtrace-read"), r"(?!)",
     "a comment says what a thing is or does, not whose it is"),
]


def sources(root):
    names = [os.path.relpath(os.path.join(folder, name), root)
             for top in ("format-spec", "libtrace-write", "libtrace-read", "libtrace-record", "libtrace-view", "tools", "examples")
             for folder, _, names in os.walk(os.path.join(root, top))
             for name in names if name.endswith((".h", ".cc", ".c"))]
    return {name: open(os.path.join(root, name), encoding="utf-8").read() for name in sorted(names)}


def room_of(name):
    return max((room for room in ROOMS if name.startswith(room + "/")), key=len, default=None)


def includes_of(name, files):
    """(line number, file of the project) for each include of one."""
    folders = [os.path.dirname(name), "", *INCLUDE_FOLDERS] + (["tools"] if name.startswith("tools/") else [])
    for number, line in enumerate(files[name].splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*[<"]([^">]+)[">]', line)
        if not match:
            continue
        for folder in folders:
            path = os.path.normpath(os.path.join(folder, match.group(1)))
            if path in files:
                yield number, path
                break


def class_of(name):
    """A private header and the source of its name are one class; a public header is an entrance of its own."""
    return name if "/include/" in name else os.path.splitext(name)[0]


def circles(edges):
    """The strongly connected components of more than one class (Tarjan 1972)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in edges[node]:
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            component = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(component) > 1:
                found.append(sorted(component))

    sys.setrecursionlimit(10000)
    for node in list(edges):
        if node not in index:
            visit(node)
    return found


def main(root):
    files = sources(root)
    rooms_below = {room: {room_of(folder + "/") for folder in below} - {room, None} for room, below in ROOMS.items()}
    wrong = [f"rooms may include each other in a circle: {', '.join(circle)}" for circle in circles(rooms_below)]
    rooms = collections.Counter()
    classes = collections.defaultdict(set)
    for name in files:
        room = room_of(name)
        if room is None:
            wrong.append(f"{name} is in no room")
            continue
        is_writers = name.startswith("libtrace-write/src/") and name.endswith(".cc")
        if is_writers and not os.path.basename(name).startswith("evt_") and name[:-2] + "h" not in files:
            wrong.append(f"{name} has no header of its name, and no name of the C interface's files")
        for number, other in includes_of(name, files):
            other_room = room_of(other)
            if "/include/" in name and "/include/" not in other:
                wrong.append(f"{name}:{number}: a public header includes {other}, which is not installed")
            if class_of(other) != class_of(name):
                classes[class_of(name)].add(class_of(other))
            if other_room is None or other_room == room:
                continue
            rooms[room, other_room] += 1
            if not any(other.startswith(allowed + "/") for allowed in ROOMS[room]):
                wrong.append(f"{name}:{number}: {room} may not include {other}")
    for circle in circles(classes):
        wrong.append("these include each other: " + ", ".join(circle))
    for expression, folders, may, rule in PLACES:
        for name, text in files.items():
            if not name.startswith(tuple(folder + "/" for folder in folders)) or re.match(may, name):
                continue
            for number, line in enumerate(text.splitlines(), 1):
                if re.search(expression, line):
                    wrong.append(f"{name}:{number}: {rule}: {line.strip()}")
    for (room, other), count in sorted(rooms.items()):
        print(f"{room} -> {other} {count}")
    for sentence in wrong:
        print(f"layering: {sentence}")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
