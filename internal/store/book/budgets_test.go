package book_test

import (
	"errors"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// Fiscal periods follow the policy, and a stored version keeps its end when the policy changes.
func TestBudgetsFollowTheFiscalCalendar(t *testing.T) {
	s := storetest.SmallLedger(t)
	start, err := period.ParseDay("2026-11-29")
	if err != nil {
		t.Fatal(err)
	}
	weeks := ledger.Budget{Name: "weeks", Key: "all", Period: ledger.BudgetMonth, Start: start,
		Amount: money.MustParse("5"), Unit: ledger.BudgetTokens, File: "plan.csv", Line: 2}
	publish := func(want int64, b ledger.Budget) {
		t.Helper()
		n, err := s.PublishBudgets(t.Context(), storetest.ID("import", "1"), "ada", []ledger.Budget{b})
		if err != nil || n != want {
			t.Errorf("%d changed, want %d: %v", n, want, err)
		}
	}
	ends := func(want string) {
		t.Helper()
		got := ""
		for _, r := range storetest.Table(t, s, "budget_versions", metrics.Options{Filter: "name = weeks"}) {
			got += r["version"] + " " + r["period_end"] + " "
		}
		if got != want {
			t.Errorf("versions end on %s, want %s", got, want)
		}
	}
	if _, err := s.PublishBudgets(t.Context(), storetest.ID("import", "1"), "ada", []ledger.Budget{weeks}); err == nil ||
		!strings.Contains(err.Error(), "plan.csv line 2") || !strings.Contains(err.Error(), "2026-11-01 and 2026-12-01") {
		t.Errorf("without a fiscal calendar: %v", err)
	}
	calendar := func(name, weeks string) {
		t.Helper()
		document := "version: " + name + "\nfiscal_calendar: {start: february, weeks: " + weeks +
			", weekday: sunday, rule: nearest}\n"
		if _, _, err := s.SavePolicy(t.Context(), []byte(document), "ada"); err != nil {
			t.Fatal(err)
		}
	}
	calendar("retail", "4-5-4")
	publish(1, weeks)
	publish(0, weeks)
	ends("1 2027-01-03T00:00:00Z ")
	if err := s.WithdrawPolicy(t.Context(), "retail", "ada"); err != nil {
		t.Fatal(err)
	}
	publish(0, weeks) // begins nothing now, and says the same
	ends("1 2027-01-03T00:00:00Z ")
	calendar("other", "4-4-5")
	ends("1 2027-01-03T00:00:00Z ")
	publish(1, weeks)
	ends("2 2026-12-27T00:00:00Z 1 2027-01-03T00:00:00Z ")
}

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
