"""Fetching the public data sets from where their authors publish them.

Neither place publishes checksums. So the first download is trusted if its content has the right
format, and its SHA-256 is written beside it (``NAME.sha256``, in the format of ``sha256sum``).
From then on that checksum is what the file must have: a later download that differs is refused
unless it is forced, and so is a file that was changed on this machine.
"""

from __future__ import annotations

import hashlib
import shutil
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath

from frontdesk.data.datasets.data_set import DataSet, Download
from frontdesk.data.datasets.download import NotThereError, Progress, download, unwritable
from frontdesk.data.datasets.formats import detect_format
from frontdesk.kg.graph.errors import FormatError, InputError, UnavailableError

#: Largest file that is unpacked from an archive, in bytes; the largest of KVRET has about 8 MB.
LARGEST = 256 << 20
_CHUNK = 1 << 20


class Trust(StrEnum):
    """Why the content of a file is believed to be right."""

    FIRST_USE = "first download, no published checksum: trusted and remembered"
    AS_BEFORE = "has the checksum of the first download"


@dataclass(frozen=True)
class FetchedFile:
    """A file that is there now.

    Args:
        sha256: Of its bytes, hexadecimal.
        trust: Why it is believed to be right; None for one taken from an archive, which is
            believed because the archive is.
        source: Address that it came from; empty if it was there already.
    """

    path: Path
    sha256: str
    trust: Trust | None
    source: str


