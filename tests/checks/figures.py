#!/usr/bin/env python3
"""What README.md claims to be measured is what ./dev bench --readme has measured: figures.py ROOT

Its table is there, states on which day it was made, and has a figure of evtrace in each row. No other sentence has a figure with
a unit, and how many nanoseconds an event takes in words is what the table has, to the nearest ten. Code is left out. Prints what
is wrong; the exit status is 1 then.
"""
import pathlib
import re
import sys

TABLE = re.compile(r"<!-- by ./dev bench --readme -->\n(.*?)<!-- end -->", re.DOTALL)
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
FIGURE = re.compile(r"\d[\d.,]* ?(?:ns|us|ms|s|B|[kKMG]i?B|[kM]/s|%|times|nanoseconds|events/s)(?!\w)")
IN_WORDS = re.compile(r"\b(ten|twenty|thirty|forty|fifty) nanoseconds an event")
COST = "cost to the recording thread, per event"
WORDS = {"ten": 10, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50}


def without_code(text):
    return CODE.sub(lambda found: "\n" * found[0].count("\n"), text)


def problems(text):
    found = TABLE.search(text)
    if not found:
        yield "1: has no place for the figures, which ./dev bench --readme writes"
        return
    line = text.count("\n", 0, found.start()) + 1
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in re.findall(r"^\|.*\|$", found[1], re.MULTILINE)][2:]
    if not rows:
        yield f"{line}: has no figures: ./dev bench --readme writes them"
    yield from (f"{line}: the table has no figure of evtrace in the row: {row[0]}" for row in rows if not re.search(r"\d", row[1]))
    if rows and not re.search(r"By `\./dev bench --readme` on \d{4}-\d\d-\d\d", found[1]):
        yield f"{line}: the table does not state on which day it was made"
    rest = without_code(text[:found.start()] + "\n" * found[0].count("\n") + text[found.end():])
    for figure in FIGURE.finditer(rest):
        yield f"{rest.count(chr(10), 0, figure.start()) + 1}: {figure[0]} is not in the table of ./dev bench --readme"
    for claim in IN_WORDS.finditer(rest):
        measured = next((re.match(r"[\d.]+", row[1]) for row in rows if row[0] == COST), None)
        if rows and (measured is None or abs(float(measured[0]) - WORDS[claim[1]]) > 5):
            yield (f"{rest.count(chr(10), 0, claim.start()) + 1}: {claim[0]}, but the table has "
                   f"{measured[0] + ' ns' if measured else 'no row: ' + COST}")


def main(root):
    found = list(problems((root / "README.md").read_text(encoding="utf-8")))
    print("\n".join(f"README.md:{each}" for each in found) or "the figures of README.md are measured")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(pathlib.Path(sys.argv[1])))
