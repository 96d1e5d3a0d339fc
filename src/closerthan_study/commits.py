"""Ask git about the clone."""

import os
import subprocess


def commit(root):
    """Return the commit checked out at `root`, and say whether files differ from it."""
    head = git(root, "rev-parse", "--short=12", "HEAD")
    if head is None:
        return None
    return head + (" with uncommitted changes" if git(root, "status", "--porcelain") else "")


def git(root, *words):
    """Return what git prints, or None outside a repository."""
    command = ["git", "-C", os.fspath(root), *words]
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
