#!/usr/bin/env python3
"""Ranks in two network namespaces, with delay and lost packets between them.

Each namespace has a name of its own as a host, so that MPI takes them for two machines and its messages go by TCP. This
program is the wire: packets of the one's network device (tun) reach the other's later or never, which takes no netem
in the kernel. What mpi_test.py runs there has to be right, however slow, and packets have to be sent and lost.

Usage: network_test.py RANKS WHAT PROGRAM [ARGUMENT...] -- MPIEXEC; MPIEXEC is Open MPI's.
Exit status 77: this machine forbids namespaces or network devices, or lacks ip.
"""

import fcntl
import heapq
import os
import pathlib
import random
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time

SKIPPED = 77
DELAY, LOSS = 0.002, 0.02  # seconds and share of packets, in each direction
ADDRESSES = ["10.213.77.1", "10.213.77.2"]


def skip(why):
    print(f"network_test: skipped: {why}")
    sys.exit(SKIPPED)


def open_tun(name):
    TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
    try:
        device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN | IFF_NO_PI))
    except OSError as error:
        skip(f"/dev/net/tun: {error}")
    return device


class Wire(threading.Thread):
    """Carries packets between two devices."""

    def __init__(self, ends):
        super().__init__(daemon=True)
        self.ends, self.sent, self.lost, self.is_over = ends, [0, 0], [0, 0], False
        self.random = random.Random(59)

    def run(self):
        waiting, number = [], 0
        while not self.is_over:
            pause = max(0.0, waiting[0][0] - time.monotonic()) if waiting else 0.1
            for end in select.select(self.ends, [], [], pause)[0]:
                side, packet = self.ends.index(end), os.read(end, 1 << 16)
                self.sent[side] += 1
                if self.random.random() < LOSS:
                    self.lost[side] += 1
                    continue
                number += 1
                heapq.heappush(waiting, (time.monotonic() + DELAY, number, 1 - side, packet))
            while waiting and waiting[0][0] <= time.monotonic():
                _, _, side, packet = heapq.heappop(waiting)
                try:
                    os.write(self.ends[side], packet)
                except OSError:  # the device is full or not up yet: one more that is lost
                    self.lost[1 - side] += 1


class Network:
    """Two namespaces, as long as this is open."""

    def __init__(self):
        self.names = [f"seiche-{os.getpid()}-{side}" for side in (0, 1)]
        self.wire = None

    def must(self, *command):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            skip(f"{' '.join(command)}: {done.stderr.strip() or 'failed'}")

    def __enter__(self):
        try:
            ends = []
            for side, name in enumerate(self.names):
                device = f"sw{os.getpid()}-{side}"
                self.must("ip", "netns", "add", name)
                ends.append(open_tun(device))
                self.must("ip", "link", "set", device, "netns", name)
                inside = ["ip", "-n", name]
                self.must(*inside, "link", "set", "lo", "up")
                self.must(*inside, "address", "add", f"{ADDRESSES[side]}/24", "dev", device)
                self.must(*inside, "link", "set", device, "up")
            self.wire = Wire(ends)
            self.wire.start()
        except SystemExit:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.wire is not None:
            self.wire.is_over = True
            self.wire.join()
        for name in self.names:
            subprocess.run(["ip", "netns", "delete", name], capture_output=True)


def agent(folder, names):
    """A program in the place of ssh: agent HOST COMMAND..."""
    script = folder / "agent"
    lines = ["#!/bin/sh", "host=$1; shift", "case $host in"]
    lines += [f"{address}) name={name};;" for address, name in zip(ADDRESSES, names)]
    lines += ['*) echo "no such host: $host" >&2; exit 1;;', "esac",
              'exec ip netns exec "$name" unshare --uts sh -c "hostname $name; $*"']
    script.write_text("\n".join(lines) + "\n")
    script.chmod(0o755)
    return script


def main():
    end = sys.argv.index("--")
    ranks, what, program, arguments = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:end]
    mpiexec = sys.argv[end + 1]
    for tool in ("ip", "unshare"):
        if shutil.which(tool) is None:
            skip(f"there is no {tool}: expected Debian's iproute2 and util-linux")
    with Network() as network, tempfile.TemporaryDirectory() as name:
        names = network.names
        ssh = agent(pathlib.Path(name), names)
        hosts = ",".join(f"{address}:{(ranks + 1 - side) // 2}" for side, address in enumerate(ADDRESSES))
        network_of = ADDRESSES[0].rsplit(".", 1)[0] + ".0/24"
        # mpiexec runs in the first namespace, and starts the ranks of the second through the agent.
        start = ["ip", "netns", "exec", names[0], "unshare", "--uts", "sh", "-c",
                 f'hostname {names[0]}; exec "$@"', "sh", mpiexec, "--allow-run-as-root", "--oversubscribe",
                 "--host", hosts, "--map-by", "node", "--enable-recovery", "-x", "SEICHE_TEST_FOLDER"]
        start += [word for setting in (("plm_rsh_agent", str(ssh)), ("btl", "tcp,self"), ("pml", "ob1"),
                                       ("btl_tcp_if_include", network_of), ("oob_tcp_if_include", network_of))
                  for word in ("--mca", *setting)]
        for variable in ("SEICHE_TEST_DEVICE", "LD_LIBRARY_PATH"):
            start += ["-x", variable] if variable in os.environ else []
        tested = pathlib.Path(__file__).parent / "mpi_test.py"
        done = subprocess.run([str(tested), str(ranks), what, program, *arguments, "--", *start])
        sent, lost = network.wire.sent, network.wire.lost
        print(f"packets sent: {sent[0]} and {sent[1]}, lost: {lost[0]} and {lost[1]}")
        # A rank that is killed ends the run after few packets: it may be that none of them is lost.
        if done.returncode == 0 and (min(sent) < 30 or (what == "cases" and sum(lost) == 0)):
            sys.exit("expected messages between the namespaces, and some packets of them lost")
        sys.exit(done.returncode)


if __name__ == "__main__":
    main()
