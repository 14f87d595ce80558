# SPDX-License-Identifier: Apache-2.0
"""`python -m bauta` is the command that the package came with."""

import os
import shutil
import sys
import sysconfig


def main() -> None:
    command = shutil.which("bauta", path=sysconfig.get_path("scripts"))
    if command is None:
        sys.exit("bauta: the command is not installed with the package")
    os.execv(command, ["bauta", *sys.argv[1:]])


if __name__ == "__main__":
    main()
