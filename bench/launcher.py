"""Start a command and tell its time and memory: `launcher.py FD COMMAND…` writes JSON to the descriptor FD.

A program of its own, and a small one, because the kernel counts what a parent held at the fork as its child's peak.
"""

import os
import sys
import time

if __name__ == "__main__":
    descriptor, *command = sys.argv[1:]
    began = time.perf_counter()
    child = os.posix_spawn(command[0], command, os.environ)
    _, status, used = os.wait4(child, 0)
    wall_ms, cpu_ms = (time.perf_counter() - began) * 1e3, (used.ru_utime + used.ru_stime) * 1e3
    told = f'{{"wall_ms": {wall_ms}, "cpu_ms": {cpu_ms}, "rss_mb": {used.ru_maxrss / 1024}}}'
    os.write(int(descriptor), told.encode())
    sys.exit(0 if status == 0 else 1)
