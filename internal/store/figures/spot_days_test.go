package figures_test

import (
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// Spot money is read from days and months, for all groups except machines and runs; counts are in the currencies of
// all days.
func TestSpotIsReadFromItsDays(t *testing.T) {
	s := storetest.SpotLedger(t)
	storetest.RollNovember(t, s)
	month := metrics.Options{From: "2026-11-01", To: "2026-12-01"}
	day := metrics.Options{From: "2026-11-02", To: "2026-11-03"}
	part := metrics.Options{From: "2026-11-02T07:00", To: "2026-11-02T23:00"}
	with := func(o metrics.Options, by, filter string) metrics.Options {
		o.GroupBy, o.Filter = by, filter
		return o
	}
	ask := func(when string) {
		t.Helper()
		for _, o := range []metrics.Options{month, day, part, {}} {
			for _, by := range []string{"", "cluster", "team", "node", "run", "workload_class,namespace"} {
				sameAsLedger(t, s, when, "spot", with(o, by, ""))
			}
			for _, filter := range []string{
				"group_key = hour", "group_key = zone and team = research", "group_key = ''",
				"team = research", "node != ''", "group_key = hour or group_key = kind",
			} {
				sameAsLedger(t, s, when, "spot", with(o, "", filter))
			}
		}
	}
	ask("of every day")

	// Makes the sources distinguishable.
	storetest.Run(t, s.Pool, "update star.spot_days set lost_cost = lost_cost + 1000 where part like '%destroyed%' "+
		"and cluster is not null and currency is not null and owner_id in (select owner_id from owners where team = "+
		"'research')")
	storetest.Run(t, s.Pool, "update star.spot_hour_days set lost_cost = lost_cost + 50000 where part like "+
		"'%destroyed%' and currency is not null")
	storetest.Run(t, s.Pool, "update star.spot_months set lost_cost = lost_cost + 7 where part like '%destroyed%' and "+
		"currency is not null and owner_id in (select owner_id from owners where team = 'research')")
	storetest.Run(t, s.Pool, "update star.spot_hour_months set lost_cost = lost_cost + 9 where part like "+
		"'%destroyed%' and currency is not null")
	const truth = "8.1925"
	n := storetest.Count(t, s,
		"select count(*) from star.spot_days where part like '%destroyed%' and currency is not null and owner_id in "+
			"(select owner_id from owners where team = 'research')")
	if n != 1 {
		t.Fatalf("%d rows of a day", n)
	}
	for _, c := range []struct {
		o    metrics.Options
		more string
	}{
		{with(day, "", "group_key = zone"), "1000"},
		{with(month, "", "group_key = zone"), "7"}, {with(part, "", "group_key = zone"), "0"},
		{with(day, "", "group_key = zone and team = research"), "1000"}, {with(month, "project", ""), "7"},
		{with(day, "", "group_key = hour"), "50000"}, {with(month, "", "group_key = hour"), "9"},
		{with(day, "", "group_key = hour and team = research"), "0"},
		{with(day, "node", ""), "0"}, {with(day, "", "group_key = zone and run != ''"), "0"},
	} {
		if got, want := storetest.Asked(t, s, "spot", "lost_cost",
			c.o), money.MustParse(truth).Add(money.MustParse(c.more)).String(); got != want {
			t.Errorf("%+v destroyed %s; want %s", c.o, got, want)
		}
	}
	storetest.Run(t, s.Pool, "update star.spot_node_days set currency = 'EUR' where currency = 'USD'")
	if got := storetest.Table(t, s, "spot", with(day, "", "group_key = zone and currency = EUR")); len(got) != 1 ||
		got[0]["interruptions"] != "1" {
		t.Errorf("the machine is paid in EUR: %v", got)
	}

	storetest.Run(t, s.Pool, "insert into stale_days (tenant_id, day, what) values (1, '2026-11-02', 'ledger')")
	ask("while the day is stale")
	storetest.Run(t, s.Pool, "delete from stale_days")
	storetest.Lists(t, s, 0) // the price book has prices that the list lacks
	if err := s.PublishRates(t.Context(), storetest.ID("import", "1"),
		[]ledger.Rate{{ID: storetest.ID("rate", "new"), InstanceType: "p5.48xlarge", Region: "us-east-1",
			PriceClass: ledger.OnDemand, Currency: "USD",
			Hourly: money.MustParse("50"), Valid: period.Interval{From: storetest.Second("2026-11-02T00"), To: pg.EndOfTime},
			Source: "price list"}}); err != nil {
		t.Fatal(err)
	}
	storetest.RateSpot(t, s)
	ask("after a new price")
	storetest.Wants(t, storetest.Table(t, s, "spot", with(day, "", "group_key = instance_type"))[0],
		map[string]string{"on_demand_equivalent": "50"})
	storetest.RollNovember(t, s)
	storetest.Run(t, s.Pool, "delete from stale_days")
	ask("added up again")
	storetest.Wants(t, storetest.Table(t, s, "spot", with(month, "", "group_key = instance_type"))[0],
		map[string]string{"on_demand_equivalent": "50"})
}
