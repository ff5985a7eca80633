#!/usr/bin/env python3
"""Pictures of the guide: what evt convert writes, as GTKWave and speedscope show it, and the folded stacks of a
compilation (clang -ftime-trace) as a flame graph.

    export_pictures.py BIN_FOLDER DOCS_FOLDER

EVT_SPEEDSCOPE: the folder of speedscope's page (npm speedscope, dist/release). Who is not there is left out, by name.
"""
import base64
import os
import shutil
import subprocess
import sys
import tempfile
import time
from html import escape

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "view"))
from browser import Browser  # noqa: E402

STATES = "000 unknown\n001 runnable\n010 running\n011 waiting\n100 outside\n"
WIDTH, HEIGHT = 1000, 300
DISPLAY = ":87"


def run(*command, **options):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)


def save_file(folder, threads, cpus):
    """How GTKWave begins: threads with the names of their states, then what runs on which cpu."""
    lines = ["[timestart] 0", f"[size] {WIDTH} {HEIGHT}", "[pos] -1 -1", "*-25.000000 -1", "[sst_width] 1", "[signals_width] 120", "[sst_expanded] 0", "@2028"]
    for thread in threads:
        lines += [f"^1 {folder}/states.txt", thread + "[2:0]"]
    return "\n".join([*lines, "@24", *cpus, ""])


def variables(vcd):
    scope, threads, cpus = [], [], []
    with open(vcd, encoding="utf-8") as file:
        for words in map(str.split, file):
            if words[:1] == ["$scope"]:
                scope.append(words[2])
            elif words[:1] == ["$upscope"]:
                scope.pop()
            elif words[:1] == ["$var"]:
                (threads if words[1] == "reg" else cpus).append(".".join([*scope, words[4]]))
            elif words[:1] == ["$enddefinitions"]:
                return threads, cpus
    return threads, cpus


def gtkwave(evt, trace, folder, output):
    vcd = os.path.join(folder, "x.vcd")
    run(evt, "convert", trace, "-o", vcd)
    with open(os.path.join(folder, "states.txt"), "w", encoding="ascii") as file:
        file.write(STATES)
    with open(os.path.join(folder, "x.gtkw"), "w", encoding="utf-8") as file:
        file.write(save_file(folder, *variables(vcd)))
    screen = subprocess.Popen(["Xvfb", DISPLAY, "-screen", "0", f"{WIDTH}x{HEIGHT}x24"], stderr=subprocess.DEVNULL)
    environment = {**os.environ, "DISPLAY": DISPLAY}
    shown = None
    try:
        time.sleep(2)
        shown = subprocess.Popen(["gtkwave", "-r", "/dev/null", vcd, os.path.join(folder, "x.gtkw")], env=environment,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(8)  # it does not tell when it has drawn
        run("xwd", "-root", "-out", os.path.join(folder, "x.xwd"), env=environment)
        run("convert", os.path.join(folder, "x.xwd"), "-colors", "32", output)
    finally:
        if shown is not None:
            shown.kill()
        screen.kill()


def speedscope(evt, trace, folder, output):
    path = os.path.join(folder, "x.json")
    run(evt, "convert", trace, "-o", path)
    with open(path, "rb") as file:
        content = base64.b64encode(file.read()).decode()
    script = os.path.join(folder, "profile.js")
    with open(script, "w", encoding="ascii") as file:
        file.write(f"speedscope.loadFileFromBase64('x.json', '{content}')")
    page = Browser(WIDTH, 240)
    try:
        page.call("Page.navigate", url=f"file://{os.path.join(os.environ['EVT_SPEEDSCOPE'], 'index.html')}#localProfilePath={script}")
        page.until("document.body.innerText.includes('Sandwich')")
        time.sleep(2)  # the canvas is drawn behind the text
        page.shot(output)
    finally:
        page.close()
    run("convert", output, "-colors", "64", output)


def flame_graph(evt, trace, output):
    """Folded stacks as flamegraph.pl draws them, in little."""
    folded = subprocess.run([evt, "convert", trace, "--format", "folded"], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    sums = {}
    for path, weight in (line.rsplit(" ", 1) for line in folded.splitlines()):
        names = path.split(";")
        if names[-1].startswith("Total "):
            continue  # clang's sums, each of which has a thread
        for depth in range(len(names) + 1):
            sums[tuple(names[:depth])] = sums.get(tuple(names[:depth]), 0) + int(weight)
    height = 18 * (max(map(len, sums)) + 1)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="11">']

    def draw(path, x):
        width = sums[path] / sums[()] * WIDTH
        if width < 2:
            return
        y = height - 18 * (len(path) + 1)
        name = path[-1] if path else "all"
        hue = 20 + sum(map(ord, name)) * 7 % 35
        out.append(f'<rect x="{x:.1f}" y="{y}" width="{max(width - 0.5, 0.2):.1f}" height="17" fill="hsl({hue},90%,68%)"><title>{escape(name)}: {sums[path] / 1e6:.3f} ms</title></rect>')
        if width > 7 * len(name):
            out.append(f'<text x="{x + 3:.1f}" y="{y + 12}">{escape(name)}</text>')
        for inner in sorted(one for one in sums if len(one) == len(path) + 1 and one[:-1] == path):
            draw(inner, x)
            x += sums[inner] / sums[()] * WIDTH

    draw((), 0)
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join([*out, "</svg>", ""]))


def main():
    evt, docs = os.path.join(sys.argv[1], "evt"), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "x.evt")
        run(os.path.join(sys.argv[1], "parsort"), "-n", "200000", "-o", trace)
        calls = os.path.join(folder, "calls.evt")
        run(os.path.join(sys.argv[1], "mandelbrot"), calls)
        source = os.path.join(folder, "compile.cc")
        with open(source, "w", encoding="ascii") as file:
            file.write("#include <map>\n#include <string>\nint main() { return std::map<std::string, int>().size(); }\n")
        run("clang++", "-O2", "-ftime-trace", "-c", source, "-o", os.path.join(folder, "compile.o"))
        flame_graph(evt, os.path.join(folder, "compile.json"), os.path.join(docs, "flame.svg"))
        for program, picture in (("gtkwave", lambda to: gtkwave(evt, trace, folder, to)), ("chromium", lambda to: speedscope(evt, calls, folder, to))):
            is_there = shutil.which(program) and (program != "chromium" or os.environ.get("EVT_SPEEDSCOPE"))
            name = {"chromium": "speedscope"}.get(program, program)
            if is_there:
                picture(os.path.join(docs, name + ".png"))
            else:
                print(f"{name} is left out: it is not there", file=sys.stderr)


if __name__ == "__main__":
    main()
