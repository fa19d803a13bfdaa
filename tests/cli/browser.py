"""A headless Chromium, driven through a pipe (--remote-debugging-pipe). Each message is JSON and ends with a zero byte."""

import base64
import json
import os
import select
import shutil
import struct
import subprocess
import tempfile
import zlib

PROGRAMS = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"


def program():
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


class Browser:
    def __init__(self):
        self.folder = tempfile.mkdtemp()
        ours, theirs = os.pipe(), os.pipe()  # to it, from it
        read, write = ours[0], theirs[1]

        def move_pipes():  # Chromium expects the pipes at descriptors 3 and 4
            high = [os.dup2(fd, 200 + i) for i, fd in enumerate((read, write))]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [program(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
             "--user-data-dir=" + self.folder, "about:blank"],
            preexec_fn=move_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read)
        os.close(write)
        self.to, self.source = ours[1], theirs[0]
        self.buffer, self.last, self.session = b"", 0, None
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Log":
            self.call(domain + ".enable")

    def close(self):
        os.close(self.to)
        os.close(self.source)
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def message(self):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.source], [], [], 60)
            piece = os.read(self.source, 1 << 20) if ready else b""
            if not piece:
                raise RuntimeError("the browser does not answer")
            self.buffer += piece
        one, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **parameters):
        self.last += 1
        request = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def show(self, path, width, height=900, scheme="light"):
        self.events = []
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url="file://" + path)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.message())

    def value(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def complaints(self):
        """Returns the messages in the console, and the network requests of the page."""
        return [event for event in self.events
                if event.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled")]

    def press(self, key, code, text=""):
        for kind in "keyDown", "keyUp":
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key if len(key) > 1 else "", windowsVirtualKeyCode=code,
                      **({"text": text} if text and kind == "keyDown" else {}))

    def picture(self, clip=None):
        """Returns (width, height, rows of RGB bytes)."""
        parameters = {"format": "png", "captureBeyondViewport": True}
        if clip:
            parameters["clip"] = {**clip, "scale": 1}
        return pixels(self.png(**parameters))

    def png(self, **parameters):
        return base64.b64decode(self.call("Page.captureScreenshot", **parameters)["data"])


def pixels(png):
    """Decodes a PNG with 8 bits a channel, not interlaced, as the browser writes it."""
    at, data = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", png[at + 8:at + 18])
        elif kind == b"IDAT":
            data += png[at + 8:at + 8 + length]
        at += length + 12
    assert depth == 8 and colour in (2, 6)
    each = 3 if colour == 2 else 4
    raw, stride = zlib.decompress(data), width * each
    rows, above = [], bytearray(stride)
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left = line[i - each] if i >= each else 0
            up, corner = above[i], above[i - each] if i >= each else 0
            if kind == 1:
                line[i] = (line[i] + left) & 255
            elif kind == 2:
                line[i] = (line[i] + up) & 255
            elif kind == 3:
                line[i] = (line[i] + (left + up) // 2) & 255
            elif kind == 4:
                guess = left + up - corner
                near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))
                line[i] = (line[i] + near[2]) & 255
        rows.append(bytes(line) if each == 3 else bytes(b for i, b in enumerate(line) if i % 4 != 3))
        above = line
    return width, height, rows
