package report_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/closing"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

func deploy(key, value, text string) ledger.Annotation {
	return ledger.Annotation{At: storetest.Second("2026-11-02T08"), Kind: ledger.AnnotationDeploy, Key: key,
		Value: value, Text: text, Source: "ci", Link: "https://ci.example/1"}
}

// textsOf are the texts of annotations that a user reads, sorted.
func textsOf(ctx context.Context, t *testing.T, s *store.Store, dataset string, o metrics.Options) string {
	t.Helper()
	var texts []string
	for _, r := range tableOf(ctx, t, s.Query, dataset, o) {
		texts = append(texts, r["text"])
	}
	slices.Sort(texts)
	return strings.Join(texts, "|")
}

func TestAnnotationsOfAWindow(t *testing.T) {
	s := storetest.SmallLedger(t)
	list := []ledger.Annotation{deploy("team", "research", "a"), deploy("", "", "b")}
	list[1].Until = list[1].At + 3600
	if _, err := s.PublishAnnotations(t.Context(), storetest.ID("import", "1"), "import", list); err != nil {
		t.Fatal(err)
	}
	rows := storetest.Table(t, s, "annotations", metrics.Options{Filter: "source = ci"})
	storetest.Wants(t, storetest.RowWith(t, rows, "text", "a"), map[string]string{"at": "2026-11-02T08:00:00Z",
		"until": "", "kind": "deploy", "key": "team", "value": "research", "link": "https://ci.example/1"})
	storetest.Wants(t, storetest.RowWith(t, rows, "text", "b"), map[string]string{"until": "2026-11-02T09:00:00Z",
		"key": "", "value": ""})
	for window, want := range map[[2]string]string{
		{"2026-11-02T08:30:00Z", "2026-11-02T08:31:00Z"}: "b", // it lasts
		{"2026-11-02T08:00:00Z", "2026-11-02T08:00:01Z"}: "a|b",
		{"2026-11-02T09:00:00Z", "2026-11-03T00:00:00Z"}: "",
		{"2026-11-01T00:00:00Z", "2026-11-02T08:00:00Z"}: "",
	} {
		for _, dataset := range []string{"annotations", "stored_annotations"} {
			o := metrics.Options{From: window[0], To: window[1]}
			if got := textsOf(t.Context(), t, s, dataset, o); got != want {
				t.Errorf("%s of %v: %q, want %q", dataset, window, got, want)
			}
		}
	}
}

