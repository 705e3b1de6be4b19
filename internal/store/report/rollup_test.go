package report_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/period"
	"gpuledger/internal/store/report"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

func TestPiecesOfAWindow(t *testing.T) {
	span := func(from, to string) period.Interval {
		var i period.Interval
		if from != "" {
			i.From = storetest.Second(from)
		}
		if to != "" {
			i.To = storetest.Second(to)
		}
		return i
	}
	whole := span("2026-11-01T00", "2026-12-01T00")
	for name, c := range map[string]struct {
		q     metrics.Query
		hours bool
		days  []report.CleanDay
		want  []report.Piece
	}{
		"a month": {
			metrics.Query{Granularity: metrics.Month, Window: whole}, true,
			storetest.November(true), []report.Piece{{report.FromMonths, whole}},
		},
		"days of a month": {
			metrics.Query{Granularity: metrics.Day, Window: whole}, true,
			storetest.November(true), []report.Piece{{report.FromDays, whole}},
		},
		"hours of a month": {
			metrics.Query{Granularity: metrics.Hour, Window: whole}, true,
			storetest.November(true), []report.Piece{{report.FromHours, whole}},
		},
		"a rate each day": {
			metrics.Query{Granularity: metrics.Total, Currency: "EUR", Window: whole},
			true, storetest.November(true), []report.Piece{{report.FromDays, whole}},
		},
		"open ends": {metrics.Query{Granularity: metrics.Total}, true, storetest.November(true),
			[]report.Piece{
				{report.FromLedger, span("", "2026-11-01T00")}, {report.FromMonths, whole},
				{report.FromLedger, span("2026-12-01T00", "")},
			}},
		"a day that changed": {metrics.Query{Granularity: metrics.Total, Window: whole}, true, storetest.November(true, 5),
			[]report.Piece{
				{report.FromDays, span("2026-11-01T00", "2026-11-05T00")},
				{report.FromLedger, span("2026-11-05T00", "2026-11-06T00")},
				{report.FromDays, span("2026-11-06T00", "2026-12-01T00")},
			}},
		"edges by hour": {metrics.Query{Granularity: metrics.Total, Window: span("2026-11-02T05", "2026-11-04T03")}, true,
			storetest.November(true),
			[]report.Piece{
				{report.FromHours, span("2026-11-02T05", "2026-11-03T00")},
				{report.FromDays, span("2026-11-03T00", "2026-11-04T00")},
				{report.FromHours, span("2026-11-04T00", "2026-11-04T03")},
			}},
		"edges from the ledger": {metrics.Query{Granularity: metrics.Total, Window: span("2026-11-02T05", "2026-11-04T03")},
			false, storetest.November(true),
			[]report.Piece{
				{report.FromLedger, span("2026-11-02T05", "2026-11-03T00")},
				{report.FromDays, span("2026-11-03T00", "2026-11-04T00")},
				{report.FromLedger, span("2026-11-04T00", "2026-11-04T03")},
			}},
		"months elsewhere": {metrics.Query{Granularity: metrics.Month, Zone: "Asia/Tokyo", Window: whole}, true,
			storetest.November(true),
			[]report.Piece{
				{report.FromHours, span("2026-11-01T00", "2026-11-02T00")},
				{report.FromDays, span("2026-11-02T00", "2026-11-30T00")},
				{report.FromHours, span("2026-11-30T00", "2026-12-01T00")},
			}},
		"days elsewhere": {
			metrics.Query{Granularity: metrics.Day, Zone: "Asia/Tokyo", Window: whole},
			false, storetest.November(true), []report.Piece{{report.FromLedger, whole}},
		},
	} {
		if diff := cmp.Diff(c.want, report.Pieces(c.q, c.hours, c.days), cmp.AllowUnexported(report.Piece{})); diff != "" {
			t.Errorf("%s (- want, + got):\n%s", name, diff)
		}
	}
	scattered := report.Pieces(metrics.Query{Granularity: metrics.Total, Window: whole}, true,
		storetest.November(false, 2, 4, 6, 9, 13, 18, 24, 29))
	at, ledger := whole.From, 0
	for _, p := range scattered {
		if p.Span.From != at {
			t.Errorf("a gap before %s", p.Span)
		}
		if at = p.Span.To; p.From == report.FromLedger {
			ledger++
		}
	}
	if at != whole.To || ledger != report.MostLedgerPieces {
		t.Errorf("%d pieces of the ledger up to %s: %v", ledger, at, scattered)
	}
}

// The first roll-up of costs that has the keys and measures of a report answers it.
func TestRollupOfCosts(t *testing.T) {
	for _, c := range []struct {
		o    metrics.Options
		want string
	}{
		{metrics.Options{GroupBy: "cause", Granularity: "hour"}, "cost_total"},
		{metrics.Options{GroupBy: "cluster,pricing"}, "cost_place"},
		{metrics.Options{GroupBy: "team", Filter: "cluster = prod"}, "cost_team"},
		{metrics.Options{GroupBy: "team,service"}, "cost_work"},
		{metrics.Options{GroupBy: "cost_center,user"}, "cost_owner"},
		{metrics.Options{GroupBy: "label:app"}, ""}, {metrics.Options{GroupBy: "user", Granularity: "hour"}, ""},
		{metrics.Options{GroupBy: "run,team"}, "cost_run"},
		{metrics.Options{GroupBy: "run,gpu_model,pricing"}, "cost_run"}, // of variance by run
		{metrics.Options{GroupBy: "run,model"}, ""},
		{metrics.Options{GroupBy: "node"}, ""}, {metrics.Options{GroupBy: "tag:app"}, ""},
		{metrics.Options{AsOf: "2026-11-01"}, ""},
	} {
		q, err := metrics.Parse("costs", c.o)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if r := report.RollupOf(q); r != nil {
			got = r.Name
		}
		if got != c.want {
			t.Errorf("%+v is answered by %q; want %q", c.o, got, c.want)
		}
	}
}

