"""The samples of a run of the bench, their medians, and the machine they were taken on."""

import json
import os
import platform
import statistics
from collections import defaultdict
from datetime import date
from pathlib import Path
from typing import Any

from .sample import Sample


class Results:
    """Samples by who was measured and what; a figure is the median over the rounds."""

    def __init__(self) -> None:
        self.machine = machine()
        self.rounds = 0
        self.notes: dict[str, float | int | None] = {}
        self.failures: dict[str, str] = {}
        self._samples: dict[str, dict[str, list[Sample]]] = defaultdict(lambda: defaultdict(list))

    def add(self, who: str, what: str, sample: Sample) -> None:
        self._samples[who][what].append(sample)

    def fail(self, who: str, what: str, text: str) -> None:
        self.failures[f"{who} {what}"] = text

    def has(self, who: str) -> bool:
        return who in self._samples

    def figure(self, who: str, what: str, field: str) -> float | None:
        """The median, or None where there is no sample."""
        samples = self._samples.get(who, {}).get(what, [])
        return statistics.median(sample[field] for sample in samples) if samples else None

    def write(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(self._as_json(), indent=1) + "\n")

    def _as_json(self) -> dict[str, Any]:
        medians = {
            who: {
                what: {field: self.figure(who, what, field) for field in samples[0]}
                for what, samples in measures.items()
            }
            for who, measures in self._samples.items()
        }
        return {
            "machine": self.machine,
            "rounds": self.rounds,
            "notes": self.notes,
            "failures": self.failures,
            "medians": medians,
            "samples": self._samples,
        }


def machine() -> dict[str, str]:
    return {
        "date": date.today().isoformat(),
        "cores": str(os.cpu_count()),
        "cpu": _cpu_model(),
        "python": platform.python_version(),
        "kernel": f"{platform.system()} {platform.release()}",
        # Above nought before the bench has begun: others were using the cores.
        "load": f"{os.getloadavg()[0]:.1f}",
    }


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")
