"""`python -m infra.aws.package ARCHITECTURE`: build the one artifact of all functions.

To be run by the Python that the functions run on, because what it compiles is read by no other. What comes from
the registry is fetched into `build/` once for each state of the lock; from then on no network is needed, and the
same tree gives the same bytes.
"""

from __future__ import annotations

import argparse
import compileall
import gzip
import hashlib
import json
import py_compile
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
LOCK = Path(__file__).with_name("requirements.txt")
BUILD = ROOT / "build"

MACHINES = {"arm64": "aarch64", "x86_64": "x86_64"}
_PLATFORMS = ("manylinux2014", "manylinux_2_17", "manylinux_2_28", "manylinux_2_34")
"""What the functions' system can load; its glibc is 2.34."""

SERVICES = ("dynamodb", "sqs", "ssm")
"""Of botocore's descriptions of some four hundred services, those that are called."""

_OWN = ("engine", "handlers", "infra")
_NOT_RUN = (
    # of our own: what one machine, an operator or the build needs
    "handlers/cli.py", "handlers/operating.py", "handlers/house",
    "handlers/locales/__main__.py", "handlers/locales/*.po",
    "infra/local", "infra/sqlite.py", "infra/aws/*.yml", "infra/aws/*.txt", "infra/aws/package.py",
    # of others
    "bin", "*.dist-info", "boto3/data", "boto3/examples", "telegram/ext", "pydantic/v1", "pydantic/mypy.py",
    "**/*.pyi", "**/py.typed",
)  # fmt: skip

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest instant that an archive can name."""


def fetch(architecture: str, python: str = f"{sys.version_info.major}.{sys.version_info.minor}") -> Path:
    """Return a folder with the wheels of the lock, fetched if they are not there yet."""
    state = hashlib.sha256(LOCK.read_bytes()).hexdigest()[:12]
    wheels = BUILD / "wheels" / f"{architecture}-{python}-{state}"
    if not wheels.is_dir():
        unfinished = wheels.with_suffix(".unfinished")
        platforms = [f"--platform={platform}_{MACHINES[architecture]}" for platform in _PLATFORMS]
        _pip(
            "download", "--no-deps", "--require-hashes", "--only-binary=:all:", f"--python-version={python}",
            "--implementation=cp", *platforms, "--requirement", str(LOCK), "--dest", str(unfinished),
        )  # fmt: skip
        unfinished.rename(wheels)
    return wheels


def lay_out(wheels: Path, folder: Path) -> None:
    """Put everything that runs into a folder, compiled."""
    for wheel in sorted(wheels.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    for package in _OWN:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    for pattern in _NOT_RUN:
        for path in list(folder.glob(pattern)):
            _remove(path)
    cut(folder / "botocore" / "data")
    compiled = compileall.compile_dir(
        folder,
        stripdir=str(folder),
        quiet=1,
        # The archive's times mean nothing, and nobody changes a source there.
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    if not compiled:
        raise SystemExit("Something cannot be compiled.")


def cut(data: Path) -> None:
    """Leave of botocore's data what is read: every start parses it, and most of it are addresses and prose."""
    for path in list(data.iterdir()):
        if path.is_dir() and path.name not in SERVICES:
            _remove(path)
    endpoints = json.loads((data / "endpoints.json").read_bytes())
    for partition in endpoints["partitions"]:
        partition["services"] = {name: of for name, of in partition["services"].items() if name in SERVICES}
    (data / "endpoints.json").write_text(json.dumps(endpoints, separators=(",", ":")))
    for path in data.rglob("service-2.json.gz"):
        model = json.loads(gzip.decompress(path.read_bytes()), object_hook=_without_prose)
        path.with_suffix("").write_text(json.dumps(model, separators=(",", ":")))
        path.unlink()


def _without_prose(described: dict[str, object]) -> dict[str, object]:
    """A part of a service's description without its documentation, which is always a text."""
    return {name: of for name, of in described.items() if not (name == "documentation" and isinstance(of, str))}


def archive(folder: Path, target: Path) -> None:
    """Pack a folder: the same files give the same bytes, whenever and by whomever they were written."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), _EPOCH)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                packed.writestr(entry, path.read_bytes())


def main() -> None:
    """Build `build/nightfall-ARCHITECTURE.zip`."""
    parser = argparse.ArgumentParser(prog="python -m infra.aws.package")
    parser.add_argument("architecture", choices=tuple(MACHINES))
    architecture = parser.parse_args().architecture
    wheels = fetch(architecture)
    folder, target = BUILD / f"nightfall-{architecture}", BUILD / f"nightfall-{architecture}.zip"
    _remove(folder)
    lay_out(wheels, folder)
    archive(folder, target)
    unpacked = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    digest = hashlib.sha256(target.read_bytes()).hexdigest()
    sys.stdout.write(
        f"{target.relative_to(ROOT)}  {target.stat().st_size / 1e6:.1f} MB, unpacked {unpacked / 1e6:.1f} MB\n"
        f"sha256 {digest}\n"
    )


def _pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    if subprocess.run(command, check=False).returncode:  # noqa: S603 - our own words
        raise SystemExit("The packages of the lock cannot be fetched.")


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
