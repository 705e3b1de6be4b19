package report_test

import (
	"context"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// labelled stores a text of cost-budget-limit that workload ml/train of cluster prod carries.
func labelled(t *testing.T, s *store.Store, key, value string, version int, standing, amount, others string) {
	t.Helper()
	name := ""
	if key != "" {
		name = key + " " + value + ledger.LabelledBudget
	}
	storetest.Run(t, s.Pool, `insert into limit_labels (tenant_id, budget_id, version, label, standing, name, key, value,
		  text, amount, others, cluster, workload, workloads, first_seen, last_seen)
		values (1, $1, $2::int, 'cost-budget-limit', $3, $4, $5, $6, $7::text, $7::text::numeric, $8, 'prod', 'ml/train', 3,
		  '2026-11-02T10:00:00Z'::timestamptz + $2::int * interval '1 hour', '2026-11-02T12:00:00Z')`,
		storetest.ID("budget", key+value+standing[:1]), version, standing, name, key, value, amount, others)
}

// The label of an experiment is a budget of its life in the currency of its cluster, with its versions; that of a
// person for the same life counts instead, and both say so.
func TestLabelsSetBudgetsOfALife(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `update owners set project = 'atlas', experiment = 'tune' where team = 'research'`)
	labelled(t, s, "experiment", "tune", 1, "newest", "20", "15, 18")
	labelled(t, s, "project", "atlas", 1, "newest", "8", "")
	labelled(t, s, "", "", 0, "no owner", "3", "")
	person := budget("Atlas", "project", "atlas", "100", func(b *ledger.Budget) { b.Period, b.Start = ledger.BudgetLife, 0 })
	publish(t, s, person, budget("hours of atlas", "project", "atlas", "100", func(b *ledger.Budget) {
		b.Period, b.Start, b.Unit, b.Currency = ledger.BudgetLife, 0, ledger.BudgetGPUHours, ""
	}))

	lead := storetest.InPart(t, s, "team = 'research'")
	for name, ctx := range map[string]context.Context{"analyst": t.Context(), "lead": lead} {
		rows := tableOf(ctx, t, s.Query, "budgets", metrics.Options{})
		if len(rows) != 3 {
			t.Errorf("%s: %d budgets: %v", name, len(rows), rows)
		}
		storetest.Wants(t, storetest.RowWith(t, rows, "name", "experiment tune (label)"), map[string]string{
			"key": "experiment", "value": "tune", "unit": "money", "currency": "USD", "period": "life", "amount": "20",
			"actual": "16.385", "ratio": "0.81925", "state": "at_80", "source": "label", "parent": "", "unallocated": "",
			// 3.615 are left at 16.385 in the 12 hours since the day of the first cost.
			"breaks_on": "2026-11-02T00:00:00Z", "labelled_until": "2026-11-02T12:00:00Z",
			"note": "at the same time other workloads say 15, 18",
		})
		storetest.Wants(t, storetest.RowWith(t, rows, "name", "Atlas"), map[string]string{
			"amount": "100", "source": "person", "note": "label cost-budget-limit of ml/train says 8 USD; this budget counts",
		})
		storetest.Wants(t, storetest.RowWith(t, rows, "name", "hours of atlas"), map[string]string{"note": ""})
		rows = tableOf(ctx, t, s.Query, "budget_versions", metrics.Options{Filter: "source = label and key = project"})
		storetest.Wants(t, rows[0], map[string]string{"name": "project atlas (label)", "newest": "false", "amount": "8",
			"changed_by": "label", "reason": "cost-budget-limit of ml/train and 2 more", "note": "Atlas counts instead"})
		rows = tableOf(ctx, t, s.Query, "limit_labels", metrics.Options{Filter: "key = project"})
		storetest.Wants(t, rows[0], map[string]string{"standing": "newest", "replaced_by": "Atlas", "currency": "USD"})
	}
	if days := storetest.Table(t, s, "budget_days", metrics.Options{Filter: "key = experiment"}); len(days) == 0 ||
		storetest.SumColumn(t, days, "spent") != "16.385" {
		t.Errorf("days of the experiment: %v", days)
	}
	if n := len(storetest.Table(t, s, "limit_labels", metrics.Options{Filter: "standing = 'no owner'"})); n != 1 {
		t.Errorf("%d texts without an owner", n)
	}
	if n := len(tableOf(lead, t, s.Query, "limit_labels", metrics.Options{Filter: "version = 0"})); n != 0 {
		t.Errorf("a lead sees %d texts of nobody", n)
	}
}

// A text without a known currency waits for one; an experiment that others share is not the reader's; an earlier amount
// is a version.
func TestBudgetsOfLabelsWaitAndChange(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `update owners set experiment = 'shared'`)
	labelled(t, s, "experiment", "shared", 1, "earlier", "20", "")
	storetest.Run(t, s.Pool, `update limit_labels set budget_id = $1`, storetest.ID("budget", "experimentsharedn"))
	labelled(t, s, "experiment", "shared", 2, "newest", "30", "")
	lead := storetest.InPart(t, s, "team = 'research'")
	if rows := tableOf(lead, t, s.Query, "budgets", metrics.Options{}); len(rows) != 0 {
		t.Errorf("a lead sees the budget of two teams: %v", rows)
	}
	rows := storetest.Table(t, s, "budget_versions", metrics.Options{})
	if len(rows) != 2 {
		t.Fatal(rows)
	}
	storetest.Wants(t, rows[0], map[string]string{"version": "2", "newest": "true", "amount": "30",
		"labelled_from": "2026-11-02T11:00:00Z", "changed_at": "2026-11-02T12:00:00Z"})
	storetest.Wants(t, rows[1], map[string]string{"version": "1", "newest": "false", "amount": "20"})

	storetest.Run(t, s.Pool, `update limit_labels set cluster = 'other'`)
	storetest.Wants(t, storetest.Table(t, s, "budgets", metrics.Options{})[0], map[string]string{"currency": "USD"})
	storetest.Run(t, s.Pool, `insert into posting_terms (select (jsonb_populate_record(p, jsonb_build_object('terms_id',
		  999, 'currency', 'EUR'))).* from posting_terms p limit 1)`)
	if rows := storetest.Table(t, s, "budgets", metrics.Options{}); len(rows) != 0 {
		t.Errorf("a budget without a currency counts: %v", rows)
	}
	storetest.Wants(t, storetest.Table(t, s, "budget_versions", metrics.Options{})[0], map[string]string{
		"currency": "", "newest": "false", "note": "its currency is not known before its cluster has a cost",
	})
}
