package storetest

import (
	"testing"

	"gpuledger/internal/store"
)

// Bought adds to smallLedger, whose machine becomes on demand, a reservation that covered an hour of it at 10 and left
// 30 unused, and one that is entirely unused.
func Bought(t *testing.T) *store.Store {
	s := SmallLedger(t)
	Run(t, s.Pool, `update nodes set price_class = 'on_demand'`)
	Run(t, s.Pool, `update charge_items set price_class = 'on_demand'`)
	for n, c := range []struct {
		name, kind, commitment, part, cause, cost, contracted, owner string
		node                                                         any
	}{
		{"covered", "covered_usage", "ri-1", "compute", "used", "10", "24", "research", ID("instance", "i-1")},
		{"unused", "commitment_fee", "ri-1", "commitment_unused", "commitment_unused", "30", "0", "none", nil},
		{"idle", "commitment_fee", "ri-2", "commitment_unused", "commitment_unused", "7", "0", "none", nil},
	} {
		Run(t, s.Pool, `insert into charge_items (tenant_id, delivery, item, provider, kind, category, service_name, region,
			  instance_type, price_class, commitment_id, instance_hours, bills_gpu)
			values (1, 2, $1, 'aws', $2, 'Usage', 'EC2', 'us-east-1', 'p5.48xlarge', 'reserved', $3, true, false)`, 10+n, c.kind, c.commitment)
		Run(t, s.Pool, `insert into charge_rows (tenant_id, delivery, charge_id, line, starts, ends, scope, item, effective)
			values (1, 2, $1, $2, 1793613600, 1793617200, 1, $3, 0)`,
			ID("charge", c.name), 10+n, 10+n)
		Run(t, s.Pool, `insert into parts (tenant_id, part_id, charge_id, delivery_id, number, kind, node_id, hour,
			  billing_period, currency, effective_cost, method, quality)
			values (1, $1, $2, $3, 0, $4, $5, '2026-11-02T10:00:00Z', '2026-11', 'USD', $6, 'm', 'measured')`, ID("part", c.name), ID("charge", c.name), ID("delivery", "1"), c.part, c.node, c.cost)
		Run(t, s.Pool, `insert into postings (tenant_id, posting_id, hour, part_id, charge_id, part, billing_period, cause,
			  kind, owner_id, method, quality, policy_version, currency, state, effective_cost, contracted_cost, node_id,
			  generation)
			values (1, $1, '2026-11-02T10:00:00Z', $2, $3, 0, '2026-11', $4, 'direct', $5, 'm', 'measured', 'default-1', 'USD',
			    'open', $6, $7, $8, 1)`,
			ID("posting", c.name), ID("part", c.name), ID("charge", c.name),
			c.cause, ID("owner", c.owner), c.cost, c.contracted, c.node)
	}
	return s
}
