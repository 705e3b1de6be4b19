package report_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
	"gpuledger/test/tier"
)

// answered reads a query to its end.
func answered(t *testing.T, s *store.Store, q metrics.Query) (rows [][]metrics.Value) {
	t.Helper()
	answer, err := s.Query(t.Context(), q)
	if err != nil {
		t.Fatalf("%s: %v", q.Dataset.Name, err)
	}
	defer answer.Close()
	for answer.Next() {
		rows = append(rows, slices.Clone(answer.Values()))
	}
	if err := answer.Err(); err != nil {
		t.Fatalf("%s: %v", q.Dataset.Name, err)
	}
	return rows
}

// position is that of a row.
func position(q metrics.Query, row []metrics.Value) (p metrics.Position) {
	for _, o := range q.Order {
		at := slices.IndexFunc(q.Columns(), func(c metrics.Column) bool { return c.Name == o.Column })
		p = append(p, row[at])
	}
	return p
}

// checkPages reads a question in pages, each after the last row of the one before: together they are the whole answer.
func checkPages(t *testing.T, s *store.Store, dataset string, o metrics.Options, size int) (rows int) {
	t.Helper()
	q, err := metrics.Parse(dataset, o)
	if err != nil {
		t.Fatal(err)
	}
	whole := answered(t, s, q)
	var pages [][]metrics.Value
	for q.Limit = size; ; {
		page := answered(t, s, q)
		pages = append(pages, page...)
		if len(page) < size || len(pages) > len(whole) {
			break
		}
		after, ok := q.PositionOf(q.Texts(position(q, page[len(page)-1])))
		if !ok {
			t.Fatalf("%s %v: the position of %v cannot be read back", dataset, o, page[len(page)-1])
		}
		q.After = after
	}
	if diff := cmp.Diff(whole, pages); diff != "" {
		t.Errorf("%s %v in pages of %d:\n%s", dataset, o, size, diff)
	}
	return len(whole)
}

// TestPagesAreTheWholeAnswer covers all datasets in their default order, unknown values, both directions and columns of
// all kinds, from the ledger and from roll-ups.
func TestPagesAreTheWholeAnswer(t *testing.T) {
	small := storetest.SmallLedger(t)
	draw := rand.New(rand.NewPCG(42, 0))
	rows := 0
	for _, s := range []*store.Store{small, storetest.SpotLedger(t)} {
		for _, d := range metrics.Datasets {
			rows += checkPages(t, s, d.Name, metrics.Options{}, 1)
			if d.Derived != nil {
				continue
			}
			q, err := metrics.Parse(d.Name, metrics.Options{})
			if err != nil {
				t.Fatal(err)
			}
			columns := q.Columns()
			for range tier.Draws(2 * len(columns)) {
				c := columns[draw.IntN(len(columns))]
				if order := []string{c.Name, "-" + c.Name}[draw.IntN(2)]; !c.OnlyGroups {
					checkPages(t, s, d.Name, metrics.Options{Order: order}, 2)
				}
			}
		}
	}
	if rows < 100 {
		t.Errorf("%d rows", rows)
	}
	for _, rolled := range []bool{false, true} {
		if rolled {
			storetest.RollNovember(t, small)
		}
		for _, o := range []metrics.Options{
			{GroupBy: "team,pod", Granularity: "hour"}, {GroupBy: "team,pod", Granularity: "hour", TZ: "Asia/Kolkata"},
			{GroupBy: "cause", Granularity: "day"}, {GroupBy: "cause", Granularity: "day", TZ: "America/New_York"},
			{GroupBy: "cause,pod", Granularity: "week"}, {GroupBy: "node,cause", Sharing: "after", Granularity: "hour"},
			{GroupBy: "cause", Granularity: "day", From: "2026-11-02T01:00", To: "2026-11-02T03:00"},
			{GroupBy: "cause", Granularity: "hour", Filter: "effective_cost > 0"},
			{GroupBy: "pod,run", Order: "-effective_cost"},
		} {
			checkPages(t, small, "costs", o, 1)
		}
		checkPages(t, small, "postings", metrics.Options{Sharing: "after"}, 1)
		checkPages(t, small, "runs", metrics.Options{GroupBy: "team"}, 1)
	}
}