// A step appears on the day whose spend reached it, a close with the name of the person. Scoped users see the steps of
// their budgets and no closes.
func TestTheLedgerAddsStepsAndCloses(t *testing.T) {
	s := storetest.SmallLedger(t)
	spent := storetest.SumColumn(t, storetest.Table(t, s, "costs", metrics.Options{GroupBy: "team",
		Filter: "team = research", From: "2026-11-01", To: "2026-12-01"}), "effective_cost")
	publish(t, s, budget("eighty", "team", "research", product(t, spent+"*1.25"), nil),
		budget("below", "team", "research", product(t, spent+"*1.25", "0.000000000001"), nil),
		budget("over", "team", "research", product(t, spent+"*0.5"), nil),
		budget("whole", "all", "", "0.01", nil),
		budget("hours", "team", "research", "0.001", func(b *ledger.Budget) {
			b.Unit, b.Currency = ledger.BudgetGPUHours, ""
		}),
		budget("past", "all", "", "0.01", func(b *ledger.Budget) { b.Start -= 31 * 86400 }))
	for _, r := range storetest.Table(t, s, "annotations", metrics.Options{Filter: "kind = budget"}) {
		storetest.Wants(t, r, map[string]string{"at": "2026-11-02T00:00:00Z", "source": "ledger"})
	}
	const eighty, research = "budget eighty reached 80 %", "kind = budget and value = research"
	lead := storetest.InPart(t, s, "team = 'research'")
	for name, ctx := range map[string]context.Context{"analyst": t.Context(), "lead": lead} {
		got := textsOf(ctx, t, s, "annotations", metrics.Options{Filter: research})
		if strings.Count(got, eighty) != 1 || strings.Contains(got, "below") || strings.Count(got, "budget over") != 3 ||
			strings.Count(got, "GPU-hours") != 3 {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := textsOf(lead, t, s, "annotations", metrics.Options{}); strings.Contains(got, "whole") {
		t.Errorf("the lead of a team reads of the budget for all: %s", got)
	}
	if got := textsOf(t.Context(), t, s, "annotations", metrics.Options{To: "2026-11-02"}); got != "" {
		t.Errorf("before the first day with spend: %s", got)
	}
	// The day that a window cuts counts whole, so a step does not move with the window.
	cut := metrics.Options{From: "2026-11-02", To: "2026-11-02T00:00:01Z", Filter: research}
	if got := textsOf(t.Context(), t, s, "annotations", cut); strings.Count(got, eighty) != 1 {
		t.Errorf("the first second of the day: %s", got)
	}

	for _, table := range []string{"parts", "postings"} {
		storetest.Run(t, s.Pool, "update "+table+" set billing_account = '111' where billing_period is not null")
	}
	at := time.Date(2026, 12, 6, 9, 0, 0, 0, time.UTC)
	if err := s.Books(t.Context(), func(b closing.Books) error {
		_, err := b.Close(t.Context(), "111", "2026-11", "ada", at)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	rows := storetest.Table(t, s, "annotations", metrics.Options{Filter: "kind = close"})
	if len(rows) != 1 {
		t.Fatalf("%v", rows)
	}
	storetest.Wants(t, rows[0], map[string]string{"at": "2026-12-06T09:00:00Z", "key": "billing_account", "value": "111",
		"text": "ada closed 2026-11, statement 1"})
	if got := textsOf(lead, t, s, "annotations", metrics.Options{Filter: "kind = close"}); got != "" {
		t.Errorf("the lead of a team reads %q", got)
	}
}

// A rate that replaces another is an event for every reader: prices concern no owner.
func TestPriceBooksAddChangedPrices(t *testing.T) {
	s := storetest.SmallLedger(t)
	for i, r := range [][3]string{
		{"98.320", "-infinity", "2026-11-01"}, {"88.49", "2026-11-01", "2026-11-05"}, {"88.490", "2026-11-05", "infinity"},
	} {
		storetest.Run(t, s.Pool, "insert into rates (tenant_id, rate_id, instance_type, region, price_class, currency, "+
			"hourly, valid_from, valid_to, source) values (1, $1, 'p5', '', 'on_demand', 'USD', $2::numeric, $3::timestamptz, "+
			"$4::timestamptz, 'book.yaml')", storetest.ID("rate", strconv.Itoa(i)), r[0], r[1], r[2])
	}
	for _, ctx := range []context.Context{t.Context(), storetest.InPart(t, s, "team = 'research'")} {
		rows := tableOf(ctx, t, s.Query, "annotations", metrics.Options{Filter: "kind = price", From: "2026-10-15"})
		if len(rows) != 1 {
			t.Fatalf("%v", rows)
		}
		storetest.Wants(t, rows[0], map[string]string{"at": "2026-11-01T00:00:00Z", "key": "instance_type", "value": "p5",
			"source": "price book", "text": "p5, on demand: 98.32 → 88.49 USD an hour"})
	}
	if got := textsOf(t.Context(), t, s, "annotations", metrics.Options{From: "2026-11-02"}); got != "" {
		t.Errorf("a window without changes: %s", got)
	}
}

// A scoped user reads annotations about owners that lie wholly in the scope.
func TestAnnotationsAreReadWithinScope(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, "insert into owners (tenant_id, owner_id, team, project) values (1, $1, 'vision', 'p'), "+
		"(1, $2, 'other', 'p')", storetest.ID("owner", "vision"), storetest.ID("owner", "other"))
	if err := s.RefreshScopes(t.Context()); err != nil {
		t.Fatal(err)
	}
	list := []ledger.Annotation{deploy("team", "research", "research"), deploy("team", "vision", "vision"),
		deploy("project", "p", "p"), deploy("cluster", "prod", "prod"), deploy("", "", "fleet"), deploy("all", "", "all"),
		deploy("team", "unheard", "unheard")}
	if _, err := s.PublishAnnotations(t.Context(), storetest.ID("import", "1"), "import", list); err != nil {
		t.Fatal(err)
	}
	for scope, want := range map[string]string{
		"team = 'research'":                      "research",
		"team = 'vision'":                        "vision",
		"project = 'p'":                          "p|vision",
		"team in ('vision', 'other')":            "p|vision",
		"team = 'vision' and cluster = 'prod'":   "",
		"team = 'nobody'":                        "",
		"cluster = 'prod'":                       "",
		"team = 'research' or cluster = 'other'": "research",
	} {
		ctx := storetest.InPart(t, s, scope)
		for _, dataset := range []string{"annotations", "stored_annotations"} {
			if got := textsOf(ctx, t, s, dataset, metrics.Options{Filter: "kind = deploy"}); got != want {
				t.Errorf("%s as %s: %q, want %q", dataset, scope, got, want)
			}
		}
	}
	if got := textsOf(t.Context(), t, s, "annotations", metrics.Options{}); strings.Count(got, "|") != len(list)-1 {
		t.Errorf("without a scope: %q", got)
	}
}
