#!/usr/bin/env python3
"""The picture that README.md opens with: the page of `evt view`, light and dark, of a program that is recorded for it.

    page_picture.py BIN_FOLDER FOLDER

BIN_FOLDER has evt and mandelbrot; picture-light.png and picture-dark.png go to FOLDER. Needs chromium and pngquant.
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests/view"))
from browser import Browser  # noqa: E402
from evt_view import Served  # noqa: E402

WIDTH, HEIGHT, RATIO = 1280, 820, 1
COLOURS = 96  # fewer show in the text
MOST_BYTES = 48 << 10


def draw(browser, served, theme, path):
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
    browser.open(served.url)
    browser.ready()
    browser.until("document.getElementById('tables').getAttribute('aria-busy') === 'false'")
    browser.ready()
    browser.shot(path)
    subprocess.run(["pngquant", "--nofs", "--speed", "1", "--strip", "--force", "--output", path, str(COLOURS), path], check=True)
    if os.path.getsize(path) > MOST_BYTES:
        sys.exit(f"{path} has {os.path.getsize(path)} bytes, more than {MOST_BYTES}")


def main(programs, folder):
    with tempfile.TemporaryDirectory() as place:
        trace = os.path.join(place, "mandelbrot.evt")
        subprocess.run([os.path.join(programs, "mandelbrot"), trace], check=True, stdout=subprocess.DEVNULL)
        served = Served(os.path.join(programs, "evt"), trace)
        browser = Browser(WIDTH, HEIGHT)
        browser.size(WIDTH, HEIGHT, RATIO)
        try:
            for theme in ("light", "dark"):
                draw(browser, served, theme, os.path.join(folder, f"picture-{theme}.png"))
        finally:
            browser.close()
            served.close()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
