"""What a run costs so far, as the ledger has it."""

from __future__ import annotations

import dataclasses
import decimal
import typing

from ._http import Server
from ._identity import Identity, quoted

COLUMNS = ("effective_cost", "lost_cost", "gpu_hours", "budget")
CENT = decimal.Decimal("0.01")


@dataclasses.dataclass(frozen=True)
class Money:
    """Exact amounts of a run in one currency. None is unknown, which is not 0."""

    currency: str | None
    effective_cost: decimal.Decimal | None
    lost_cost: decimal.Decimal | None
    gpu_hours: decimal.Decimal | None
    budget: decimal.Decimal | None

    def __str__(self) -> str:
        if self.effective_cost is None:
            return "cost not known yet"
        return "%s %s" % (_short(self.effective_cost), self.currency)


@dataclasses.dataclass(frozen=True)
class Cost:
    """The cost of a run over its whole life. The ledger follows the run by some minutes, and estimates hours that no
    bill has priced yet; state says so (provisional, open, final)."""

    run_id: str
    amounts: tuple[Money, ...] = ()  # one per currency; none: not known
    state: str = ""
    reason: str = ""  # why nothing is known

    @property
    def known(self) -> bool:
        return any(m.effective_cost is not None for m in self.amounts)

    @property
    def amount(self) -> decimal.Decimal | None:
        """The cost, if it is known and in one currency."""
        return self.amounts[0].effective_cost if len(self.amounts) == 1 else None

    @property
    def currency(self) -> str | None:
        return self.amounts[0].currency if len(self.amounts) == 1 else None

    def __str__(self) -> str:
        if not self.known:
            return "cost not known yet" + (": " + self.reason if self.reason else "")
        text = " + ".join(str(m) for m in self.amounts if m.effective_cost is not None) + " so far"
        if self.state:
            text += ", " + self.state
        hours = self.amounts[0].gpu_hours
        return text if hours is None or len(self.amounts) > 1 else "%s (%s GPU-hours)" % (text, _short(hours))


def ask(server: Server, identity: Identity) -> Cost:
    """Asks the server. It raises what Server raises."""
    run_id = identity.run_id
    if not run_id:
        rows = server.get("/api/v1/costs", group_by="run", filter=identity.filter(), limit=100)["data"]
        names = sorted({row["run"] for row in rows if row.get("run")})
        if len(names) != 1:
            found = "several runs" if names else "no run yet"
            return Cost("", reason="the ledger has %s with %s" % (found, identity))
        run_id = names[0]
    rows = server.get("/api/v1/runs", filter="run_id = " + quoted(run_id), limit=100)["data"]
    if not rows:
        return Cost(run_id, reason="the ledger has no run %s yet, or this token does not see it" % run_id)
    amounts = tuple(Money(row.get("currency"), *(_decimal(row.get(name)) for name in COLUMNS)) for row in rows)
    return Cost(run_id, amounts, str(rows[0].get("state") or ""),
                "" if any(m.effective_cost is not None for m in amounts) else "no bill and no price covers its hours")


def _decimal(text: typing.Any) -> decimal.Decimal | None:
    return None if text is None else decimal.Decimal(str(text))


def _short(value: decimal.Decimal) -> str:
    """Two decimals, for reading."""
    with decimal.localcontext() as context:
        context.prec = 60
        return "{:,.2f}".format(value.quantize(CENT, rounding=decimal.ROUND_HALF_UP))
