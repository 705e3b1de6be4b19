package book_test

import (
	"errors"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// A changed amount is the next version of the same budget, an equal one changes nothing, and a wrong parent refuses all.
func TestBudgetsHaveVersions(t *testing.T) {
	s := storetest.SmallLedger(t)
	start, err := period.ParseDay("2026-11-01")
	if err != nil {
		t.Fatal(err)
	}
	usd := func(name, amount, parent string) ledger.Budget {
		return ledger.Budget{Name: name, Key: "team", Value: "vision", Period: ledger.BudgetMonth, Start: start,
			Amount: money.MustParse(amount), Unit: ledger.BudgetMoney, Currency: "USD", Parent: parent}
	}
	publish := func(want int64, budgets ...ledger.Budget) {
		t.Helper()
		if n, err := s.PublishBudgets(t.Context(), storetest.ID("import", "1"), "ada", budgets); err != nil || n != want {
			t.Errorf("%d changed, want %d: %v", n, want, err)
		}
	}
	publish(2, usd("all", "100", ""), usd("part", "10", "all"))
	publish(0, usd("all", "100.00", ""), usd("part", "10", "all"))
	publish(1, usd("all", "100", ""), usd("part", "10.000000000001", "all"))
	for _, bad := range []ledger.Budget{usd("part", "1", "nobody"), usd("all", "1", "part")} {
		_, err := s.PublishBudgets(t.Context(), storetest.ID("import", "2"), "ada",
			[]ledger.Budget{usd("new", "1", ""), bad})
		if _, ok := errors.AsType[*ledger.FileError](err); !ok {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	rows := storetest.Table(t, s, "budget_versions", metrics.Options{Filter: "name = part"})
	if len(rows) != 2 {
		t.Fatalf("%d versions of part", len(rows))
	}
	storetest.Wants(t, rows[0], map[string]string{"version": "2", "newest": "true", "amount": "10.000000000001",
		"changed_by": "ada", "parent": "all", "period_end": "2026-12-01T00:00:00Z"})
	storetest.Wants(t, rows[1], map[string]string{"version": "1", "newest": "false", "amount": "10"})
	if rows[0]["budget_id"] != rows[1]["budget_id"] {
		t.Error("versions of one name have two ids")
	}
	if n := len(storetest.Table(t, s, "budget_versions", metrics.Options{Filter: "name = new"})); n != 0 {
		t.Error("a refused file leaves a budget behind")
	}
}