def fetch(data_set: DataSet, folder: Path, *, mirror: str = "", force: bool = False,
          progress: Progress | None = None) -> list[FetchedFile]:
    """Bring all files of a data set to a folder; what is there and unchanged is left alone.

    Args:
        folder: Made if it is not there.
        mirror: Address to download from in place of the official ones: of a folder that has
            the files by their names, or, if it ends in the name's suffix, of the one file.
        force: Download again what is there, and trust it as if it were the first time.

    Raises:
        UnavailableError: A place cannot be reached or does not have a file; all other files
            have been fetched.
        FormatError: A file has another checksum than it should have, or another format; it
            does not replace what was there.
        InputError: The folder cannot be written to, or the mirror is not an address.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{str(folder)!r} cannot be made a folder ({error.strerror})",
                         remedy="Name another folder with --output") from error
    found: list[FetchedFile] = []
    missing: list[NotThereError] = []
    for wanted in data_set.downloads:
        job = _Job(data_set, wanted, folder, force, progress)
        try:
            file = job.run(_places(wanted, mirror, len(data_set.downloads)))
        except NotThereError as error:
            missing.append(error)
            continue
        found.append(file)
        found += [FetchedFile(path, sha256_of(path), None, file.source)
                  for path in job.unpack(file.path)]
    if missing:
        there = ", ".join(file.path.name for file in found) or "nothing"
        raise UnavailableError("; ".join(error.message for error in missing),
                               remedy=f"Fetched: {there}. For the rest, give another mirror "
                               "with --url, or download it by hand")
    return found


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's bytes, hexadecimal.

    Raises:
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _places(wanted: Download, mirror: str, files: int) -> Sequence[str]:
    if not mirror:
        return wanted.places
    suffix = PurePosixPath(wanted.name).suffix
    if mirror.endswith(suffix):
        if files > 1 and not mirror.endswith(f"/{wanted.name}"):
            raise InputError(f"{mirror!r} is the address of one file, but there are {files}",
                             remedy="Give the address of the folder that has them")
        return (mirror,)
    return (f"{mirror.rstrip('/')}/{wanted.name}",)


class _Job:
    """One file: whether it is there, its download, its checksum, and what is packed in it."""

    def __init__(self, data_set: DataSet, wanted: Download, folder: Path, force: bool,
                 progress: Progress | None) -> None:
        self.data_set = data_set
        self.wanted = wanted
        self.folder = folder
        self.force = force
        self.progress = progress
        self.target = folder / wanted.name
        self.sidecar = folder / f"{wanted.name}.sha256"
        self.trust = Trust.FIRST_USE
        self.checksum = ""

    def run(self, places: Sequence[str]) -> FetchedFile:
        if self.target.exists() and not self.force:
            return self._present()
        last: NotThereError | None = None
        for place in places:
            try:
                download(place, self.target, accept=self._accept, progress=self.progress)
            except NotThereError as error:
                last = error
                continue
            self._remember()
            return FetchedFile(self.target, self.checksum, self.trust, place)
        raise last or NotThereError(f"no place is known for {self.wanted.name}")

    def unpack(self, archive: Path) -> list[Path]:
        """Take the members out of the archive, each in place at once.

        Raises:
            FormatError: It lacks one of them, or one is stored under an unsafe name.
        """
        if not self.wanted.members:
            return []
        with zipfile.ZipFile(archive) as packed:
            return [self._extract(packed, info, self.folder / name)
                    for name, info in self._members(packed).items()]

    def _present(self) -> FetchedFile:
        self._accept(self.target)
        self._remember()
        return FetchedFile(self.target, self.checksum, self.trust, "")

    def _accept(self, path: Path) -> None:
        """Refuse content that is not what it should be."""
        self.checksum = sha256_of(path)
        known, self.trust = self._known()
        if known and known != self.checksum:
            again = ("Look into what changed; --force downloads it and trusts it anew"
                     if self.trust is Trust.AS_BEFORE else "Give another mirror with --url")
            raise FormatError(
                f"{self.wanted.name} has the SHA-256 {self.checksum}, but it should have {known}",
                place=str(self.target), remedy=again)
        if self.wanted.members:
            self._check_archive(path)
        elif not self.data_set.holds(path):
            raise FormatError(
                f"the file holds {detect_format(path)}, not {self.data_set.format}",
                place=self.wanted.name, remedy="Give another mirror with --url")

    def _known(self) -> tuple[str, Trust]:
        if not self.force and self.sidecar.exists():
            words = self.sidecar.read_text("utf-8", "replace").split()
            if words:
                return words[0].lower(), Trust.AS_BEFORE
        return "", Trust.FIRST_USE

    def _remember(self) -> None:
        if self.trust is Trust.FIRST_USE:
            part = self.sidecar.with_name(f".{self.sidecar.name}.new")
            try:
                part.write_text(f"{self.checksum}  {self.wanted.name}\n", "utf-8")
                part.replace(self.sidecar)
            except OSError as error:
                raise unwritable(self.sidecar, error) from error

    def _check_archive(self, path: Path) -> None:
        try:
            with zipfile.ZipFile(path) as packed:
                for info in self._members(packed).values():
                    with packed.open(info) as member:
                        while member.read(_CHUNK):  # to the end, where its checksum is compared
                            pass
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
            raise FormatError(f"{self.wanted.name} is not a zip archive that can be read ({error})",
                              place=str(self.target),
                              remedy="Download it again, or give another mirror with --url",
                              ) from error

    def _members(self, packed: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
        """The wanted members by name, wherever in the archive they are."""
        found: dict[str, zipfile.ZipInfo] = {}
        for info in packed.infolist():
            inside = PurePosixPath(info.filename.replace("\\", "/"))
            if inside.name not in self.wanted.members or info.is_dir():
                continue
            if inside.is_absolute() or ".." in inside.parts or ":" in inside.parts[0]:
                raise FormatError(f"the archive stores a file as {info.filename!r}, outside of "
                                  "its folder", place=str(self.target),
                                  remedy="Do not use it; give another mirror with --url")
            if info.file_size > LARGEST:
                raise FormatError(f"{info.filename!r} in the archive has {info.file_size} bytes",
                                  place=str(self.target), remedy="Give another mirror with --url")
            found.setdefault(inside.name, info)
        for name in self.wanted.members:
            if name not in found:
                raise FormatError(f"the archive has no {name!r}", place=str(self.target),
                                  remedy="Download it again, or give another mirror with --url")
        return found

    def _extract(self, packed: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path) -> Path:
        # Written as a plain file whatever the entry claims to be, so that a link leads nowhere.
        part = target.with_name(f"{target.name}.part")
        try:
            with packed.open(info) as source, part.open("wb") as copy:
                shutil.copyfileobj(source, copy)
            part.replace(target)
        except OSError as error:
            raise unwritable(target, error) from error
        finally:
            part.unlink(missing_ok=True)
        return target
