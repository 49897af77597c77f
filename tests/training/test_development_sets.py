"""The sets that rules are found on: sound, and apart from the one that is measured."""

from pathlib import Path

import pytest

from toolpost.evals.cases import load_set
from training.apart import is_measured_text

FOLDER = Path(__file__).parents[2] / "training" / "development"
SETS = sorted(path.name for path in FOLDER.iterdir() if path.is_dir())


@pytest.mark.parametrize("name", SETS)
def test_a_set_can_be_read_and_shares_no_question_with_the_measured_one(name):
    cases = load_set(FOLDER / name).cases
    assert len(cases) >= 90
    assert [case.id for case in cases if is_measured_text(case.question)] == []


def test_there_are_sets_in_both_languages():
    languages = {case.language for name in SETS for case in load_set(FOLDER / name).cases}
    assert languages == {"en", "zh"}
