"""What a text is about, in words that can be compared."""

from hypothesis import given
from hypothesis import strategies as st

from service.summarizers.outline_vocabulary import files_named, overlap, rarity, telling_files, vocabulary


def test_forms_of_a_word_are_one_word() -> None:
    """Plurals, tenses and cases do not hide that the same thing is meant."""
    assert vocabulary("exporting exported Exporte") == {"export"}
    assert vocabulary("напоминания") == vocabulary("напоминаний")


def test_names_in_code_are_their_words() -> None:
    """A function's name and the words it is made of meet."""
    assert vocabulary("loadOrders") == vocabulary("load_orders") == vocabulary("load orders")


def test_small_words_say_nothing() -> None:
    """Two requests are not alike because both say please."""
    assert vocabulary("could you please do it for me") == vocabulary("kannst du das bitte machen") == frozenset()


def test_scripts_without_blanks_are_compared_by_pairs() -> None:
    """Japanese, Chinese, Thai and Korean texts about one thing share words."""
    for one, other in [
        ("祝日をカレンダーに表示", "カレンダーの祝日"),
        ("库存页面加预警", "修改库存预警"),
        ("ระบบชำระเงิน", "ชำระเงินด้วยบัตร"),
        ("예약 화면을 고쳐", "예약을 취소"),
    ]:
        assert vocabulary(one) & vocabulary(other)


def test_files_are_known_by_name() -> None:
    """The same file is met again whichever folder stands before it."""
    assert files_named("look at src/Cart.py and C:\\shop\\tax.rs.") == {"cart.py", "tax.rs"}


def test_files_that_everything_touches_tell_nothing() -> None:
    """Two goals are not one because both changed the README."""
    assert telling_files(["docs/README.md", "a/package.json", "a/tax.rs"]) == {"tax.rs"}


def test_a_rare_word_weighs_more() -> None:
    """What only one turn speaks of tells turns apart."""
    weight = rarity([frozenset({"page", "tax"}), frozenset({"page"}), frozenset({"page"})])
    assert weight("tax") > weight("page")


def test_overlap_is_a_share() -> None:
    """Nothing in common is 0, everything is 1, no words at all is 0."""
    words = frozenset({"a", "b"})
    assert [overlap(words, [frozenset(other)], lambda _: 1.0) for other in ("", "a", "abc")] == [0, 0.5, 1]
    assert overlap(frozenset(), [words], lambda _: 1.0) == 0


@given(st.text(max_size=300))
def test_a_vocabulary_is_bounded(text: str) -> None:
    """No text is too strange or too long to be compared."""
    assert len(vocabulary(text * 50)) < 1_000
