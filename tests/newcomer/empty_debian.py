"""A Debian with nothing in it but what Debian requires, in which commands are run as root."""
import shutil
import subprocess

HOME = "/srv/newcomer"  # of its only user
ENVIRONMENT = {"HOME": HOME, "LANG": "C.UTF-8", "TERM": "dumb", "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
# Other namespaces of mounts and processes: what a command leaves behind ends with it.
ENTER = """mount --bind "$1" "$1" && cd "$1" &&
mount --bind "$2" var/cache/apt/archives && mount -t proc proc proc && mount --rbind /sys sys &&
mount --bind /dev dev && mount -t devpts devpts dev/pts && mount -t tmpfs tmpfs dev/shm &&
exec chroot . /bin/bash -c "$3"
"""


def _remove(folder):
    subprocess.run(["rm", "-rf", "--one-file-system", folder], check=True)  # never what is mounted in it


class EmptyDebian:
    """In FOLDER/root, made anew from a mirror: SUITE is Debian's name of a release. FOLDER keeps what was downloaded for the next time."""

    def __init__(self, folder, mirror, suite):
        self.root = folder / "root"
        self._archives = folder / f"archives-{suite}"
        base = folder / f"{suite}.tar"
        _remove(self.root)
        if not base.exists():
            made = folder / "base"
            _remove(made)
            subprocess.run(["debootstrap", "--variant=minbase", suite, made, mirror], check=True, stdout=subprocess.DEVNULL)
            subprocess.run(["tar", "-C", made, "-cf", folder / "unfinished.tar", "."], check=True)
            (folder / "unfinished.tar").rename(base)
            _remove(made)
        self.root.mkdir()
        subprocess.run(["tar", "-C", self.root, "-xpf", base], check=True)
        shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")
        # A package's service is not started where no init runs.
        policy = self.root / "usr/sbin/policy-rc.d"
        policy.write_text("#!/bin/sh\nexit 101\n")
        policy.chmod(0o755)
        (self.root / HOME.lstrip("/")).mkdir()
        self._archives.mkdir(exist_ok=True)
        self.prepare("chown _apt /var/cache/apt/archives && mkdir -p /var/cache/apt/archives/partial && "
                     "chown _apt /var/cache/apt/archives/partial && apt-get update && apt-get install -y git ca-certificates")

    def run(self, script, folder=HOME, **environment):
        """Runs a script of bash until its first command that fails. The result has its status, output and errors."""
        command = f"cd '{folder}' && set -e\n{script}"
        return subprocess.run(["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER, "sh", self.root.absolute(),
                               self._archives.absolute(), command], env=ENVIRONMENT | environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="replace", check=False)

    def prepare(self, script):
        """Runs what is no part of the test, and must work."""
        outcome = self.run(script)
        if outcome.returncode != 0:
            raise SystemExit(f"newcomer: cannot prepare Debian: {script}\n{outcome.stdout}{outcome.stderr}")
