package figures_test

import (
	"testing"

	"gpuledger/internal/store/storetest"
	"gpuledger/metrics"
)

// What on-demand machines of the account pay is the rate, where no commitment
// covers a part of their hour.
func TestSpotIsComparedWithOnDemandLines(t *testing.T) {
	s := storetest.SmallLedger(t)
	const hour = "2026-11-02T10:00:00Z"
	machine := storetest.ID("instance", "i-2")
	storetest.Run(t, s.Pool, `insert into nodes (tenant_id, node_id, cluster, name, provider_id, instance_id, instance_type, region, price_class, gpu_model, gpus, account)
		values (1, $1, 'prod', 'node-2', 'aws:///us-east-1a/i-2', 'i-2', 'p5.48xlarge', 'us-east-1', 'on_demand', 'H100', 8, '222')`, machine)
	part := func(name, kind, class string, item int, contracted any, seconds any) {
		storetest.Run(t, s.Pool, `insert into charge_items (tenant_id, delivery, item, provider, kind, category, service_name, region, instance_type, price_class, instance_hours, bills_gpu)
			values (1, 2, $1, 'aws', $2, 'Usage', 'EC2', 'us-east-1', 'p5.48xlarge', $3, true, false)`, item, kind, class)
		storetest.Run(t, s.Pool, `insert into charge_rows (tenant_id, delivery, charge_id, line, starts, ends, scope, item, tag_set) values (1, 2, $1, $2::int, 0, 3600, 1, $2::int, 1)`, storetest.ID("charge", name), item)
		storetest.Run(t, s.Pool, `insert into parts (tenant_id, part_id, charge_id, delivery_id, number, kind, node_id, hour, billing_period, currency, effective_cost, contracted_cost, usage_seconds, method, quality)
			select 1, $1, $2, d.delivery_id, 0, 'compute', $3, $4, '2026-11', 'USD', 60, $5, $6, 'resource id', 'measured' from deliveries d where d.number = 2`,
			storetest.ID("part", name), storetest.ID("charge", name), machine, hour, contracted, seconds)
	}
	rate := func(want string) {
		t.Helper()
		storetest.RateSpot(t, s)
		var got string
		if err := s.Pool.QueryRow(t.Context(), "select source || coalesce(' ' || hourly, '') from spot_rates").Scan(&got); err != nil || got != want {
			t.Errorf("the rate is %q (%v), want %q", got, err, want)
		}
	}
	rate("bill 98.32")
	part("half an hour", "usage", "on_demand", 11, "30", 1800)
	part("its discount", "discount", "", 12, "-3", nil)
	part("another line, of which no cost is contracted", "usage", "on_demand", 13, nil, 1800)
	rate("contracted 54")
	storetest.Wants(t, storetest.Table(t, s, "spot", metrics.Options{Filter: "group_key = instance_type and currency = USD"})[0], map[string]string{"on_demand_equivalent": "54", "gross_savings": "21.23",
		"known_share": "1", "unknown_cost": ""})
	storetest.Wants(t, storetest.Table(t, s, "attempts", metrics.Options{Filter: "attempt = 1"})[0], map[string]string{"spot_savings": "5.3075", "net_spot_savings": "5.3075", "spot_known_share": "1"})
	part("the other half", "covered_usage", "savings_plan", 14, "30", 1800)
	rate("bill 98.32")
	// Where the spot hour itself stands at an on-demand price nobody knows what it saved.
	storetest.Run(t, s.Pool, `insert into derived_rates (tenant_id, rate_id, price_class, currency, hourly, source) values (1, $1, 'spot', 'USD', 5, 'of spot'), (1, $2, 'on_demand', 'USD', 9, 'on demand')`, storetest.ID("rate", "spot"), storetest.ID("rate", "od"))
	for _, c := range []struct{ method, rate, want string }{
		{"public price", "spot", "bill 98.32"}, {"public price", "od", "unknown"}, {"typical price", "od", "unknown"}, {"rate", "od", "bill 98.32"},
	} {
		storetest.Run(t, s.Pool, `update parts set method = $1, rate_id = $2 from nodes n where n.node_id = parts.node_id and n.price_class = 'spot'`, c.method, storetest.ID("rate", c.rate))
		rate(c.want)
	}
}
