"""The packages of frontdesk: the folder ``X`` and all below it are ``frontdesk.X``."""

from setuptools import find_packages, setup

FOLDERS = ("agent", "rules", "kg", "scoring", "generation", "data")

setup(
    package_dir={f"frontdesk.{folder}": folder for folder in FOLDERS},
    packages=[f"frontdesk.{name}" for folder in FOLDERS
              for name in (folder, *(f"{folder}.{below}" for below in find_packages(folder)))],
)