// A changed day is read from the ledger until it is rolled up again, and so is its month.
func TestRollUpsFollowTheLedger(t *testing.T) {
	s := storetest.SmallLedger(t)
	day := storetest.Second("2026-11-02T00")
	ask := func(when string) []map[string]string {
		t.Helper()
		var first []map[string]string
		for _, o := range []metrics.Options{{}, {GroupBy: "cause,team", Granularity: "day"},
			{GroupBy: "provider,pricing,charge_category,quality", Granularity: "month"},
			{GroupBy: "team,kind", Granularity: "hour"}, {GroupBy: "node"},
			{From: "2026-11-01", To: "2026-12-01", GroupBy: "namespace,label:flavour"}} {
			q, err := metrics.Parse("costs", o)
			if err != nil {
				t.Fatal(err)
			}
			rolled := storetest.Table(t, s, "costs", o)
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
	planned := func(want ...report.Source) {
		t.Helper()
		q, err := metrics.Parse("costs", metrics.Options{From: "2026-11-01", To: "2026-12-01"})
		if err != nil {
			t.Fatal(err)
		}
		tx, err := s.Pool.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback(t.Context()) }()
		plan, err := report.Planned(t.Context(), tx, q)
		if err != nil {
			t.Fatal(err)
		}
		var got []report.Source
		if plan != nil {
			for _, p := range plan.Pieces {
				got = append(got, p.From)
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
	storetest.Run(t, s.Pool, "delete from dirty")
	before := ask("without roll-ups")
	planned()
	roll(day)
	planned(report.FromNowhere, report.FromDays, report.FromNowhere)
	if got := ask("with a day"); !cmp.Equal(got, before) {
		t.Errorf("%v with roll-ups; %v without", got, before)
	}
	for _, d := range storetest.November(true) {
		roll(d.Day)
	}
	planned(report.FromMonths)
	ask("with a month")

	storetest.Run(t, s.Pool, "update postings set effective_cost = effective_cost + 1, state = 'final' where cause = "+
		"'free'")
	storetest.Run(t, s.Pool, "insert into stale_days (tenant_id, day, what) values (1, $1, 'ledger')", day)
	planned(report.FromDays, report.FromLedger, report.FromDays)
	after := ask("while the day is stale")
	if after[0]["effective_cost"] == before[0]["effective_cost"] {
		t.Errorf("the change is not in %v", after)
	}
	storetest.Run(t, s.Pool, "delete from stale_days")
	// A day with changed counters is stale too.
	storetest.Run(t, s.Pool, "insert into stale_days (tenant_id, day, what) values (1, $1, 'counters')", day)
	planned(report.FromDays, report.FromLedger, report.FromDays)
	storetest.Run(t, s.Pool, "delete from stale_days")
	storetest.Run(t, s.Pool, "insert into dirty (tenant_id, mark_id, node_id, day, reason) values (1, next_mark(1), "+
		"gen_random_uuid(), $1, 'test')", day)
	planned(report.FromDays, report.FromLedger, report.FromDays)
	storetest.Run(t, s.Pool, "delete from dirty")
	roll(day)
	planned(report.FromMonths)
	if got := ask("added up again"); !cmp.Equal(got, after) {
		t.Errorf("%v with roll-ups; %v from the ledger", got, after)
	}
}

// Queries of pages over a rolled-up month read no postings; those over another month note it.
func TestPagesReadRollUps(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, "delete from dirty")
	for _, p := range metrics.PageQueries {
		q, err := p.Over("2026-11-01", "2026-12-01")
		if err != nil {
			t.Fatal(err)
		}
		if p.Dataset == "inference" || p.Dataset == "waste" {
			continue // read from analysis results, whether days are marked or not
		}
		if reads, err := s.Reads(t.Context(), q); err != nil || reads["posting_rows_202611"] == 0 {
			t.Errorf("%s reads %v without roll-ups, %v", p.Name, reads, err)
		}
	}
	for _, d := range storetest.November(true) {
		if _, _, err := s.RollUpDays(t.Context(), "costs", []period.Second{d.Day}); err != nil {
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

// Consecutive small days are rolled up together; a gap ends the batch.
func TestSmallDaysAreRolledUpTogether(t *testing.T) {
	s := storetest.SmallLedger(t)
	ctx := t.Context()
	first := storetest.AdviceDay - period.Day
	days := []period.Second{
		first, storetest.AdviceDay, storetest.AdviceDay + period.Day, storetest.AdviceDay + 5*period.Day,
	}
	done, rows, err := s.RollUpDays(ctx, "costs", days)
	if err != nil || done != 3 || rows == 0 {
		t.Fatalf("%d days, %d rows, %v", done, rows, err)
	}
	storetest.Run(t, s.Pool, "update chunks set posting_rows = 200000")
	if done, _, err = s.RollUpDays(ctx, "costs", days); err != nil || done != 1 {
		t.Errorf("%d days with a large one behind: %v", done, err)
	}
	if done, _, err = s.RollUpDays(ctx, "costs", days[1:]); err != nil || done != 1 {
		t.Errorf("a large day and %d more: %v", done-1, err)
	}
}
