"""What a turn does, told by its first words."""

from collections.abc import Callable

import pytest

from service.summarizers import outline_cues as cues

CASES: list[tuple[Callable[[str], bool], list[str], list[str]]] = [
    (
        cues.praises,
        [
            "thanks!",
            "Perfect, commit it",
            "ok great",
            "danke, passt",
            "спасибо",
            "ありがとうございます",
            "好的，谢谢",
            "looks good to me",
        ],
        [
            "greatly reduce the size",
            "all tests fail",
            "thanks but it still fails",
            "works only on Linux",
            "ok",
            "done things first",
        ],
    ),
    (
        cues.corrects,
        [
            "no, the other one",
            "No",
            "it still crashes",
            "that's wrong",
            "ok but it doesn't show",
            "you missed the notebook",
            "Nein, falsch",
            "не работает",
            "まだ直っていません",
            "不对，应该分开",
            "ยังไม่ขึ้น",
            "still broken",
            "*exports",
            "exports*",
            "typo: exports",
        ],
        [
            "now add a chart",
            "note the date",
            "Nothing else matters in this file",
            "новая задача: график",
            "add tests",
            "*all* of them",
        ],
    ),
    (
        cues.follows_up,
        [
            "add a comment in the clear style",
            "please post it",
            "Leave a review comment",
            "write the commit message",
            "добавь комментарий",
            "添加评论",
        ],
        ["add comments to every public function", "write a weekly report", "the comments page is slow"],
    ),
    (
        cues.drops,
        ["never mind", "Forget it.", "drop that", "vergiss es", "забудь", "算了", "actually, never mind the rest"],
        ["never push to main", "drop the index and build it again", "forgetful users need a hint"],
    ),
    (
        cues.ships,
        [
            "ship it",
            "commit and push",
            "great, commit",
            "looks good, open a PR",
            "bitte committe das",
            "запушь",
            "提交吧",
            "コミットしてください",
        ],
        [
            "commit messages should name the issue and say in one sentence what a user gets from the change",
            "push notifications arrive late",
            "merge the two lists",
        ],
    ),
    (
        cues.pivots,
        [
            "New task: a chart",
            "ok, next up: docs",
            "Completely different topic, wine",
            "back to the parser",
            "Als nächstes",
            "Кстати, логи",
            "次に、メールを",
            "接下来生成报表",
            "ต่อไปทำระบบ",
            "great. by the way, why is it slow?",
        ],
        ["Add the next button", "the different topics overlap", "nextcloud is down"],
    ),
    (
        cues.is_short_question,
        [
            "why?",
            "what about India?",
            "is that safe",
            "Gilt das auch sonntags?",
            "какой лимит?",
            "コードの有効時間は？",
            "为什么",
        ],
        [
            "can you add a chart?",
            "kannst du das ändern?",
            "add a chart",
            "why does the parser need four seconds for a file with only three includes in it?",
        ],
    ),
    (cues.ends_in_question, ["Shall I?", "直しますか", "可以吗", "Wirklich? **"], ["Done.", "what a day", "a?b"]),
    (
        cues.resumes,
        ["Back to the export", "zurück zu den Rechnungen", "回到报表"],
        ["the backlog grows", "add a back button"],
    ),
]


@pytest.mark.parametrize(("says", "text"), [(says, text) for says, texts, _ in CASES for text in texts])
def test_a_cue_is_heard(says: Callable[[str], bool], text: str) -> None:
    """The words people open with are understood in their language."""
    assert says(text)


@pytest.mark.parametrize(("says", "text"), [(says, text) for says, _, texts in CASES for text in texts])
def test_a_cue_is_not_imagined(says: Callable[[str], bool], text: str) -> None:
    """Words that only begin alike mean nothing of the kind."""
    assert not says(text)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("yes", ""),
        ("Great, thanks. Now add a chart", "Now add a chart"),
        ("ok let's do it", ""),
        ("good point about the chart", "good point about the chart"),
        ("да, давай", ""),
        ("好的，继续", ""),
        ("all tests fail", "all tests fail"),
    ],
)
def test_an_assent_leaves_what_is_asked(text: str, rest: str) -> None:
    """A yes in front of a request is no part of it."""
    assert cues.without_assent(text) == rest
