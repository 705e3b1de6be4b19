package figures_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// sameAsLedger compares an answer with the one from the ledger alone.
func sameAsLedger(t *testing.T, s *store.Store, when, dataset string, o metrics.Options) {
	t.Helper()
	q, err := metrics.Parse(dataset, o)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.QueryLedger(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var want []map[string]string
	for rows.Next() {
		row := map[string]string{}
		for i, v := range rows.Values() {
			row[rows.Columns()[i].Name] = v.String(rows.Columns()[i].Kind)
		}
		want = append(want, row)
	}
	if rows.Err() != nil {
		t.Fatal(rows.Err())
	}
	if diff := cmp.Diff(want, storetest.Table(t, s, dataset, o)); diff != "" {
		t.Errorf("%s, %s %+v (- ledger, + days):\n%s", when, dataset, o, diff)
	}
}

// Commitments are read from days and months, by team or by owner as the query needs, except days that have changed
// since and days that the window cuts. If its halves meet within a day, coverage is read by half days.
func TestCommitmentsAreReadFromTheirDays(t *testing.T) {
	s := storetest.Bought(t)
	// A later use makes the halves differ; days with no other use move the middle.
	storetest.Run(t, s.Pool, `insert into chunks (tenant_id, node_id, day, generation, calculation_id, digest, usage_rows,
		  part_rows, posting_rows, span_rows)
		select tenant_id, gen_random_uuid(), timestamptz '2026-11-03 00:00Z', generation, calculation_id, digest, 0, 0, 0, 0
		from chunks limit 1`)
	storetest.RollNovember(t, s)
	windows := []metrics.Options{
		{From: "2026-11-01", To: "2026-12-01"}, {From: "2026-11-02", To: "2026-11-03"},
		{From: "2026-11-02", To: "2026-11-04"}, {From: "2026-11-02T07:00", To: "2026-11-04"}, {},
	}
	ask := func(when string) {
		t.Helper()
		for _, o := range windows {
			for _, by := range []string{"", "team", "project,commitment", "unused_owners"} {
				if o.GroupBy = by; by == "unused_owners" { // no key: the rows themselves, of one team
					o.GroupBy, o.Filter = "", "team = research"
				}
				sameAsLedger(t, s, when, "commitments", o)
			}
			o.GroupBy, o.Filter = "", ""
			sameAsLedger(t, s, when, "commitment_demand", o)
		}
	}
	ask("of every day")
	half := storetest.Table(t, s, "commitments", windows[1])
	if got := storetest.RowWith(t, half, "commitment", "ri-1")["teams_that_used_less"]; got != "research" {
		t.Errorf("%q used less after noon", got)
	}

	// makes the sources distinguishable
	storetest.Run(t, s.Pool, "update star.commitment_days set effective_cost = effective_cost + 1000")
	storetest.Run(t, s.Pool, "update star.commitment_months set effective_cost = effective_cost + 2000 where use = "+
		"'on_demand'")
	storetest.Run(t, s.Pool, "update star.commitment_owner_days set effective_cost = effective_cost + 3000")
	storetest.Run(t, s.Pool, "update star.held_days set hours = hours + 5")
	for _, c := range []struct {
		dataset, column string
		o               metrics.Options
		more            string // in addition to the ledger
	}{
		{"commitments", "effective_cost", windows[1], "5000"},
		{"commitments", "effective_cost", metrics.Options{From: "2026-11-02", To: "2026-11-03", GroupBy: "project"}, "15000"},
		{"commitments", "effective_cost", windows[3], "0"},
		// by month: commitments are read from its days, because the middle is one of them
		{"commitment_demand", "on_demand_cost", windows[0], "4000"},
		{"commitments", "effective_cost", windows[0], "5000"},
		{"commitment_demand", "held_hours", windows[1], "5"},
		{"commitment_demand", "held_hours", windows[3], "0"},
	} {
		q, err := metrics.Parse(c.dataset, c.o)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := s.QueryLedger(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var sum money.Amount
		for rows.Next() {
			for i, v := range rows.Values() {
				if col := rows.Columns()[i]; col.Name == c.column && v.Valid {
					sum = sum.Add(money.MustParse(v.String(col.Kind)))
				}
			}
		}
		rows.Close()
		if got, want := storetest.Asked(t, s, c.dataset, c.column,
			c.o), sum.Add(money.MustParse(c.more)).String(); got != want {
			t.Errorf("%s of %s %+v is %s; want %s", c.column, c.dataset, c.o, got, want)
		}
	}
	storetest.Run(t, s.Pool, "insert into stale_days (tenant_id, day, what) values (1, '2026-11-02', 'ledger')")
	ask("while the day is stale")
	storetest.Run(t, s.Pool, "delete from stale_days")
	if err := s.PublishRates(t.Context(), storetest.ID("import", "1"),
		[]ledger.Rate{{ID: storetest.ID("rate", "new"), InstanceType: "p5.48xlarge", Region: "us-east-1",
			PriceClass: ledger.OnDemand, Currency: "USD",
			Hourly: money.MustParse("50"), Valid: period.Interval{From: storetest.Second("2026-11-02T00"), To: pg.EndOfTime},
			Source: "price list"}}); err != nil {
		t.Fatal(err)
	}
	ask("after a new price")
}
