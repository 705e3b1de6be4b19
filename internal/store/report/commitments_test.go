package report_test

import (
	"fmt"
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

func TestCommitmentsSayWhatTheyCovered(t *testing.T) {
	s := storetest.Bought(t)
	by := map[string]map[string]string{}
	for _, r := range storetest.Table(t, s, "commitments", metrics.Options{}) {
		by[r["commitment"]+" "+r["account"]] = r
	}
	storetest.Wants(t, by["ri-1 222"],
		map[string]string{"commitment_type": "reserved", "instance_family": "p5", "region": "us-east-1", "used_cost": "10",
			"unused_cost": "30", "utilisation": "0.25",
			"coverage": "0.196206671027", "stranded_cost": "0", "on_demand_cost": "0",
			"unused_owners": "unowned", "effective_cost": "40"})
	storetest.Wants(t, by["ri-2 222"], map[string]string{
		"used_cost": "0", "unused_cost": "7", "utilisation": "0", "stranded_cost": "7",
	})
	storetest.Wants(t, by[" 222"], map[string]string{
		"on_demand_cost": "32.77", "used_cost": "0", "unused_cost": "0", "utilisation": "",
		"coverage": "0.196206671027", "unused_owners": "", "commitment_type": "",
	})
	if len(by) != 3 {
		t.Errorf("%d rows: %v", len(by), by)
	}
	rows := storetest.Table(t, s, "commitments", metrics.Options{GroupBy: "team"})
	if len(rows) != 2 {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	storetest.Wants(t, storetest.Table(t, s, "commitments", metrics.Options{GroupBy: "region"})[0],
		map[string]string{
			"used_cost": "10", "unused_cost": "37", "utilisation": "0.212765957447",
			"coverage": "0.196206671027", "on_demand_cost": "32.77",
		})
}

func TestDemandHasClasses(t *testing.T) {
	s := storetest.Bought(t)
	rows := storetest.Table(t, s, "commitment_demand", metrics.Options{Order: "team"})
	if len(rows) != 2 {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0], map[string]string{
		"team": "research", "instance_family": "p5", "demand": "always_on", "held_hours": "2",
		"window_hours": "2", "covered_cost": "10", "on_demand_cost": "16.385", "coverable_cost": "16.385",
	})
	storetest.Wants(t, rows[1], map[string]string{
		"team": "unowned", "demand": "bursty", "held_hours": "0", "on_demand_cost": "16.385", "coverable_cost": "0",
	})
	storetest.Wants(t, storetest.Table(t, s, "commitment_demand",
		metrics.Options{GroupBy: "demand", Filter: "demand = bursty"})[0],
		map[string]string{"on_demand_cost": "16.385", "coverable_cost": "0"})
}

// Demand that began late is judged from its first hour on, once it is three days old.
func TestDemandIsJudgedSinceItBegan(t *testing.T) {
	s := storetest.Bought(t)
	research := func(want map[string]string) {
		t.Helper()
		storetest.Wants(t, storetest.Table(t, s, "commitment_demand", metrics.Options{Filter: "team = research"})[0], want)
	}
	const copied = "insert into usage select (jsonb_populate_record(u, jsonb_build_object('hour', u.hour + i * " +
		"interval '1 hour', 'usage_id', gen_random_uuid()%s))).* from usage u cross join generate_series(%s) i where u.held"
	storetest.Run(t, s.Pool, fmt.Sprintf(copied, ", 'held', false", "-24, -24")) // without a holder, a day before
	research(map[string]string{"demand": "bursty", "held_hours": "2", "lifetime_hours": "2", "window_hours": "26"})
	storetest.Run(t, s.Pool, fmt.Sprintf(copied, "", "2, 80, 2"))
	research(map[string]string{"demand": "always_on", "held_hours": "82", "lifetime_hours": "82", "window_hours": "106"})
}

func TestNoCommitments(t *testing.T) {
	s := storetest.SmallLedger(t) // only spot machines
	for _, name := range []string{"commitments", "commitment_demand"} {
		if rows := storetest.Table(t, s, name, metrics.Options{}); len(rows) != 0 {
			t.Errorf("%s of spot machines: %v", name, rows)
		}
	}
}
