"""A shell's job control, of a job that the terminal stops: job_control.py COMMAND...

Prints what the shell sees of the job: stopped, then how it ended. The job prints its process as the first line.
"""
import os
import pty
import signal
import sys


def state_of(process):
    with open(f"/proc/{process}/stat", encoding="utf-8") as stat:
        return stat.read().rsplit(")", 1)[1].split()[0]


def wait_for(process, states):
    while state_of(process) not in states:
        pass


def shell(command):
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    output, into = os.pipe()
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.dup2(into, 1)
        os.execvp(command[0], command)
    try:
        os.setpgid(job, job)
    except PermissionError:
        pass
    os.tcsetpgrp(0, job)
    process = int(os.read(output, 100))
    print(f"{os.getpid()} runs", flush=True)
    _, status = os.waitpid(job, os.WUNTRACED)
    print("stopped by", signal.Signals(os.WSTOPSIG(status)).name if os.WIFSTOPPED(status) else status, flush=True)
    wait_for(process, "T")  # it gets the signal of its own, maybe later
    print("its program is", state_of(process), flush=True)
    os.tcsetpgrp(0, job)
    os.killpg(job, signal.SIGCONT)
    _, status = os.waitpid(job, os.WUNTRACED)
    print("ended with", os.WEXITSTATUS(status) if os.WIFEXITED(status) else f"status {status:#x}", flush=True)


child, terminal = pty.fork()
if child == 0:
    shell(sys.argv[1:])
    sys.exit(0)
text = b""
is_asked = False
while True:
    try:
        more = os.read(terminal, 1000)
    except OSError:
        break
    if not more:
        break
    text += more
    # The terminal forgets what was not read when it stops a job: the end of the line is waited for.
    if b"runs\r\n" in text and not is_asked:
        is_asked = True
        os.write(terminal, b"\x1a")
os.waitpid(child, 0)
sys.stdout.write("".join(line + "\n" for line in text.decode().replace("\r", "").replace("^Z", "").splitlines()
                         if line and " runs" not in line))
