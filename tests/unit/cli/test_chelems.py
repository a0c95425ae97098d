"""What `chances`, `discard` and `call` say of chelems, and of announcing one."""

from __future__ import annotations

import re

import pytest

from tests.commands import Answer

WINNERS = "A:21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,1,EX"
NOTHING = "P:R,D,C,V,10,9,8,7,6,5,4,3,2,1 C:4,3,2,1"
ORDINARY = "A:21,19,15,12,9,6,3,EX P:R,D,7 C:R,10,5 K:9,4 T:V,8"
STRONG = "A:21,20,19,18,17,16,15,14,13,12,11,10,1,EX P:R,D C:R K:R"
CALLER = "A:21,20,19,18,17,16,15,14,13,12,1,EX P:R,D C:R"
FEW = ("--worlds", 20, "--seed", 1)

#: Every question whose best answer makes the chelem.
CHELEMS = [
    ("chances", WINNERS),
    ("discard", STRONG, "P:2 C:3 K:2 T:4,3,2"),
    ("call", CALLER),
]


@pytest.mark.parametrize("question", CHELEMS, ids=lambda question: question[0])
def test_a_chelem_is_to_be_announced(
    question: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    english = Answer(capsys, *question, *FEW).out
    found = re.search(
        r"^Announce the chelem \(\+400, else −200\): made in (\d+) %, "
        r"\+(\d+) on average\.$",
        english,
        re.MULTILINE,
    )
    assert found is not None
    assert int(found[1]) >= 90
    assert int(found[2]) > 450
    french = Answer(capsys, *question, *FEW, "--lang", "fr").out
    assert (
        f"Annoncez le chelem (+400, sinon −200) : fait dans {found[1]} %, "
        f"+{found[2]} en moyenne." in french
    )
    document = Answer(capsys, *question, *FEW, "--json").json
    row = (
        document["contracts"][document["advice"]]
        if "contracts" in document
        else document["candidates"][0]
    )
    assert row["announce_chelem"] is True
    assert round(row["announce_gain"]) == int(found[2])
    assert round(100 * row["p_chelem"]) == int(found[1])


@pytest.mark.parametrize(
    "question",
    [("chances", NOTHING), ("discard", NOTHING, "K:4,3,2 T:4,3,2")],
    ids=["chances", "discard"],
)
def test_a_chelem_of_the_defence_is_told(
    question: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    answer = Answer(capsys, *question, *FEW).out
    found = re.search(r"^The defence wins every trick in (\d+) % of the deals\.$", answer, re.M)
    assert found is not None
    assert int(found[1]) > 50
    assert "nnounce" not in answer
    french = Answer(capsys, *question, *FEW, "--lang", "fr").out
    assert f"La défense fait tous les plis dans {found[1]} % des donnes." in french


def test_a_chelem_that_is_not_to_be_announced(capsys: pytest.CaptureFixture[str]) -> None:
    hand = "A:21,20,19,17,16,14,11,5,1 P:R,D,C C:R,D K:R,D T:R,D"
    answer = Answer(capsys, "chances", hand, "--worlds", 60, "--seed", 1)
    document = Answer(capsys, "chances", hand, "--worlds", 60, "--seed", 1, "--json").json
    row = document["contracts"][document["advice"]]
    assert 0.05 <= row["p_chelem"] < 0.5
    assert row["announce_chelem"] is False
    share, gain = round(100 * row["p_chelem"]), round(row["announce_gain"])
    assert gain < 0
    assert (
        f"Do not announce the chelem (+400, else −200): made in {share} %, {gain} on average."
        in answer.out
    )


def test_ordinary_hands_have_no_line_of_chelems(capsys: pytest.CaptureFixture[str]) -> None:
    for language in ("en", "fr"):
        answer = Answer(capsys, "chances", ORDINARY, *FEW, "--lang", language)
        assert "chelem" not in answer.out
