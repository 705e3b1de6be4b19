package store

import (
	"testing"

	"gpuledger/metrics"
)

// bought adds to smallLedger, whose machine becomes on demand, a reservation
// that covered an hour of it at 10 and left 30 unused, and one that nobody used.
func bought(t *testing.T) *Store {
	s := smallLedger(t)
	run(t, s.pool, `update nodes set price_class = 'on_demand'`)
	run(t, s.pool, `update charge_items set price_class = 'on_demand'`)
	for n, c := range []struct {
		name, kind, commitment, part, cause, cost, contracted, owner string
		node                                                         any
	}{
		{"covered", "covered_usage", "ri-1", "compute", "used", "10", "24", "research", id("instance", "i-1")},
		{"unused", "commitment_fee", "ri-1", "commitment_unused", "commitment_unused", "30", "0", "none", nil},
		{"idle", "commitment_fee", "ri-2", "commitment_unused", "commitment_unused", "7", "0", "none", nil},
	} {
		run(t, s.pool, `insert into charge_items (tenant_id, delivery, item, provider, kind, category, service_name, region, instance_type, price_class, commitment_id, instance_hours, bills_gpu)
			values (1, 2, $1, 'aws', $2, 'Usage', 'EC2', 'us-east-1', 'p5.48xlarge', 'reserved', $3, true, false)`, 10+n, c.kind, c.commitment)
		run(t, s.pool, `insert into charge_rows (tenant_id, delivery, charge_id, line, starts, ends, scope, item, effective) values (1, 2, $1, $2, 1793613600, 1793617200, 1, $3, 0)`,
			id("charge", c.name), 10+n, 10+n)
		run(t, s.pool, `insert into parts (tenant_id, part_id, charge_id, delivery_id, number, kind, node_id, hour, billing_period, currency, effective_cost, method, quality)
			values (1, $1, $2, $3, 0, $4, $5, '2026-11-02T10:00:00Z', '2026-11', 'USD', $6, 'm', 'measured')`, id("part", c.name), id("charge", c.name), id("delivery", "1"), c.part, c.node, c.cost)
		run(t, s.pool, `insert into postings (tenant_id, posting_id, hour, part_id, charge_id, part, billing_period, cause, kind, owner_id, method, quality, policy_version, currency, state, effective_cost, contracted_cost, node_id, generation)
			values (1, $1, '2026-11-02T10:00:00Z', $2, $3, 0, '2026-11', $4, 'direct', $5, 'm', 'measured', 'default-1', 'USD', 'open', $6, $7, $8, 1)`,
			id("posting", c.name), id("part", c.name), id("charge", c.name), c.cause, id("owner", c.owner), c.cost, c.contracted, c.node)
	}
	return s
}

func TestCommitmentsSayWhatTheyCovered(t *testing.T) {
	s := bought(t)
	by := map[string]map[string]string{}
	for _, r := range table(t, s, "commitments", metrics.Options{}) {
		by[r["commitment"]+" "+r["account"]] = r
	}
	wants(t, by["ri-1 222"], map[string]string{"commitment_type": "reserved", "instance_family": "p5", "region": "us-east-1", "used_cost": "10", "unused_cost": "30", "utilisation": "0.25",
		"coverage": "0.196206671027", "stranded_cost": "0", "on_demand_cost": "0", "unused_owners": "unowned", "effective_cost": "40"})
	wants(t, by["ri-2 222"], map[string]string{"used_cost": "0", "unused_cost": "7", "utilisation": "0", "stranded_cost": "7"})
	wants(t, by[" 222"], map[string]string{"on_demand_cost": "32.77", "used_cost": "0", "unused_cost": "0", "utilisation": "", "coverage": "0.196206671027", "unused_owners": "", "commitment_type": ""})
	if len(by) != 3 {
		t.Errorf("%d rows: %v", len(by), by)
	}
	rows := table(t, s, "commitments", metrics.Options{GroupBy: "team"})
	if len(rows) != 2 {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	wants(t, table(t, s, "commitments", metrics.Options{GroupBy: "region"})[0], map[string]string{"used_cost": "10", "unused_cost": "37", "utilisation": "0.212765957447", "coverage": "0.196206671027", "on_demand_cost": "32.77"})
}

func TestDemandHasClasses(t *testing.T) {
	s := bought(t)
	rows := table(t, s, "commitment_demand", metrics.Options{Order: "team"})
	if len(rows) != 2 {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	wants(t, rows[0], map[string]string{"team": "research", "instance_family": "p5", "demand": "always_on", "held_hours": "2", "window_hours": "2", "covered_cost": "10", "on_demand_cost": "16.385", "coverable_cost": "16.385"})
	wants(t, rows[1], map[string]string{"team": "unowned", "demand": "bursty", "held_hours": "0", "on_demand_cost": "16.385", "coverable_cost": "0"})
	wants(t, table(t, s, "commitment_demand", metrics.Options{GroupBy: "demand", Filter: "demand = bursty"})[0], map[string]string{"on_demand_cost": "16.385", "coverable_cost": "0"})
}

func TestNoCommitments(t *testing.T) {
	s := smallLedger(t) // all of it is spot
	for _, name := range []string{"commitments", "commitment_demand"} {
		if rows := table(t, s, name, metrics.Options{}); len(rows) != 0 {
			t.Errorf("%s of spot machines: %v", name, rows)
		}
	}
}
