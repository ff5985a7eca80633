#!/usr/bin/env python3
"""One HTML file of the page: its modules as one classic script, and the style sheet, minified by esbuild.

usage: bundle.py OUTPUT

All is inline, with the sha256 of each script and of the style in a Content-Security-Policy: a server sends the same header and a
file has it in itself. The script of the modules is deflated, in base64; unpack.js adds it to the page, and its sum lets it run.
"""
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import zlib

FOLDER = os.path.dirname(os.path.abspath(__file__))
MOST_BYTES = 75_000
IMPORT = re.compile(r"^import \{[^}]*\} from '\./([\w]+\.js)';\n", re.MULTILINE)
POLICY = ("default-src 'none'; script-src {script}; style-src {style}; connect-src 'self'; img-src data:; base-uri 'none'; "
          "form-action 'none'")


def read(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return file.read()


def check_order(name, done, path=()):
    """Each module can run behind all that it imports."""
    if name in path:
        sys.exit(f"modules import each other in a circle: {' -> '.join(path + (name,))}")
    if name in done:
        return
    for imported in IMPORT.findall(read(name)):
        check_order(imported, done, path + (name,))
    done.add(name)


def minified(name, *options):
    if not shutil.which("esbuild"):
        sys.exit("the page of evt view needs esbuild, which is not installed (Debian's package esbuild)")
    command = ["esbuild", "--minify", "--charset=utf8", "--log-level=warning", *options, name]
    made = subprocess.run(command, cwd=FOLDER, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    if made.returncode:
        sys.exit(f"esbuild refuses {name}")
    return made.stdout.strip()


def packed(script):
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(deflate.compress(script.encode()) + deflate.flush()).decode()


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def bundled():
    check_order("main.js", set())
    unpack = minified("unpack.js", "--target=es2022")
    script = minified("main.js", "--target=es2022", "--bundle", "--format=iife")
    style = minified("page.css")
    if "</script" in unpack or "</style" in style:
        sys.exit("the text would end its own element")
    policy = POLICY.format(script=f"{digest(unpack)} {digest(script)}", style=digest(style))
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    html = read("index.html").replace("<title>", meta + "<title>", 1)
    scripts = f'<script id="packed" type="application/octet-stream">{packed(script)}</script>\n<script>{unpack}</script>'
    html = html.replace("<!--style-->", f"<style>{style}</style>").replace("<!--script-->", scripts)
    if len(html.encode()) > MOST_BYTES:
        sys.exit(f"the page has {len(html.encode())} bytes, more than {MOST_BYTES}")
    return html


def main(output):
    with open(output, "w", encoding="utf-8") as file:
        file.write(bundled())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
