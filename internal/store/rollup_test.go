package store

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/period"
	"gpuledger/metrics"
)

func second(text string) period.Second {
	at, err := time.Parse("2006-01-02T15", text)
	if err != nil {
		panic(err)
	}
	return period.FromTime(at)
}

// november are all days of a month, clean, with or without the month itself.
func november(inMonth bool, without ...int) []cleanDay {
	var days []cleanDay
	for day := second("2026-11-01T00"); day < second("2026-12-01T00"); day += period.Day {
		if !slices.Contains(without, day.Time().Day()) {
			days = append(days, cleanDay{day: day, inMonth: inMonth && len(without) == 0})
		}
	}
	return days
}

func TestPiecesOfAWindow(t *testing.T) {
	span := func(from, to string) period.Interval {
		var i period.Interval
		if from != "" {
			i.From = second(from)
		}
		if to != "" {
			i.To = second(to)
		}
		return i
	}
	whole := span("2026-11-01T00", "2026-12-01T00")
	for name, c := range map[string]struct {
		q     metrics.Query
		hours bool
		days  []cleanDay
		want  []piece
	}{
		"a month":          {metrics.Query{Granularity: metrics.Month, Window: whole}, true, november(true), []piece{{fromMonths, whole}}},
		"days of a month":  {metrics.Query{Granularity: metrics.Day, Window: whole}, true, november(true), []piece{{fromDays, whole}}},
		"hours of a month": {metrics.Query{Granularity: metrics.Hour, Window: whole}, true, november(true), []piece{{fromHours, whole}}},
		"a rate each day":  {metrics.Query{Granularity: metrics.Total, Currency: "EUR", Window: whole}, true, november(true), []piece{{fromDays, whole}}},
		"open ends": {metrics.Query{Granularity: metrics.Total}, true, november(true),
			[]piece{{fromLedger, span("", "2026-11-01T00")}, {fromMonths, whole}, {fromLedger, span("2026-12-01T00", "")}}},
		"a day that changed": {metrics.Query{Granularity: metrics.Total, Window: whole}, true, november(true, 5),
			[]piece{{fromDays, span("2026-11-01T00", "2026-11-05T00")}, {fromLedger, span("2026-11-05T00", "2026-11-06T00")}, {fromDays, span("2026-11-06T00", "2026-12-01T00")}}},
		"edges by hour": {metrics.Query{Granularity: metrics.Total, Window: span("2026-11-02T05", "2026-11-04T03")}, true, november(true),
			[]piece{{fromHours, span("2026-11-02T05", "2026-11-03T00")}, {fromDays, span("2026-11-03T00", "2026-11-04T00")}, {fromHours, span("2026-11-04T00", "2026-11-04T03")}}},
		"edges from the ledger": {metrics.Query{Granularity: metrics.Total, Window: span("2026-11-02T05", "2026-11-04T03")}, false, november(true),
			[]piece{{fromLedger, span("2026-11-02T05", "2026-11-03T00")}, {fromDays, span("2026-11-03T00", "2026-11-04T00")}, {fromLedger, span("2026-11-04T00", "2026-11-04T03")}}},
		"months elsewhere": {metrics.Query{Granularity: metrics.Month, Zone: "Asia/Tokyo", Window: whole}, true, november(true),
			[]piece{{fromHours, span("2026-11-01T00", "2026-11-02T00")}, {fromDays, span("2026-11-02T00", "2026-11-30T00")}, {fromHours, span("2026-11-30T00", "2026-12-01T00")}}},
		"days elsewhere": {metrics.Query{Granularity: metrics.Day, Zone: "Asia/Tokyo", Window: whole}, false, november(true), []piece{{fromLedger, whole}}},
	} {
		if diff := cmp.Diff(c.want, pieces(c.q, c.hours, c.days), cmp.AllowUnexported(piece{})); diff != "" {
			t.Errorf("%s (- want, + got):\n%s", name, diff)
		}
	}
	scattered := pieces(metrics.Query{Granularity: metrics.Total, Window: whole}, true, november(false, 2, 4, 6, 9, 13, 18, 24, 29))
	at, ledger := whole.From, 0
	for _, p := range scattered {
		if p.span.From != at {
			t.Errorf("a gap before %s", p.span)
		}
		if at = p.span.To; p.from == fromLedger {
			ledger++
		}
	}
	if at != whole.To || ledger != mostLedgerPieces {
		t.Errorf("%d pieces of the ledger up to %s: %v", ledger, at, scattered)
	}
}

