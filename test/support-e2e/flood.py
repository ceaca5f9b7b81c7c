"""Floods stdout and stderr at once: flood.py BYTES_OF_EACH [exit code]."""
import os, sys, threading

size = int(sys.argv[1])
chunk = b"".join(b"2026-05-01T12:00:00Z INFO request id=%d took 20ms status=200\n" % i for i in range(17000))


def flood(fd):
    left = size
    while left > 0:
        left -= os.write(fd, chunk[:left])


threads = [threading.Thread(target=flood, args=(fd,)) for fd in (1, 2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.exit(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
