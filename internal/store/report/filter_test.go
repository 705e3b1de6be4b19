package report_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// drawFilter generates an expression over keys and values of the small ledger.
func drawFilter(t *rapid.T, depth int) metrics.Expr {
	kind := rapid.IntRange(0, 6).Draw(t, "kind")
	if depth == 0 {
		kind = max(kind, 3)
	}
	switch kind {
	case 0:
		return metrics.And{Left: drawFilter(t, depth-1), Right: drawFilter(t, depth-1)}
	case 1:
		return metrics.Or{Left: drawFilter(t, depth-1), Right: drawFilter(t, depth-1)}
	case 2:
		return metrics.Not{Of: drawFilter(t, depth-1)}
	}
	value := rapid.SampledFrom([]string{
		"", "research", "unowned", "used", "lost", "prod/ml/train", "train-0", "x", "provisional", "it's", `a"b`,
	})
	c := metrics.Compare{Key: rapid.SampledFrom([]string{"team", "cause", "run", "pod", "state", "queue",
		"label:flavour"}).Draw(t, "key"),
		Op: rapid.SampledFrom([]metrics.CompareOp{metrics.Equal, metrics.NotEqual, metrics.In, metrics.Like,
			metrics.Less, metrics.AtMost, metrics.Greater, metrics.AtLeast}).Draw(t, "op")}
	switch c.Op {
	case metrics.In:
		c.Values = rapid.SliceOfN(value, 1, 3).Draw(t, "values")
		if rapid.IntRange(0, 3).Draw(t, "many") == 0 {
			for i := range 150 {
				c.Values = append(c.Values, fmt.Sprint("none-", i))
			}
		}
	case metrics.Like:
		c.Values = []string{
			rapid.SampledFrom([]string{"%", "re%", "%e%", "_sed", "used", `\%`, "", "prod/%/train"}).Draw(t, "pattern"),
		}
	default:
		c.Values = []string{value.Draw(t, "value")}
	}
	return c
}

// TestFiltersMatchPlainEvaluation compares compiled filters with a plain evaluation, row by row.
func TestFiltersMatchPlainEvaluation(t *testing.T) {
	s := storetest.SmallLedger(t)
	all := storetest.Table(t, s, "costs", metrics.Options{GroupBy: "team,cause,run,pod,state,queue,label:flavour,quality"})
	q, err := metrics.Parse("costs", metrics.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		q.Filter = drawFilter(rt, 3)
		want, matched := money.Amount{}, map[string]bool{}
		for _, row := range all {
			if metrics.Matches(q.Filter, func(key string) (string, bool) { return row[key], row[key] != "" }) {
				matched[row["currency"]] = true
				want = want.Add(money.MustParse("0" + row["effective_cost"]))
			}
		}
		rows, err := s.Query(t.Context(), q)
		if err != nil {
			rt.Fatal(err)
		}
		defer rows.Close()
		got, n := money.Amount{}, 0
		at := slices.IndexFunc(rows.Columns(), func(c metrics.Column) bool { return c.Name == "effective_cost" })
		for rows.Next() {
			n++
			got = got.Add(money.MustParse("0" + rows.Values()[at].Text))
		}
		if err := rows.Err(); err != nil {
			rt.Fatal(err)
		}
		if got.Cmp(want) != 0 || n != len(matched) {
			rt.Fatalf("%s: %s over %d rows, want %s over %d", fmt.Sprint(q.Filter), got, n, want, len(matched))
		}
	})
}

// TestFilterKinds compiles filters over ids, numbers and booleans.
func TestFilterKinds(t *testing.T) {
	s := storetest.SmallLedger(t)
	for dataset, filters := range map[string]map[string]int{
		"postings": {"posting_id = " + storetest.ID("posting", "used").String(): 1, "not posting_id = '" +
			storetest.Dashed(storetest.ID("posting", "used")) + "'": 3,
			"usage_id = ''": 1, "usage_id in ('', " + storetest.ID("usage", "used").String() + ")": 2,
			"part = 0": 4, "slot != 1": 3, "run = prod/ml/train": 2, "namespace like 'm_'": 2},
		"usage":          {"held = true": 3, "not held = true": 1, "attempt in (1, 2)": 3, "attempt = ''": 1},
		"runs":           {"attempts = 2": 1, "run like 'prod/%'": 2, "status in (queued)": 1, "group = ''": 2},
		"attempts":       {"outcome = preempted": 1, "run_id = none": 0},
		"charges":        {"charge_category = Tax": 1, "line in (1, 2)": 2, "role = book": 2},
		"imports":        {"source = aws-cur": 1, "rejected = 0": 0},
		"reconciliation": {"metric = list_cost": 1, "role = evidence": 0},
	} {
		for f, want := range filters {
			if got := len(storetest.Table(t, s, dataset, metrics.Options{Filter: f})); got != want {
				t.Errorf("%s where %s: %d rows, want %d", dataset, f, got, want)
			}
		}
	}
}