// The first roll-up of costs that has what a report needs answers it.
func TestRollupOfCosts(t *testing.T) {
	for _, c := range []struct {
		o    metrics.Options
		want string
	}{
		{metrics.Options{GroupBy: "cause", Granularity: "hour"}, "cost_total"}, {metrics.Options{GroupBy: "cluster,pricing"}, "cost_place"},
		{metrics.Options{GroupBy: "team", Filter: "cluster = prod"}, "cost_team"}, {metrics.Options{GroupBy: "team,service"}, "cost_work"},
		{metrics.Options{GroupBy: "cost_center,user"}, "cost_owner"}, {metrics.Options{GroupBy: "label:app"}, ""}, {metrics.Options{GroupBy: "user", Granularity: "hour"}, ""},
		{metrics.Options{GroupBy: "run,team"}, "cost_run"}, {metrics.Options{GroupBy: "run,model"}, ""},
		{metrics.Options{GroupBy: "node"}, ""}, {metrics.Options{GroupBy: "tag:app"}, ""}, {metrics.Options{AsOf: "2026-11-01"}, ""},
	} {
		q, err := metrics.Parse("costs", c.o)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if r := rollupOf(q); r != nil {
			got = r.Name
		}
		if got != c.want {
			t.Errorf("%+v is answered by %q; want %q", c.o, got, c.want)
		}
	}
}

