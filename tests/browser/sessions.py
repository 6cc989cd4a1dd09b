"""Made-up sessions in every shape the page has to show, put into a live service through its own doors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.support.live import LiveService
from tests.support.model_server import ModelServer, intent, summary_reply

Fact = Mapping[str, str]
BEGUN = 1_785_000_000


@dataclass(frozen=True, slots=True)
class Made:
    """A session: what was said turn by turn, what the turns proved, and the summary a model drafts of it."""

    slot: str
    title: str
    project: str
    turns: int
    intents: Sequence[Mapping[str, Any]]
    constraints: Sequence[str] = ()
    facts: Mapping[int, Sequence[Fact]] = field(default_factory=dict)


def step(what: str, why: str = "", expect: str = "") -> dict[str, str]:
    return {"what": what, "why": why, "expect": expect}


def fact(kind: str, text: str, result: str | None = None) -> dict[str, str]:
    return {"kind": kind, "text": text} | ({"result": result} if result else {})


CHECKOUT = Made(
    slot="checkout",
    title="Totals are off by a cent",
    project="/home/ana/shop",
    turns=14,
    intents=[
        intent(
            "Make the cart total agree with the invoice",
            initial_intent="A customer was charged one cent more than the invoice said, twice this week.",
            ranges=[[1, 5], [11, 14]],
            status="completed",
            verified=False,
            origin_turn=1,
            progress=[
                "Tax is rounded once per line, in cart/tax.py; the invoice always did it so.",
                "The change is merged, but no order has gone through it yet.",
            ],
            next_steps=[
                step(
                    "Place a test order with three discounted lines and compare it with its invoice",
                    "The fix was merged without a run of the payment tests.",
                    "Both totals end in the same cent.",
                )
            ],
        ),
        intent(
            "Show prices without tax to business customers",
            initial_intent="Sales wants business accounts to see net prices from the first page on.",
            ranges=[[6, 10]],
            status="active",
            origin_turn=6,
            progress=[
                "The price component takes a mode; the account page sets it.",
                "Search results still show gross prices.",
            ],
            next_steps=[
                step(
                    "Pass the mode to the search results",
                    "They are rendered by another template.",
                    "Net prices in both.",
                ),
                step("Ask sales whether the basket shows both prices"),
            ],
        ),
        intent(
            "Sort the currency table by country",
            initial_intent="It was hard to find a currency in the admin form.",
            ranges=[[4, 4]],
            status="completed",
            verified=True,
            origin_turn=4,
            progress=["The table is sorted by country name, then by code."],
            next_steps=[],
        ),
        intent(
            "Replace the rounding library",
            initial_intent="It was one of three ways out that were offered.",
            ranges=[[3, 3]],
            status="abandoned",
            origin_turn=3,
            progress=["Not needed once the order of rounding was clear."],
            next_steps=[],
        ),
    ],
    constraints=[
        "Run the tests with TZ=UTC; the tax tests fail in any other zone.",
        "After a change in cart/tax.py run `make fixtures`, else the invoice tests compare with old totals.",
    ],
    facts={
        4: [fact("edited", "admin/currency.py"), fact("ran", "pytest tests/admin -q", "passed")],
        5: [fact("edited", "cart/tax.py"), fact("ran", "pytest tests/cart -q", "passed")],
        12: [fact("ran", "pytest tests/payment -q", "failed"), fact("committed", "3f2c1aa Round tax once per line")],
        14: [fact("opened_pr", "https://code.example.org/shop/pull/218")],
    },
)

EXPORT = Made(
    slot="export",
    title="CSV export",
    project="/home/ana/reports",
    turns=6,
    intents=[
        intent(
            "Let a report be downloaded as CSV",
            initial_intent="The finance team copies tables out of the page by hand.",
            ranges=[[1, 6]],
            status="completed",
            verified=True,
            progress=["Each report has a download link; dates are ISO, numbers have a point."],
            next_steps=[],
        )
    ],
    facts={6: [fact("edited", "reports/csv.py"), fact("ran", "pytest -q", "passed")]},
)

ARABIC = Made(
    slot="rtl",
    title="صفحة الدفع",
    project="/home/ana/متجر",
    turns=3,
    intents=[
        intent(
            "إصلاح اتجاه النص في صفحة الدفع (RTL) مع الإبقاء على أرقام الطلبات",
            initial_intent="كانت الأزرار تظهر في الجهة الخطأ عند المستخدمين العرب.",
            ranges=[[1, 3]],
            progress=["الأزرار في مكانها الصحيح الآن.", "لم تُختبر صفحة الفاتورة بعد: pytest tests/invoice"],
            next_steps=[step("افتح صفحة الفاتورة وتحقق من الاتجاه", "لم يفحصها أحد", "تظهر الأرقام من اليسار")],
        )
    ],
)

JAPANESE = Made(
    slot="cjk",
    title="検索の速度",
    project="/home/ana/検索",
    turns=4,
    intents=[
        intent(
            "商品検索が三秒以上かかる問題を直し、索引を作り直しても結果の順序が変わらないようにする",
            initial_intent="利用者から検索が遅いという報告が続いた。",
            ranges=[[1, 2], [4, 4]],
            progress=["索引は夜間に作り直される。", "検索は平均二百ミリ秒で終わる。"],
            next_steps=[step("本番の記録で速度を確かめる", "試験データは小さすぎる", "三秒を超える検索がない")],
        )
    ],
)

LONG = Made(
    slot="long",
    title="Long titles",
    project="/home/ana/" + "a-folder-with-a-very-long-name-" * 4,
    turns=2,
    intents=[
        intent(
            "Find out why the nightly import of the supplier's catalogue stops after the second file, " * 3
            + "https://example.org/"
            + "unbroken" * 40,
            ranges=[[1, 1], [2, 2]],
            progress=["x" * 400],
            next_steps=[step("W" * 300, "y" * 300, "z" * 300)],
        )
    ],
    constraints=["c" * 300],
)

MANY = Made(
    slot="many",
    title="A long week",
    project="/home/ana/shop",
    turns=50,
    intents=[
        intent(
            f"Goal number {n} of a long week",
            ranges=[[n, n]],
            status=("active", "completed", "completed", "abandoned")[n % 4],
            verified=(None, True, False, None)[n % 4],
            next_steps=[step(f"Look at goal {n} again")] if n % 3 == 0 else [],
        )
        for n in range(1, 51)
    ],
)

# Work that goes on, of which no summary says what comes next.
UNNAMED = Made(
    slot="unnamed",
    title="Slow start",
    project="/srv/checkouts/shop",
    turns=5,
    intents=[
        intent(
            "Start the worker in less than two seconds",
            initial_intent="Each deploy blocks for nine seconds.",
            ranges=[[1, 5]],
            status="active",
            verified=None,
            progress=["Imports are measured; the report library takes six of the nine seconds."],
            next_steps=[],
        )
    ],
    facts={1: [fact("edited", "worker/start.py"), fact("ran", "pytest", "passed")]},
)

ALL = (MANY, LONG, JAPANESE, ARABIC, EXPORT, CHECKOUT)


def open_session(live: LiveService, made: Made) -> None:
    """The slot with its whole conversation, and no summary."""
    live.put(made.slot, title=made.title, project=made.project).raise_for_status()
    live.append(made.slot, list(_messages(made))).raise_for_status()


def summarize(live: LiveService, model: ModelServer, made: Made) -> None:
    """The session with its summary, made by the real pass from the draft of a scripted model."""
    open_session(live, made)
    model.script(summary_reply(made.intents, made.constraints))
    live.generate(made.slot).raise_for_status()


def _messages(made: Made) -> Sequence[dict[str, Any]]:
    said = []
    for turn in range(1, made.turns + 1):
        said.append({"role": "user", "content": f"{made.title}: what about part {turn}?", "ts": BEGUN + 600 * turn})
        said.append(
            {"role": "assistant", "content": f"Part {turn} is looked at.", "facts": list(made.facts.get(turn, ()))}
        )
    return said