// TestMeasuresAreTestedInTheAnswer compares filters on measures with the rows of the whole answer, selected one by
// one.
func TestMeasuresAreTestedInTheAnswer(t *testing.T) {
	s := storetest.SmallLedger(t)
	asked := []struct {
		dataset string
		o       metrics.Options
		columns []string
	}{
		{
			"costs", metrics.Options{GroupBy: "team,cause"}, []string{"effective_cost", "gpu_hours", "cost_per_active_gpu_hour"},
		},
		{
			"costs", metrics.Options{GroupBy: "cause", Granularity: "hour", Limit: "5", Order: "-effective_cost"},
			[]string{"effective_cost", "period_start"},
		},
		{
			"runs", metrics.Options{},
			[]string{"effective_cost", "gpu_hours", "queue_wait_seconds", "useful_cost_share", "started_at", "kind"},
		},
		{"runs", metrics.Options{GroupBy: "team"}, []string{"effective_cost", "completed_runs"}},
	}
	rapid.Check(t, func(rt *rapid.T) {
		a := asked[rapid.IntRange(0, len(asked)-1).Draw(rt, "question")]
		whole := a.o
		whole.Limit = ""
		all := storetest.Table(t, s, a.dataset, whole)
		column := rapid.SampledFrom(a.columns).Draw(rt, "column")
		value := rapid.SampledFrom(all).Draw(rt, "row")[column]
		op := rapid.SampledFrom([]string{"=", "!=", "<", "<=", ">", ">="}).Draw(rt, "op")
		o := a.o
		o.Filter = fmt.Sprintf("%s %s '%s'", column, op, value)
		if value == "" {
			o.Filter = column + " is " + rapid.SampledFrom([]string{"null", "not null"}).Draw(rt, "null")
		}
		if rapid.Bool().Draw(rt, "negated") {
			o.Filter = "not " + o.Filter
		}
		q, err := metrics.Parse(a.dataset, o)
		if err != nil {
			rt.Fatal(err)
		}
		test := q.Having
		if q.Filter != nil { // a time of a run is a key
			test = q.Filter
		}
		var want []map[string]string
		for _, row := range all {
			if metrics.Matches(test, func(key string) (string, bool) { return row[key], row[key] != "" }) &&
				(q.Limit == 0 || len(want) < q.Limit) {
				want = append(want, row)
			}
		}
		if diff := cmp.Diff(want, storetest.Table(t, s, a.dataset, o)); diff != "" {
			rt.Fatalf("%s where %s (- want, + got):\n%s", a.dataset, o.Filter, diff)
		}
	})
}

// TestEveryColumnCanBeTested filters every dataset by every column that it shows, ungrouped and grouped.
func TestEveryColumnCanBeTested(t *testing.T) {
	s := storetest.SmallLedger(t)
	ask := func(d *metrics.Dataset, o metrics.Options) {
		q, err := metrics.Parse(d.Name, o)
		if err != nil {
			t.Fatal(err)
		}
		var known []string
		for _, c := range q.Columns() {
			known = append(known, c.Name+" is not null or "+c.Name+" is null")
		}
		want := len(storetest.Table(t, s, d.Name, o))
		for _, test := range known {
			o.Filter = test
			if got := len(storetest.Table(t, s, d.Name, o)); got != want {
				t.Errorf("%s by %q where %s: %d rows of %d", d.Name, o.GroupBy, test, got, want)
			}
		}
	}
	for _, d := range metrics.Datasets {
		ask(d, metrics.Options{})
		if d.Regroups() && !d.Grouped {
			for _, c := range d.Columns {
				if q, err := metrics.Parse(d.Name, metrics.Options{GroupBy: c.Name}); err == nil && q.Regrouped() {
					ask(d, metrics.Options{GroupBy: c.Name})
					break
				}
			}
		}
	}
}