// TestDeepPagesInTheOrderOfTime: pages that are read stretch by stretch have the rows of the whole answer.
func TestDeepPagesInTheOrderOfTime(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `insert into posting_rows select r.* from (
			select jsonb_agg(to_jsonb(p) || jsonb_build_object(
				'posting_id', gen_random_uuid(), 'hour', p.hour + n * interval '1 hour')) as list
			from (select * from posting_rows order by posting_id limit 1) p, generate_series(1, 400) n
		) x, jsonb_populate_recordset(null::posting_rows, x.list) r`)
	q, err := metrics.Parse("costs", metrics.Options{GroupBy: "cause", Granularity: "hour"})
	if err != nil {
		t.Fatal(err)
	}
	whole := answered(t, s, q)
	if len(whole) < 300 {
		t.Fatalf("%d rows", len(whole))
	}
	q.Limit = 10
	for _, deep := range []int{5, 100, 250} {
		q.After = position(q, whole[deep])
		if diff := cmp.Diff(whole[deep+1:deep+11], answered(t, s, q)); diff != "" {
			t.Errorf("after row %d:\n%s", deep, diff)
		}
	}
}

// TestEveryDatasetStatesItsWindow: a dataset with rows has a window, and no rows before and after it.
func TestEveryDatasetStatesItsWindow(t *testing.T) {
	empty := storetest.New(t)
	for _, s := range []*store.Store{empty, storetest.SmallLedger(t), storetest.SpotLedger(t)} {
		// A run without times has a row in every period.
		storetest.Run(t, s.Pool, `update runs set created_at = '2026-11-02T10:00Z', ended_at = '2026-11-02T12:00Z'
			where started_at is null and created_at is null`)
		for _, d := range metrics.Datasets {
			w, err := s.Window(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			q, err := metrics.Parse(d.Name, metrics.Options{})
			if err != nil {
				t.Fatal(err)
			}
			rows := len(answered(t, s, q))
			switch {
			case !d.Windowed && w.Any:
				t.Errorf("%s is not cut by time, but has a window %s", d.Name, w)
			case s == empty && d.Windowed && (w.Any || rows > 0):
				t.Errorf("%s: an empty ledger has a window %s, and %d rows", d.Name, w, rows)
			case d.Windowed && rows > 0 && !w.Any:
				t.Errorf("%s has %d rows and no window", d.Name, rows)
			}
			if !w.Any {
				continue
			}
			const month = 30 * period.Day
			outside := []metrics.Options{{From: (w.From - month).String(), To: w.From.String()}}
			if w.To != 0 {
				outside = append(outside, metrics.Options{From: w.To.String(), To: (w.To + month).String()})
			}
			for _, o := range outside {
				q, err := metrics.Parse(d.Name, o)
				if err != nil {
					t.Fatal(err)
				}
				if err := q.Within(w); err == nil {
					t.Errorf("%s %v is within %s", d.Name, o, w)
				}
				if n := len(answered(t, s, q)); n > 0 && !d.Compared {
					t.Errorf("%s has data %s, and %d rows in %v", d.Name, w, n, o)
				}
			}
		}
	}
}

// TestScopedWindowsAreOfOwnRows: a scoped user learns nothing of the time in which only others have rows.
func TestScopedWindowsAreOfOwnRows(t *testing.T) {
	s := storetest.SmallLedger(t)
	all := storetest.Table(t, s, "costs", metrics.Options{GroupBy: "team", Granularity: "day"})
	teams := map[string]bool{}
	for _, row := range all {
		teams[row["team"]] = true
	}
	for team := range teams {
		if team == "" || team == "unowned" {
			continue
		}
		ctx := storetest.InPart(t, s, "team = "+team)
		costs, err := metrics.LookupDataset("costs")
		if err != nil {
			t.Fatal(err)
		}
		w, err := s.Window(ctx, costs)
		if err != nil {
			t.Fatal(err)
		}
		var first, last string
		for _, row := range all {
			if row["team"] == team {
				if first == "" {
					first = row["period_start"]
				}
				last = row["period_end"]
			}
		}
		if w.From.String() != first || w.To.String() != last {
			t.Errorf("%s: %s, want from %s to %s", team, w, first, last)
		}
	}
	nobody := storetest.InPart(t, s, "team = nobody-at-all")
	for _, d := range metrics.Datasets {
		if !d.InPart {
			continue
		}
		if w, err := s.Window(nobody, d); err != nil || w.Any {
			t.Errorf("%s: a user without rows sees the window %s (%v)", d.Name, w, err)
		}
	}
}
