"""A folder of GHC eventlogs beside the table that says how many events each has.

    corpus.py BIN FOLDER

The table is in a file *.md of the folder, with columns `file` and `events`; the logs are somewhere below it, as they are
or compressed by zstd. A count that is not a number, such as `-`, says that the log cannot be read. Each log is counted,
converted, and what came of it counted again.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def counts_in(document):
    """The number of events by file name; None: it cannot be read."""
    counts, columns = {}, None
    for line in document.splitlines():
        if not line.startswith("|"):
            columns = None
            continue
        cells = cells_of(line)
        if columns is None:
            columns = {name: i for i, name in enumerate(cells)}
        elif "file" in columns and "events" in columns and not set(line) <= set("|-: "):
            number = re.match(r"\d+", cells[columns["events"]])
            counts[cells[columns["file"]]] = int(number.group()) if number else None
    return counts


def logs_in(folder):
    logs = {}
    for path in glob.glob(os.path.join(folder, "**", "*"), recursive=True):
        name = os.path.basename(path)
        bare = name.removesuffix(".zst")
        if os.path.isfile(path) and (bare.endswith(".eventlog")):
            logs[bare] = logs[bare.removesuffix(".eventlog")] = path
    return logs


def count(evt, log):
    counted = subprocess.run([evt, "dump", "--count", log], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return None if counted.returncode == 3 else int(counted.stdout), counted.stderr


def check(evt, name, log, expected, folder):
    if log.endswith(".zst"):
        plain = os.path.join(folder, "log")
        subprocess.run(["zstd", "-dqf", log, "-o", plain], check=True)
        log = plain
    found, said = count(evt, log)
    if found is None or expected is None:
        good = found is None and expected is None and len(said.splitlines()) == 1
        print(f"{'ok   ' if good else 'WRONG'} {name}: {said.strip() or found}")
        return good
    trace = os.path.join(folder, "trace.evt")
    converted = subprocess.run([evt, "convert", log, "-o", trace], stderr=subprocess.PIPE)
    again, _ = count(evt, trace)
    good = found == expected == again and converted.returncode <= 1
    size = os.path.getsize(trace)
    per_event = f", {os.path.getsize(log) / found:.2f} -> {size / found:.2f} bytes an event" if found else ""
    print(f"{'ok   ' if good else 'WRONG'} {name}: {found} events{'' if good else f', not {expected}; converted {again}'}"
          f"{per_event}")
    return good


def main():
    evt, folder = os.path.join(sys.argv[1], "evt"), sys.argv[2]
    logs = logs_in(folder)
    counts = {}
    for document in glob.glob(os.path.join(folder, "*.md")):
        with open(document, encoding="utf-8") as text:
            counts.update(counts_in(text.read()))
    known = {name: expected for name, expected in counts.items() if name in logs}
    if not known:
        sys.exit(f"corpus: no table in {folder} says how many events a log there has")
    with tempfile.TemporaryDirectory() as scratch:
        results = [check(evt, name, logs[name], expected, scratch) for name, expected in sorted(known.items())]
    print(f"{sum(results)} of {len(results)} logs are as the table says")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