// A day that changes is read from the ledger until it is added up again, and
// its month with it.
func TestRollUpsFollowTheLedger(t *testing.T) {
	s := smallLedger(t)
	day := second("2026-11-02T00")
	ask := func(when string) []map[string]string {
		t.Helper()
		var first []map[string]string
		for _, o := range []metrics.Options{{}, {GroupBy: "cause,team", Granularity: "day"}, {GroupBy: "provider,pricing,charge_category,quality", Granularity: "month"},
			{GroupBy: "team,kind", Granularity: "hour"}, {GroupBy: "node"}, {From: "2026-11-01", To: "2026-12-01", GroupBy: "namespace,label:flavour"}} {
			q, err := metrics.Parse("costs", o)
			if err != nil {
				t.Fatal(err)
			}
			rolled := table(t, s, "costs", o)
			rows, err := s.QueryLedger(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			var ledger []map[string]string
			for rows.Next() {
				row := map[string]string{}
				for i, v := range rows.Values() {
					row[rows.Columns()[i].Name] = v.String(rows.Columns()[i].Kind)
				}
				ledger = append(ledger, row)
			}
			rows.Close()
			if diff := cmp.Diff(ledger, rolled); diff != "" {
				t.Errorf("%s, %+v (- ledger, + roll-ups):\n%s", when, o, diff)
			}
			if first == nil {
				first = rolled
			}
		}
		return first
	}
	planned := func(want ...source) {
		t.Helper()
		q, err := metrics.Parse("costs", metrics.Options{From: "2026-11-01", To: "2026-12-01"})
		if err != nil {
			t.Fatal(err)
		}
		tx, err := s.pool.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback(t.Context()) }()
		plan, err := planRollup(t.Context(), tx, q)
		if err != nil {
			t.Fatal(err)
		}
		var got []source
		if plan != nil {
			for _, p := range plan.pieces {
				got = append(got, p.from)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("read from %v; want %v", got, want)
		}
	}
	roll := func(days ...period.Second) {
		t.Helper()
		for _, d := range days {
			if _, _, err := s.RollUpDays(t.Context(), "costs", []period.Second{d}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.RollUpMonths(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	run(t, s.pool, "delete from dirty")
	before := ask("without roll-ups")
	planned()
	roll(day)
	planned(fromLedger, fromDays, fromLedger)
	if got := ask("with a day"); !cmp.Equal(got, before) {
		t.Errorf("%v with roll-ups; %v without", got, before)
	}
	for _, d := range november(true) {
		roll(d.day)
	}
	planned(fromMonths)
	ask("with a month")

	run(t, s.pool, "update postings set effective_cost = effective_cost + 1, state = 'final' where cause = 'free'")
	run(t, s.pool, "insert into stale_days (tenant_id, day, what) values (1, $1, 'ledger')", day)
	planned(fromDays, fromLedger, fromDays)
	after := ask("while the day is stale")
	if after[0]["effective_cost"] == before[0]["effective_cost"] {
		t.Errorf("the change is not in %v", after)
	}
	run(t, s.pool, "delete from stale_days")
	run(t, s.pool, "insert into dirty (tenant_id, node_id, day, reason) values (1, gen_random_uuid(), $1, 'test')", day)
	planned(fromDays, fromLedger, fromDays)
	run(t, s.pool, "delete from dirty")
	roll(day)
	planned(fromMonths)
	if got := ask("added up again"); !cmp.Equal(got, after) {
		t.Errorf("%v with roll-ups; %v from the ledger", got, after)
	}
}

// What pages ask of a month that is rolled up reads no posting, and what they
// ask of one that is not says so.
func TestPagesReadRollUps(t *testing.T) {
	s := smallLedger(t)
	run(t, s.pool, "delete from dirty")
	for _, p := range metrics.PageQueries {
		q, err := p.Over("2026-11-01", "2026-12-01")
		if err != nil {
			t.Fatal(err)
		}
		if p.Dataset == "inference" || p.Dataset == "waste" {
			continue // they are read of what analysis made, marked days or not
		}
		if reads, err := s.Reads(t.Context(), q); err != nil || reads["postings_202611"] == 0 {
			t.Errorf("%s reads %v without roll-ups, %v", p.Name, reads, err)
		}
	}
	for _, d := range november(true) {
		if _, _, err := s.RollUpDays(t.Context(), "costs", []period.Second{d.day}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.RollUpMonths(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, p := range metrics.PageQueries {
		q, err := p.Over("2026-11-01", "2026-12-01")
		if err != nil {
			t.Fatal(err)
		}
		reads, err := s.Reads(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var rolled int64
		for table, n := range reads {
			if strings.HasPrefix(table, "cost_") {
				rolled += n
			} else if n != 0 && strings.HasSuffix(table, "_202611") {
				t.Errorf("%s reads %d rows of %s", p.Name, n, table)
			}
		}
		if rolled == 0 && p.Dataset == "costs" {
			t.Errorf("%s reads %v", p.Name, reads)
		}
	}
}

// Days in a row that are small are rolled up together; a gap ends them.
func TestSmallDaysAreRolledUpTogether(t *testing.T) {
	s := smallLedger(t)
	ctx := t.Context()
	first := adviceDay - period.Day
	days := []period.Second{first, adviceDay, adviceDay + period.Day, adviceDay + 5*period.Day}
	done, rows, err := s.RollUpDays(ctx, "costs", days)
	if err != nil || done != 3 || rows == 0 {
		t.Fatalf("%d days, %d rows, %v", done, rows, err)
	}
	run(t, s.pool, "update chunks set posting_rows = 200000")
	if done, _, err = s.RollUpDays(ctx, "costs", days); err != nil || done != 1 {
		t.Errorf("%d days with a large one behind: %v", done, err)
	}
	if done, _, err = s.RollUpDays(ctx, "costs", days[1:]); err != nil || done != 1 {
		t.Errorf("a large day and %d more: %v", done-1, err)
	}
}
