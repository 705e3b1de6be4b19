package report_test

import (
	"context"
	"math/big"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// budget is a budget of November in money; change makes it another one.
func budget(name, key, value, amount string, change func(*ledger.Budget)) ledger.Budget {
	const november = period.Second(1_793_491_200) // 2026-11-01
	b := ledger.Budget{Name: name, Key: key, Value: value, Period: ledger.BudgetMonth, Start: november,
		Amount: money.MustParse(amount), Unit: ledger.BudgetMoney, Currency: "USD"}
	if change != nil {
		change(&b)
	}
	return b
}

func publish(t *testing.T, s *store.Store, budgets ...ledger.Budget) {
	t.Helper()
	if _, err := s.PublishBudgets(t.Context(), storetest.ID("import", "budgets"), "ada", budgets); err != nil {
		t.Fatal(err)
	}
}

// Spend is that of costs, split by state; steps count from equality; the rest of a parent is its amount less its parts.
func TestBudgetsShowTheSpendOfTheirPeriod(t *testing.T) {
	s := twoCurrencies(t)
	storetest.Run(t, s.Pool, `update postings set state = 'provisional' where cause = 'free'`)
	sum := func(filter, column string) string {
		o := metrics.Options{From: "2026-11-01", To: "2026-12-01", GroupBy: "state", Filter: filter}
		total := new(big.Rat)
		for _, r := range storetest.Table(t, s, "costs", o) {
			if column == "gpu_hours" || r["currency"] == "USD" {
				n, ok := new(big.Rat).SetString(product(t, "0", r[column]))
				if !ok {
					t.Fatal(r)
				}
				total.Add(total, n)
			}
		}
		return product(t, total.FloatString(40))
	}
	actual, provisional := sum("state != provisional", "effective_cost"), sum("state = provisional", "effective_cost")
	spent := sum("", "effective_cost")
	part := func(b *ledger.Budget) { b.Parent = "equal" }
	publish(t, s, budget("equal", "all", "", spent, nil),
		budget("over", "all", "", product(t, spent, "-0.000000000001"), nil),
		budget("eighty", "all", "", product(t, spent+"*1.25"), nil),
		budget("below", "all", "", product(t, spent+"*1.25", "0.000000000001"), nil),
		budget("far over", "all", "", product(t, spent+"*0.5"), part),
		budget("nothing", "team", "no such team", "1", part),
		budget("hours", "cluster", "c1", "1000", func(b *ledger.Budget) { b.Unit, b.Currency = ledger.BudgetGPUHours, "" }),
		budget("past", "all", "", "5", func(b *ledger.Budget) { b.Start -= 31 * period.Day }))
	rows := storetest.Table(t, s, "budgets", metrics.Options{})
	for name, want := range map[string]map[string]string{
		"equal": {"actual": actual, "provisional": provisional, "ratio": "1", "state": "at_100", "unconverted": "EUR GBP",
			"unallocated": product(t, spent+"*0.5", "-1"), "parent": ""},
		"over":     {"state": "at_100"},
		"eighty":   {"state": "at_80", "ratio": "0.8"},
		"below":    {"state": "ok"},
		"far over": {"state": "at_120", "ratio": "2", "parent": "equal", "unallocated": ""},
		"nothing":  {"actual": "0", "provisional": "0", "projected": "0", "state": "ok"},
		"hours":    {"currency": "", "unit": "gpu_hours"},
		"past":     {"actual": "0", "projected": "0"},
	} {
		storetest.Wants(t, storetest.RowWith(t, rows, "name", name), want)
	}
	if n := len(storetest.Table(t, s, "budgets", metrics.Options{Filter: "ratio >= 1 and key = all"})); n != 3 {
		t.Errorf("%d budgets of all that are spent", n)
	}
}

// The state names the highest step of the policy that holds on the last stored day of the budget's period, for readers
// with a scope too.
func TestBudgetsReachTheStepsOfThePolicy(t *testing.T) {
	s := storetest.SmallLedger(t)
	spent := storetest.Table(t, s, "costs", metrics.Options{
		From: "2026-11-01", To: "2026-12-01", GroupBy: "team", Filter: "team = research",
	})[0]["effective_cost"]
	publish(t, s, budget("half", "team", "research", product(t, spent+"*2"), nil),
		budget("whole", "team", "research", spent, nil))
	states := func(ctx context.Context, want string) {
		t.Helper()
		got := ""
		for _, r := range tableOf(ctx, t, s.Query, "budgets", metrics.Options{Filter: "key = team"}) {
			got += r["name"] + " " + r["state"] + " "
		}
		if got != want {
			t.Errorf("states are %q, want %q", got, want)
		}
	}
	lead := storetest.InPart(t, s, "team = 'research'")
	states(lead, "half ok whole at_100 ")
	save(t, s, "version: own\nvalid_from: 2026-11-01\nbudget_steps: [25, 50, 95]\n")
	save(t, s, "version: later\nvalid_from: 2099-01-01\nbudget_steps: [10]\n")
	save(t, s, rates)
	states(lead, "half at_50 whole at_95 ")
	states(t.Context(), "half at_50 whole at_95 ")
	if err := s.WithdrawPolicy(t.Context(), "own", "ada"); err != nil {
		t.Fatal(err)
	}
	states(lead, "half ok whole at_100 ")
}

// With stored rates other currencies count.
func TestBudgetsConvertByStoredRates(t *testing.T) {
	s := twoCurrencies(t)
	save(t, s, rates)
	publish(t, s, budget("euro", "all", "", "100", func(b *ledger.Budget) { b.Currency = "EUR" }))
	converted := storetest.RowWith(t, storetest.Table(t, s, "costs", metrics.Options{From: "2026-11-01", To: "2026-12-01",
		Currency: "EUR", CurrencyMissing: "keep"}), "currency", "EUR")
	storetest.Wants(t, storetest.Table(t, s, "budgets", metrics.Options{})[0],
		map[string]string{"actual": converted["effective_cost"], "unconverted": "GBP"})
}

// The days of a budget add up to its spend, and the dashed end is the budget's projected end.
func TestDaysOfABudgetAddUpToItsSpend(t *testing.T) {
	s := twoCurrencies(t)
	publish(t, s, budget("all", "all", "", "1000", nil),
		budget("other", "all", "", "7", func(b *ledger.Budget) { b.Start -= 31 * period.Day }))
	all := storetest.RowWith(t, storetest.Table(t, s, "budgets", metrics.Options{}), "name", "all")
	days := storetest.Table(t, s, "budget_days", metrics.Options{Filter: "name = all"})
	if len(days) != 30 {
		t.Fatalf("%d days of November", len(days))
	}
	sum, last := "0", ""
	for _, d := range days {
		if d["spent"] == "" {
			continue
		}
		sum = product(t, sum, d["spent"])
		if last = product(t, d["cumulative"]); last != sum {
			t.Errorf("%s: %s added up, want %s", d["day"], last, sum)
		}
	}
	if want := product(t, all["actual"], all["provisional"]); want == "0" || last != want || days[0]["spent"] == "" {
		t.Errorf("days make %s, want %s", last, want)
	}
	storetest.Wants(t, days[29], map[string]string{"projected": all["projected"], "cumulative": "", "amount": "1000"})
	if (all["breaks_on"] == "") != strings.HasPrefix(product(t, all["projected"], "-1000"), "-") {
		t.Errorf("breaks on %q, projected %s", all["breaks_on"], all["projected"])
	}
}

// The line of a life goes on from its spend at its pace until the amount is reached, else for 28 days; a life that is not
// spent lately has none.
func TestALifeIsProjectedUntilItBreaks(t *testing.T) {
	s := storetest.SmallLedger(t)
	life := func(b *ledger.Budget) { b.Period = ledger.BudgetLife }
	spent := storetest.Asked(t, s, "costs", "effective_cost", metrics.Options{Filter: "currency = USD"})
	publish(t, s, budget("breaks", "all", "", product(t, spent+"*3"), life),
		budget("far", "all", "", product(t, spent+"*3000"), life), budget("quiet", "team", "no such team", "5", life))
	rows := storetest.Table(t, s, "budgets", metrics.Options{})
	for name, far := range map[string]bool{"breaks": false, "far": true} {
		b := storetest.RowWith(t, rows, "name", name)
		if b["early"] != "true" || b["projected_days"] == "" || (b["breaks_on"] == "") != far {
			t.Errorf("%s: %v", name, b)
		}
		days := storetest.Table(t, s, "budget_days", metrics.Options{Filter: "name = " + name})
		last, ahead, before := days[len(days)-1], 0, "0"
		for _, d := range days {
			if d["projected"] == "" {
				continue
			}
			if strings.HasPrefix(product(t, d["projected"], "-"+before), "-") {
				t.Errorf("%s falls to %s on %s", name, d["projected"], d["day"])
			}
			before = d["projected"]
			ahead++
		}
		switch over := product(t, last["projected"], "-"+b["amount"]); {
		case far && ahead != 28:
			t.Errorf("far is projected for %d days", ahead)
		case !far && (strings.HasPrefix(over, "-") || last["day"] != b["breaks_on"]):
			t.Errorf("it ends on %s at %s, and breaks on %s", last["day"], last["projected"], b["breaks_on"])
		}
	}
	for _, d := range storetest.Table(t, s, "budget_days", metrics.Options{Filter: "name = quiet"}) {
		if d["projected"] != "" {
			t.Errorf("a life without spend is projected: %v", d)
		}
	}
}
