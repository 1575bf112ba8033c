"""What does `linpoint extend` find in ten popular packages, and how fast? `python -m bench.packages [--assume-pure]`.

They are downloaded, pinned, into a temporary folder that is removed; nothing of them is run or kept.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from linpoint.extend import Extension, summary, walk

PACKAGES = [
    "attrs==25.4.0",
    "click==8.3.0",
    "dnspython==2.8.0",
    "flask==3.1.2",
    "jinja2==3.1.6",
    "kombu==5.5.4",
    "pluggy==1.6.0",
    "requests==2.32.5",
    "urllib3==2.5.0",
    "werkzeug==3.1.3",
]


def main() -> None:
    assume = "--assume-pure" in sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        wheels, unpacked = Path(folder, "wheels"), Path(folder, "packages")
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--only-binary",
            ":all:",
            "--dest",
            str(wheels),
        ]
        subprocess.run([*command, *PACKAGES], check=True)
        for wheel in sorted(wheels.glob("*.whl")):
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(unpacked)
        troubles: list[str] = []
        begun, busy = time.perf_counter(), time.process_time()
        found: list[Extension] = list(
            walk([unpacked], assume_pure=assume, trouble=lambda file, words: troubles.append(f"{file}: {words}"))
        )
        seconds, busy = time.perf_counter() - begun, time.process_time() - busy
        files = sum(1 for _ in unpacked.rglob("*.py"))
        for result in found:
            if result.interleaving:
                print(str(result).replace(f"{unpacked}/", ""), end="\n\n")
        times = f"{seconds:.1f} s, {busy:.1f} s of one core"
        print(f"{len(PACKAGES)} packages, {files} files: {summary(found)}; {times}; {len(troubles)} files not read")
        print("\n".join(troubles).replace(f"{unpacked}/", ""))


if __name__ == "__main__":
    main()
