"""Chromium over its DevTools pipe, with the standard library alone: messages of JSON, each ended by a NUL, on fds 3 and 4."""
import base64
import json
import os
import shutil
import struct
import subprocess
import tempfile
import time
import zlib

FLAGS = ("--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run", "--disable-extensions", "--disable-background-networking",
         "--disable-component-update", "--hide-scrollbars", "--force-color-profile=srgb", "--disable-gpu")
KEY_CODES = {"Enter": 13, "Escape": 27, "ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37, "ArrowRight": 39, "Tab": 9}
SHIFT = 8


class Browser:
    def __init__(self, width=1600, height=1000):
        self.folder = tempfile.mkdtemp(prefix="evt-view-")
        self.number, self.events, self.rest, self.session = 0, [], b"", None
        self.process = self.start(width, height)
        target = next(one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.size(width, height)

    def start(self, width, height):
        reads, self.to = os.pipe()
        self.answers, writes = os.pipe()
        # A shell puts the ends of the pipes where the browser expects them.
        command = ["sh", "-c", f'exec "$@" 3<&{reads} 4>&{writes}', "sh", "chromium", *FLAGS, f"--user-data-dir={self.folder}",
                   f"--window-size={width},{height}", "about:blank"]
        process = subprocess.Popen(command, pass_fds=(reads, writes), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(reads)
        os.close(writes)
        return process

    def message(self):
        while b"\0" not in self.rest:
            more = os.read(self.answers, 1 << 20)
            if not more:
                raise EOFError("the browser has ended")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session and not method.startswith(("Target.", "Browser.")):
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") != self.number:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(answer["error"])
            else:
                return answer["result"]

    def size(self, width, height, ratio=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=False)

    def js(self, code):
        answer = self.call("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def until(self, condition, seconds=30):
        """Waits in the page, frame by frame, until the expression is true."""
        code = f"""new Promise((done) => {{ const end = performance.now() + {seconds * 1000};
          const look = () => {{ let value = false; try {{ value = ({condition}); }} catch {{}}
            if (value || performance.now() > end) done(Boolean(value)); else requestAnimationFrame(look); }}; look(); }})"""
        for is_last in (False, False, True):
            try:
                is_true = self.js(code)
                break
            except RuntimeError as error:
                # The page was left while it answered: the next page is asked.
                if is_last or "navigated" not in str(error):
                    raise
        if not is_true:
            raise TimeoutError(condition)

    def open(self, url):
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    def reload(self):
        """Loads the page again. The old one, which answers until the new one is there, has a mark."""
        self.js("void (window.isOld = true)")
        self.call("Page.reload")
        self.until("document.readyState === 'complete' && !window.isOld")

    def ready(self, seconds=30):
        # Two frames first: what a key or pointer has changed takes its effect in the next.
        self.js("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.until("document.documentElement.dataset.ready !== undefined", seconds)

    def key(self, key, shift=False):
        for kind in ("keyDown", "keyUp"):
            text = {"text": key} if kind == "keyDown" and len(key) == 1 else {"text": "\r"} if kind == "keyDown" and key == "Enter" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, modifiers=SHIFT if shift else 0, windowsVirtualKeyCode=KEY_CODES.get(key, 0), **text)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def media(self, **features):
        """What the system of the user prefers, such as forced_colors="active"."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, x0, y0, x1, y1, **more):
        self.mouse("mouseMoved", x0, y0)
        self.mouse("mousePressed", x0, y0, button="left", clickCount=1, **more)
        for step in range(1, 5):
            self.mouse("mouseMoved", x0 + (x1 - x0) * step / 4, y0 + (y1 - y0) * step / 4, button="left", buttons=1, **more)
        self.mouse("mouseReleased", x1, y1, button="left", clickCount=1, **more)

    def click(self, x, y):
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def png(self, **clip):
        """The page, or the part given by x, y, width and height in CSS pixels."""
        more = {"clip": {**clip, "scale": 1}} if clip else {}
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", **more)["data"])

    def shot(self, path):
        with open(path, "wb") as file:
            file.write(self.png())

    def take_events(self):
        taken, self.events = self.events, []
        return taken

    def close(self):
        try:
            self.call("Browser.close")
        except (EOFError, BrokenPipeError):
            pass
        self.process.wait(60)
        os.close(self.to)
        os.close(self.answers)
        shutil.rmtree(self.folder, ignore_errors=True)


class Picture:
    """The pixels of a PNG of 8 bits a channel."""

    def __init__(self, png):
        self.width, self.height, depth, color = struct.unpack(">IIBB", png[16:26])
        assert depth == 8 and color in (2, 6)
        self.channels = 3 if color == 2 else 4
        data, at = b"", 8
        while at < len(png):
            size, kind = struct.unpack(">I4s", png[at:at + 8])
            data += png[at + 8:at + 8 + size] if kind == b"IDAT" else b""
            at += size + 12
        self.lines = self.unfiltered(zlib.decompress(data))

    def unfiltered(self, data):
        stride, step = self.width * self.channels, self.channels
        lines, before = [], bytearray(stride)
        for y in range(self.height):
            kind = data[y * (stride + 1)]
            line = bytearray(data[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
            for x in range(stride if kind else 0):
                left = line[x - step] if x >= step else 0
                corner = before[x - step] if x >= step else 0
                line[x] = line[x] + (0, left, before[x], (left + before[x]) // 2, paeth(left, before[x], corner))[kind] & 255
            lines.append(line)
            before = line
        return lines

    def at(self, x, y):
        return tuple(self.lines[y][x * self.channels:x * self.channels + 3])


def paeth(left, above, corner):
    guess = left + above - corner
    return min((abs(guess - left), 0, left), (abs(guess - above), 1, above), (abs(guess - corner), 2, corner))[2]
