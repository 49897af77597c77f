"""A language server for tests that does what it is told by its arguments: crash, hang, speak nonsense."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path


def main(how):
    if how == "silent":
        time.sleep(600)
    if how == "broken":
        sys.stderr.write("no module named everything\n")
        sys.exit(3)
    if how == "children":
        subprocess.Popen(["sleep", "613.7"], start_new_session=True)
    shown = []
    while message := read():
        method = message.get("method")
        shown.append(json.dumps(message))
        if method == "initialize":
            answer(message, {"capabilities": {"notebookDocumentSync": "nonsense"}, "settings": message["params"]})
        elif method == "shutdown":
            answer(message, None)
        elif method == "exit":
            return
        elif how == "crash":
            os._exit(9)
        elif how == "nonsense":
            sys.stdout.write("Content-Length: 5\r\n\r\n{{{{{")
            sys.stdout.flush()
        elif how == "hang":
            continue
        elif method == "textDocument/hover":
            told = tried() if how == "write" else json.dumps(dict(os.environ) if how != "repeat" else shown)
            answer(message, {"contents": {"kind": "plaintext", "value": told}})


def tried():
    """What comes of an attempt to change the project."""
    try:
        with Path("a.py").open("w") as file:
            return f"wrote {file.name}"
    except OSError as error:
        return f"failed: {error.strerror}"


def read():
    length = 0
    while line := sys.stdin.buffer.readline():
        if line == b"\r\n":
            return json.loads(sys.stdin.buffer.read(length))
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return None


def answer(message, result):
    body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result})
    sys.stdout.write(f"Content-Length: {len(body)}\r\n\r\n{body}")
    sys.stdout.flush()


main(sys.argv[1])
