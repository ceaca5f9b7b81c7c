"""Runs a command with pipes that never block: nonblocking.py INPUT_FILE COMMAND...

The input comes in drops with pauses, the output is read slowly. stdout of the command goes to stdout.
"""
import os, subprocess, sys, threading, time

data = open(sys.argv[1], "rb").read()
in_read, in_write = os.pipe()
out_read, out_write = os.pipe()
os.set_blocking(in_read, False)
os.set_blocking(out_write, False)
child = subprocess.Popen(sys.argv[2:], stdin=in_read, stdout=out_write)
os.close(in_read)
os.close(out_write)


def feed():
    step = max(1, len(data) // 7)
    try:
        for at in range(0, len(data), step):
            time.sleep(0.03)
            piece = data[at : at + step]
            while piece:
                piece = piece[os.write(in_write, piece) :]
    except BrokenPipeError:
        pass
    os.close(in_write)


threading.Thread(target=feed, daemon=True).start()
time.sleep(0.5)
pieces = []
while True:
    piece = os.read(out_read, 1 << 20)
    if not piece:
        break
    pieces.append(piece)
    time.sleep(0.001)
sys.stdout.buffer.write(b"".join(pieces))
sys.stdout.buffer.flush()
sys.exit(child.wait() & 255)
