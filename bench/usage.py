"""Runs a command without its output, and prints its exit status, the seconds that passed, its processor time, user and
system, and its largest resident memory in KiB; or why it cannot be run.

    usage.py COMMAND...

It is a small process of its own, because the memory that a process had before exec counts as that of the program: a large
one would report at least its own size.
"""
import os
import sys
import time

begin = time.monotonic()
nothing = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
try:
    pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=nothing)
except OSError as error:
    print(error.strerror)
else:
    _, status, usage = os.wait4(pid, 0)
    passed = time.monotonic() - begin
    print(os.waitstatus_to_exitcode(status), passed, usage.ru_utime, usage.ru_stime, usage.ru_maxrss)
