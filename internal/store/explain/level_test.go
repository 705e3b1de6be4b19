package explain_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"gpuledger/internal/access"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// weekLedger is the small ledger with its hour repeated on later days with other amounts, and with more node-hours
// without a bill than a page shows.
func weekLedger(t *testing.T) *store.Store {
	s := storetest.SmallLedger(t)
	later(t, s)
	return s
}

// later copies the postings to later days.
func later(t *testing.T, s *store.Store) {
	t.Helper()
	for _, table := range []string{"parts", "usage", "posting_rows"} {
		storetest.Run(t, s.Pool, "select ensure_month($1, '2026-12-02')", table)
	}
	storetest.Run(t, s.Pool, `create function later(n int)
		returns interval language sql immutable as $$ select n * interval '7 days 5 hours' $$`)
	storetest.Run(t, s.Pool, `insert into parts (tenant_id, part_id, charge_id, delivery_id, rate_id, number, kind,
		  node_id, hour, billing_period, currency,
			effective_cost, billed_cost, list_cost, contracted_cost, usage_seconds, method, quality, owner_id)
		select tenant_id, part_id, charge_id, delivery_id, rate_id, number, kind, node_id, hour + later(n), billing_period,
		  currency,
			effective_cost * n, billed_cost * n, list_cost * n, contracted_cost * n, usage_seconds, method, quality, owner_id
		from parts cross join generate_series(1, 4) n`)
	storetest.Run(t, s.Pool, `insert into postings (tenant_id, posting_id, hour, part_id, charge_id, rate_id, part,
		  usage_id, billing_period, cause, activity, kind, owner_id, method, quality,
			policy_version, currency, state, effective_cost, billed_cost, list_cost, contracted_cost, gpu_hours,
			capacity_gpu_hours, active_gpu_hours, node_id, slot, device, workload_id, run_id, attempt_id,
			generation, billing_account)
		select tenant_id, md5(posting_id::text || n)::uuid, hour + later(n), part_id, charge_id, rate_id, part, usage_id,
		  billing_period, cause, activity, kind, owner_id, method, quality,
			policy_version, currency, state, effective_cost * n, billed_cost * n, list_cost * n, contracted_cost * n, gpu_hours,
			capacity_gpu_hours, active_gpu_hours, node_id, slot, device, workload_id, run_id, attempt_id,
			generation, billing_account
		from postings cross join generate_series(1, 4) n`)
	storetest.Run(t, s.Pool, `insert into parts (tenant_id, part_id, number, kind, node_id, hour, currency, effective_cost,
		  method, quality, owner_id)
		select 1, md5('part' || n)::uuid, 0, 'provisional', p.node_id, p.hour, 'USD', n * 0.000000000001, 'rate', 'assumed',
		  p.owner_id
		from (select * from parts where kind = 'compute' order by hour limit 1) p cross join generate_series(1, 130) n`)
	storetest.Run(t, s.Pool, `insert into postings (tenant_id, posting_id, hour, part_id, part, cause, kind, owner_id,
		  method, quality, policy_version, currency, state, effective_cost, node_id, generation)
		select 1, md5('posting' || n)::uuid, p.hour, md5('part' || n)::uuid, p.part, 'free', 'direct', p.owner_id, 'rate',
		  'assumed', p.policy_version, 'USD', 'provisional', n * 0.000000000001, p.node_id, p.generation
		from (select * from postings where cause = 'free' order by hour limit 1) p cross join generate_series(1, 130) n`)
}

// levels walks down from subjects to bill lines: the rows of every level add up to the figure above, and the figure
// that explains a row equals the row.
type levels struct {
	t    *testing.T
	s    *store.Store
	ctx  context.Context
	seen map[string]*metrics.Explanation
	// depth is how far below a subject the walk is: deeper down it follows two rows per cut.
	depth int
	// kinds counts the subjects that the walk ended at, by kind.
	kinds map[string]int
}

func (w *levels) walk(subject string) *metrics.Explanation {
	w.t.Helper()
	if e := w.seen[subject]; e != nil {
		return e
	}
	e, err := w.s.ExplainLevel(w.ctx, subject, 0)
	if err != nil {
		w.t.Fatalf("%s: %v", subject, err)
	}
	if w.seen[subject] = e; e.Level == nil {
		return e
	}
	w.depth++
	defer func() { w.depth-- }()
	for _, c := range e.Level.Cuts {
		if c.Agrees == nil || !*c.Agrees {
			w.t.Errorf("%s: rows by %v do not add up to it", subject, c.By)
		}
		for i, r := range c.Rows {
			if w.depth > 1 && i > 1 {
				break
			}
			below := w.walk(r.Subject)
			if got, want := effective(below, r.Amount.Currency), text(r.Amount.Effective); got != want {
				w.t.Errorf("%s: by %v the row %s is %s; its own figure is %s", subject, c.By, r.Subject, want, got)
			}
		}
	}
	if len(e.Figures) > 0 && len(e.Level.Cuts) == 0 && e.Level.Lines == nil {
		w.t.Errorf("%s leads nowhere", subject)
	}
	if e.Level.Lines != nil {
		w.lines(subject, e)
	}
	return e
}

