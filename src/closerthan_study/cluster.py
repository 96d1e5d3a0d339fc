"""Ask SLURM before a run if it takes jobs: Snakemake never reports a group that it refuses."""

import shutil
import subprocess

from closerthan_study.spec import ConfigError


def check_slurm(account=None, partition=None):
    """Raise a ConfigError if there is no SLURM here, or if it refuses jobs."""
    if not shutil.which("sbatch"):
        where = "run this on the login node of a cluster, or without --profile profiles/slurm"
        raise ConfigError(f"there is no sbatch here, so no SLURM takes jobs; {where}")
    options = {"--account": account, "--partition": partition}
    words = [word for pair in options.items() if pair[1] for word in pair]
    command = ["sbatch", "--test-only", *words, "--wrap", "true"]
    asked = subprocess.run(command, capture_output=True, text=True)
    if asked.returncode:
        why = " ".join(asked.stderr.split())
        where = "mend slurm_account and slurm_partition in profiles/slurm/config.yaml"
        raise ConfigError(f"SLURM refuses jobs: {why}; {where}")
