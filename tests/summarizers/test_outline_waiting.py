"""What a reply leaves to the person."""

import pytest

from service.summarizers.outline_closing import read_closing
from service.summarizers.outline_waiting import Waiting, Waits

LEFT: dict[Waits, list[str]] = {
    Waits.OFFERED: [
        "¿Quieres que añada pruebas?",
        "需要我提交这些更改吗？",
        "どちらの方法にしますか？",
        "The page stands. Want me to add tests? Otherwise this is done.",
        "If you'd like, I can also add a dark theme.",
    ],
    Waits.ASKED: [
        "There are two ways. Which of them do you prefer? I lean to the first.",
        "The endpoint is done. Should the limit apply to admins too?",
        "Quelle base de données voulez-vous utiliser ?",
        "Какой порт использовать?",
        "어떤 방식을 원하시나요?",
        "The build works.\n\n**Questions:**\n1. Keep the old route?\n2. Which region?",
    ],
    Waits.REQUESTED: [
        "The index is built. Please review the migration before I apply it.",
        "All green. You'll need to set `API_KEY` in the environment before the first start.",
        "Done. Let me know which name you want for the flag.",
        "I need your decision on the schema. Until then nothing changes.",
        "Fertig. Du musst den Schlüssel noch in der Konsole eintragen.",
        "Le script est prêt. Veuillez me donner l'adresse du serveur.",
        "수정했습니다. 서버를 다시 시작하세요.",
        "Ready for your review.",
        "The PR is open. Waiting for your approval.",
        "The credentials page has to be filled in manually in the vendor console.",
        "I've drafted it; tell me whether the tone fits.",
        "You should now delete the old bucket by hand.",
    ],
    Waits.TO_RUN: [
        "Ready to merge once CI is green.",
        "Fire up `index.html` in a browser to see it.",
        "Fixed. Make sure to run `npm install` since a dependency changed.",
        "The branch is ready. Before merging, run the integration suite against staging.",
        "Everything is in place. Restart the dev server to pick up the new port.",
        "Die Tests sind grün. Bitte starte den Dienst einmal neu.",
        "C'est corrigé. N'oubliez pas de redémarrer le serveur.",
        "Listo. Recuerda ejecutar las migraciones antes de desplegar.",
        "Pronto. Você precisa reiniciar o serviço.",
        "Готово. Перезапустите сервер, чтобы изменения вступили в силу.",
        "已修复。请重启服务后再试。",
        "修正しました。サーバーを再起動してください。",
        "To apply it, run:\n```bash\nmake migrate\n```",
    ],
    Waits.UNPROVEN: [
        "Unit tests pass.\n\n- A check on staging is still needed",
        "I updated the docs. I could not run the tests because Docker is not available here.",
        "The change compiles. I haven't tested it on Windows.",
        "Die Änderung ist noch nicht getestet.",
        "Исправлено, но тесты я не запускал.",
        "已完成。还没有测试。",
        "テストはまだ実行していません。",
    ],
    Waits.BLOCKED: [
        "I cannot push: the remote refuses the key.",
        "We're blocked until the vendor answers.",
        "3 of 40 tests still fail.",
    ],
}
NOTHING_LEFT = [
    "The old import stays, because it is still needed for the archive.",
    "Continuing with the parser: the second pass is in place.",
    "Added retries. When the server cannot be reached it waits and tries again.",
    "You can now filter by date. The filter is kept in the address.",
    "You should see a green dot next to each running job.",
    "All 40 tests pass and nothing else needs changing.",
    "The parser no longer fails on nested includes.",
    "Fixed the test that failed: 0 failed, 12 passed.",
    "Please note that the cache lives for an hour.",
    "The user is asked for a password before merging accounts.",
    "Removed the check that made the build fail.",
    "Why does it happen? Because both threads write the same file. The lock removes that.",
    "Die Seite ist fertig. Alle Tests laufen durch.",
    "Le formulaire vérifie maintenant l'adresse.",
    "La página ya está lista.",
    "Страница готова, все тесты проходят.",
    "页面已经完成，所有测试都通过了。",
    "ページが完成しました。テストもすべて通りました。",
    "페이지가 완성되었습니다.",
    "Let me know if you have any questions!",
    "I couldn't find any other caller, so nothing else changes.",
    "The command now prints what you have to do when the key is missing.",
    "It verifies the signature before the file is opened.",
    "Review comments are addressed.",
    "Test coverage is up to 92 %.",
    "Merge conflicts are resolved and the branch is pushed.",
    "The error message tells that the disk is full.",
    "Nothing was found in the logs of last week.",
    "I verified it by hand: the invoice has two digits.",
    "The old flag is not used any more and was removed.",
    "A commit that is not pushed is now shown in grey.",
    "Unmerged branches are listed in red.",
    "Committed as 4be1c20 and pushed to main.",
    "Deployed. The health check answers.",
    "The job runs every night and needs no attention.",
    "Uploads are tried three times; failures are logged.",
    "The test you asked for is there, and it passes.",
    "Both pages use the same template, so you only edit one file.",
    "Done! Let me know how it goes.",
    "Happy to help!",
    "Your data is safe: it was never deleted.",
    "The worker waits for the database on start.",
]


def whys(reply: str) -> list[Waits]:
    return [one.why for one in read_closing(reply).waiting]


@pytest.mark.parametrize(("why", "reply"), [(why, reply) for why, replies in LEFT.items() for reply in replies])
def test_what_a_reply_leaves_to_the_person_is_heard(why: Waits, reply: str) -> None:
    """Questions, offers, requests, hindrances and what is untried wait, whatever the language."""
    assert why in whys(reply)


@pytest.mark.parametrize("reply", NOTHING_LEFT)
def test_a_reply_that_only_reports_leaves_nothing(reply: str) -> None:
    """Words that only look alike ask nothing of anybody."""
    assert whys(reply) == []


@pytest.mark.parametrize(
    "close", ["Anything else?", "Let me know if you have questions!", "What would you like to do?", "Happy to help!"]
)
def test_a_pleasantry_asks_nothing(close: str) -> None:
    """Politeness is neither an offer nor a question about the work."""
    assert whys(f"The page stands. {close}") == []


def test_options_belong_to_their_question() -> None:
    """What there is to choose from is told with the question."""
    reply = "Two databases fit. Which one should be used?\n\n1. PostgreSQL\n2. SQLite"
    assert read_closing(reply).waiting == (Waiting(Waits.ASKED, "Which one should be used?", ("PostgreSQL", "SQLite")),)


def test_a_question_further_up_is_answered_by_what_follows() -> None:
    """Only the close of a long reply waits."""
    reply = "Do you see the loop?\n\n" + "It ends after ten rounds.\n\n" * 10
    assert whys(reply) == []


def test_of_a_great_many_requests_the_last_are_kept() -> None:
    """A wall of requests does not bury the last one."""
    reply = "\n\n".join(f"Please enter name {number}." for number in range(7))
    assert [one.text for one in read_closing(reply).waiting] == [
        f"Please enter name {number}." for number in range(3, 7)
    ]


def test_an_error_and_nothing_else_blocks() -> None:
    """A turn that ended in an error message shows it, though it reads like output."""
    assert read_closing("ERROR: no description was given").waiting == (
        Waiting(Waits.BLOCKED, "ERROR: no description was given"),
    )