// lines reads all pages of a figure's bill lines, and follows each line of the first.
func (w *levels) lines(subject string, e *metrics.Explanation) {
	var sum money.Amount
	rows := 0
	for l := e.Level.Lines; len(l.Rows) > 0; {
		if !l.Agrees {
			w.t.Errorf("%s: lines do not add up to it", subject)
		}
		for i, r := range l.Rows {
			if r.Amount.Effective != nil {
				sum = sum.Add(money.MustParse(*r.Amount.Effective))
			}
			kind, _, _ := strings.Cut(r.Subject, "/")
			w.kinds[kind]++
			if kind == "charge" && (r.File == nil || r.Line == nil) {
				w.t.Errorf("%s: charge %s has no file and line", subject, r.Subject)
			}
			if l.First == 0 && i < 5 {
				w.walk(r.Subject)
			}
		}
		rows += len(l.Rows)
		next, err := w.s.ExplainLevel(w.ctx, subject, rows)
		if err != nil {
			w.t.Fatal(err)
		}
		l = next.Level.Lines
	}
	if want := effective(e, "USD"); sum.String() != want || int64(rows) != e.Level.Lines.Count {
		w.t.Errorf("%s: %d of %d lines add up to %s; the figure is %s", subject, rows, e.Level.Lines.Count, sum, want)
	}
}

func effective(e *metrics.Explanation, currency string) string {
	for _, f := range e.Figures {
		if f.Currency == currency {
			return text(f.Effective)
		}
	}
	return "no figure in " + currency
}

func text(v *string) string {
	if v == nil {
		return "unknown"
	}
	return *v
}

func TestLevelsAddUpDownToBillLines(t *testing.T) {
	s := weekLedger(t)
	subjects := []string{"costs", "costs?filter=team+%3D+research",
		"costs?filter=cause+%3D+free+or+run+%3D+''&basis=billed",
		"costs?group-by=team,cause", "costs?granularity=month&tz=Asia/Tokyo",
		"costs?from=2026-11-02T09:30&to=2026-11-09T16:00&tz=Europe/Berlin",
		"owner/team=research?billing-period=2026-11", "costs?group-by=project&sharing=after"}
	for _, rolled := range []bool{false, true} {
		if rolled {
			storetest.Run(t, s.Pool, "delete from dirty")
			var days []period.Second
			for _, d := range storetest.November(false) {
				days = append(days, d.Day)
			}
			for len(days) > 0 {
				done, _, err := s.RollUpDays(t.Context(), "costs", days)
				if err != nil || done == 0 {
					t.Fatal(done, err)
				}
				days = days[done:]
			}
		}
		w := &levels{t: t, s: s, ctx: t.Context(), seen: map[string]*metrics.Explanation{}, kinds: map[string]int{}}
		for _, subject := range subjects {
			level := w.walk(subject)
			whole, err := s.Explain(t.Context(), subject)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := effective(level, "USD"), effective(whole, "USD"); got != want || !whole.Behind.Agrees {
				t.Errorf("%s: level by level it is %s, posting by posting %s", subject, got, want)
			}
		}
		if w.kinds["charge"] < 10 || w.kinds["posting"] < 100 {
			t.Errorf("the walk ends at %v", w.kinds)
		}
	}
}

// TestLevelsForScopedUsers: a team lead follows figures down to the lines that the team has a share of; no row includes
// others' amounts, and others' rows are not found.
func TestLevelsForScopedUsers(t *testing.T) {
	s := weekLedger(t)
	w := &levels{
		t: t, s: s, ctx: storetest.InPart(t, s, "team = 'research'"),
		seen: map[string]*metrics.Explanation{}, kinds: map[string]int{},
	}
	if got := effective(w.walk("costs"), "USD"); got != "180.235" { // 16.385 × (1 + 1 + 2 + 3 + 4)
		t.Errorf("a lead's costs are %s", got)
	}
	if w.kinds["charge"] == 0 || w.kinds["node"]+w.kinds["posting"] > 0 {
		t.Errorf("the walk ends at %v", w.kinds)
	}
	if e := w.walk("costs?group-by=team"); len(e.Level.Cuts[0].Rows) != 1 || len(e.Level.Cuts) < 2 { // one row leads on
		t.Errorf("a lead sees teams %+v", e.Level.Cuts)
	}
	if e := w.walk("costs?filter=team+%3D+unowned"); len(e.Figures) != 0 || e.Level.Lines != nil &&
		len(e.Level.Lines.Rows) > 0 {
		t.Errorf("a lead sees costs of others: %+v", e)
	}
	var outside *access.ScopeError
	if _, err := s.ExplainLevel(w.ctx, "costs?filter=tag:CostCenter%3D'cc-1'", 0); !errors.As(err, &outside) {
		t.Errorf("a tag of bill lines: %v, want a refusal", err)
	}
}
