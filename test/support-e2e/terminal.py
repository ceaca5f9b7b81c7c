"""Runs a shell line in a terminal of its own and plays keys into it.

usage: terminal.py LINE [AFTER_TEXT KEYS]...
Waits for AFTER_TEXT in the terminal's output (or in the file named by @PATH), then types KEYS (backslash escapes).
Everything that the terminal shows goes to stdout; the exit status is that of the shell.
"""
import os, pty, select, sys, time

line, script = sys.argv[1], sys.argv[2:]
pid, fd = pty.fork()
if pid == 0:
    os.execvp("sh", ["sh", "-c", line])
shown = b""
deadline = time.time() + 20


def pump(seconds):
    global shown
    ready, _, _ = select.select([fd], [], [], seconds)
    if not ready:
        return True
    try:
        data = os.read(fd, 65536)
    except OSError:
        return False
    if not data:
        return False
    shown += data
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
    return True


open_ = True
for wanted, keys in zip(script[0::2], script[1::2]):
    while open_ and time.time() < deadline:
        if wanted.startswith("@"):
            found = os.path.exists(wanted[1:])
        else:
            found = wanted.encode() in shown
        if found:
            break
        open_ = pump(0.02)
    if open_:
        os.write(fd, keys.encode().decode("unicode_escape").encode("latin1"))
while open_ and time.time() < deadline:
    open_ = pump(0.1)
if time.time() >= deadline:
    os.kill(pid, 9)
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) & 255)
