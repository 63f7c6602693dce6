"""The packages of frontdesk: the folder ``X`` and all below it are ``frontdesk.X``."""

from setuptools import find_packages, setup

PACKAGES = find_packages()  # only the product's folders have an __init__.py

setup(
    package_dir={f"frontdesk.{name}": name for name in PACKAGES if "." not in name},
    packages=[f"frontdesk.{name}" for name in PACKAGES],
)
