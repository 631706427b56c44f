"""A board server as its own process, for tests that need a real one."""

import http.client
import os
import subprocess
import sys
from contextlib import contextmanager


class Live:
    def __init__(self, process, url):
        self.process = process
        self.url = url
        self.origin, self.token = url.split("/#")
        self.port = int(self.origin.rpartition(":")[2])

    def get(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", path)
        return connection.getresponse()

    def kill(self):
        self.process.kill()
        self.process.wait()


@contextmanager
def living(folder, *arguments):
    """`eleengine board` with its documents in a folder."""
    process = subprocess.Popen(
        [sys.executable, "-m", "eleengine", "board", "--no-browser", "--folder", str(folder), *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ,
    )
    try:
        url = process.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:"), url
        yield Live(process, url)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
