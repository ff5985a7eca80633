#!/usr/bin/env python3
"""One HTML file of the page: modules in the order of their imports as one classic script, and the style sheet.

usage: bundle.py OUTPUT

Both are inline, with their sha256 in a Content-Security-Policy: a server sends the same header and a file has it in itself.
Imports and exports go, so a name at the top of two modules is an error. Whole lines of comments and indentation go too.
"""
import base64
import hashlib
import os
import re
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
MOST_BYTES = 110 * 1024
IMPORT = re.compile(r"^import \{([^}]*)\} from '\./([\w]+\.js)';\n", re.MULTILINE)
TOP = re.compile(r"^(?:export )?(?:async )?(?:const|let|class|function\*?) +([\w$]+)", re.MULTILINE)
COMMENTS = re.compile(r"^([ \t]*)(?://[^\n]*\n|/\*.*?\*/[ \t]*\n?)", re.MULTILINE | re.DOTALL)
POLICY = ("default-src 'none'; script-src '{script}'; style-src '{style}'; connect-src 'self'; img-src data:; base-uri 'none'; "
          "form-action 'none'")


def read(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return file.read()


def in_order(name, sources, path=()):
    """Adds this module to sources behind all that it imports."""
    if name in path:
        sys.exit(f"modules import each other in a circle: {' -> '.join(path + (name,))}")
    if name in sources:
        return
    text = read(name)
    for names, imported in IMPORT.findall(text):
        in_order(imported, sources, path + (name,))
        for one in (word.strip() for word in names.split(",")):
            if not re.search(rf"^export (?:async )?(?:const|class|function) +{re.escape(one)}\b", sources[imported], re.MULTILINE):
                sys.exit(f"{name} imports {one}, which {imported} does not export")
    sources[name] = text


def check_names(sources):
    owners = {}
    for module, text in sources.items():
        for name in TOP.findall(COMMENTS.sub(r"\1", text)):
            if name in owners:
                sys.exit(f"{name} is at the top of {owners[name]} and {module}")
            owners[name] = module


def script_of(sources):
    text = "".join(re.sub(r"^export ", "", IMPORT.sub("", text), flags=re.MULTILINE) for text in sources.values())
    if re.search(r"^(?:import|export)\b", text, re.MULTILINE):
        sys.exit("an import or export has a form that bundle.py does not know")
    text = COMMENTS.sub(r"\1", text)
    return "(() => {\n'use strict';\n" + "".join(line.strip() + "\n" for line in text.splitlines() if line.strip()) + "})();\n"


def digest(text):
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def bundled():
    sources = {}
    in_order("main.js", sources)
    check_names(sources)
    script = script_of(sources)
    style = "".join(line.strip() + "\n" for line in read("page.css").splitlines())
    if "</script" in script or "</style" in style:
        sys.exit("the text would end its own element")
    policy = POLICY.format(script=digest(script), style=digest(style))
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    html = read("index.html").replace("<title>", meta + "<title>", 1)
    html = html.replace("<!--style-->", f"<style>{style}</style>").replace("<!--script-->", f"<script>{script}</script>")
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
