package figures_test

import (
	"strconv"
	"strings"
	"testing"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// The rate is the price of the account's on-demand machines, except hours that a commitment covers in part.
func TestSpotIsComparedWithOnDemandLines(t *testing.T) {
	s := storetest.SmallLedger(t)
	const hour = "2026-11-02T10:00:00Z"
	machine := storetest.ID("instance", "i-2")
	storetest.Run(t, s.Pool, `insert into nodes (tenant_id, node_id, cluster, name, provider_id, instance_id,
		  instance_type, region, price_class, gpu_model, gpus, account)
		values (1, $1, 'prod', 'node-2', 'aws:///us-east-1a/i-2', 'i-2', 'p5.48xlarge', 'us-east-1', 'on_demand', 'H100', 8,
		    '222')`, machine)
	part := func(name, kind, class string, item int, contracted any, seconds any) {
		storetest.Run(t, s.Pool, `insert into charge_items (tenant_id, delivery, item, provider, kind, category, service_name,
			  region, instance_type, price_class, instance_hours, bills_gpu)
			values (1, 2, $1, 'aws', $2, 'Usage', 'EC2', 'us-east-1', 'p5.48xlarge', $3, true, false)`, item, kind, class)
		storetest.Run(t, s.Pool, `insert into charge_rows (tenant_id, delivery, charge_id, line, starts, ends, scope, item,
			  tag_set) values (1, 2, $1, $2::int, 0, 3600, 1, $2::int, 1)`, storetest.ID("charge", name), item)
		storetest.Run(t, s.Pool, `insert into parts (tenant_id, part_id, charge_id, delivery_id, number, kind, node_id, hour,
			  billing_period, currency, effective_cost, contracted_cost, usage_seconds, method, quality)
			select 1, $1, $2, d.delivery_id, 0, 'compute', $3, $4, '2026-11', 'USD', 60, $5, $6, 'resource id', 'measured'
			from deliveries d where d.number = 2`,
			storetest.ID("part", name), storetest.ID("charge", name), machine, hour, contracted, seconds)
	}
	rate := func(want string) {
		t.Helper()
		storetest.RateSpot(t, s)
		var got string
		if err := s.Pool.QueryRow(t.Context(),
			"select source || coalesce(' ' || hourly, '') from spot_rates").Scan(&got); err != nil || got != want {
			t.Errorf("the rate is %q (%v), want %q", got, err, want)
		}
	}
	rate("bill 98.32")
	part("half an hour", "usage", "on_demand", 11, "30", 1800)
	part("its discount", "discount", "", 12, "-3", nil)
	part("another line, of which no cost is contracted", "usage", "on_demand", 13, nil, 1800)
	rate("contracted 54")
	storetest.Wants(t, storetest.Table(t, s, "spot",
		metrics.Options{Filter: "group_key = instance_type and currency = USD"})[0],
		map[string]string{"on_demand_equivalent": "54", "gross_savings": "21.23",
			"known_share": "1", "unknown_cost": ""})
	storetest.Wants(t, storetest.Table(t, s, "attempts", metrics.Options{Filter: "attempt = 1"})[0],
		map[string]string{"spot_savings": "5.3075", "net_spot_savings": "5.3075", "spot_known_share": "1"})
	part("the other half", "covered_usage", "savings_plan", 14, "30", 1800)
	rate("bill 98.32")
	// If the spot hour itself has an on-demand price, its savings are unknown.
	storetest.Run(t, s.Pool, `insert into derived_rates (tenant_id, rate_id, price_class, currency, hourly, source)
		values (1, $1, 'spot', 'USD', 5, 'of spot'), (1, $2, 'on_demand', 'USD', 9, 'on demand')`, storetest.ID("rate", "spot"), storetest.ID("rate", "od"))
	for _, c := range []struct{ method, rate, want string }{
		{"public price", "spot", "bill 98.32"}, {"public price", "od", "unknown"},
		{"typical price", "od", "unknown"}, {"rate", "od", "bill 98.32"},
	} {
		storetest.Run(t, s.Pool, `update parts set method = $1, rate_id = $2 from nodes n
			where n.node_id = parts.node_id and n.price_class = 'spot'`, c.method, storetest.ID("rate", c.rate))
		rate(c.want)
	}
}

// An account has a discount of 30 %, and on-demand machines on some days only: its spot hours are compared with the
// discounted rate on all days, never with the public price that their own lines state. Late lines change the days
// nearest to them and no others; the rates then equal those of a ledger that had all lines from the start.
func TestOnDemandRateHoldsBetweenLines(t *testing.T) {
	s := storetest.SmallLedger(t)
	machine := storetest.ID("instance", "i-2")
	storetest.Run(t, s.Pool, `insert into nodes (tenant_id, node_id, cluster, name, provider_id, instance_id,
		  instance_type, region, price_class, gpu_model, gpus, account)
		values (1, $1, 'prod', 'node-2', 'aws:///us-east-1a/i-2', 'i-2', 'p5.48xlarge', 'us-east-1', 'on_demand', 'H100', 8,
		    '222')`, machine)
	storetest.Run(t, s.Pool, `insert into parts (tenant_id, part_id, charge_id, delivery_id, number, kind, node_id, hour,
		  billing_period, currency, effective_cost, list_cost, usage_seconds, method, quality)
		select 1, md5('spot' || d)::uuid, charge_id, delivery_id, number, kind, node_id, hour + d * interval '1 day',
		  billing_period, currency, effective_cost, list_cost, usage_seconds, method, quality
		from parts cross join (values (-1), (1), (2), (3), (4), (5), (6), (7), (8)) v(d) where kind = 'compute'`)
	onDemand := func(day int, contracted string) period.Second {
		at := storetest.Second("2026-11-01T00") + period.Second(day-1)*period.Day
		item := 100 + day
		charge := storetest.ID("charge", "on demand", at.String())
		storetest.Run(t, s.Pool, `insert into charge_items (tenant_id, delivery, item, provider, kind, category, service_name,
			  region, instance_type, price_class, instance_hours, bills_gpu)
			values (1, 2, $1, 'aws', 'usage', 'Usage', 'EC2', 'us-east-1', 'p5.48xlarge', 'on_demand', true, false)`, item)
		storetest.Run(t, s.Pool, `insert into charge_rows (tenant_id, delivery, charge_id, line, starts, ends, scope, item,
			  tag_set) values (1, 2, $1, $2::int, 0, 3600, 1, $2::int, 1)`, charge, item)
		storetest.Run(t, s.Pool, `insert into parts (tenant_id, part_id, charge_id, delivery_id, number, kind, node_id, hour,
			  billing_period, currency, effective_cost, list_cost, contracted_cost, usage_seconds, method, quality)
			select 1, $1, $2, d.delivery_id, 0, 'compute', $3, $4, '2026-11', 'USD', $5, 98.32, $5, 3600, 'resource id',
			  'measured' from deliveries d where d.number = 2`,
			storetest.ID("part", "on demand", at.String()), charge, machine, at, contracted)
		return at
	}
	rates := func() (list string) {
		t.Helper()
		const text = "select string_agg(extract(day from hour at time zone 'UTC') || ' ' || source || ' ' || " +
			"round(hourly, 3) || ': ' || detail, E'\n' order by hour) from spot_rates"
		if err := s.Pool.QueryRow(t.Context(), text).Scan(&list); err != nil {
			t.Fatal(err)
		}
		return list
	}
	for day := 1; day <= 5; day++ {
		onDemand(day, "68.824") // 70 % of 98.32
	}
	storetest.RateSpot(t, s)
	lines := strings.Split(rates(), "\n")
	if len(lines) != 10 {
		t.Fatalf("%d spot hours are rated", len(lines))
	}
	for i, line := range lines {
		want := strconv.Itoa(i+1) + " contracted 68.824: on-demand lines of the day"
		if i >= 5 {
			want = strconv.Itoa(i+1) + " contracted 68.824: on-demand lines of 2026-11-05, the nearest day with any"
		}
		if line != want {
			t.Errorf("%q, want %q", line, want)
		}
	}
	storetest.Run(t, s.Pool, "delete from analysis_days")
	late := onDemand(8, "60")
	if _, err := s.SaveOnDemandHours(t.Context(), "on_demand", late); err != nil {
		t.Fatal(err)
	}
	days, err := s.AnalysisDays(t.Context(), "rates")
	if err != nil {
		t.Fatal(err)
	}
	if got := len(days); got != 5 || days[0] != late-2*period.Day || days[4] != late+2*period.Day {
		t.Errorf("lines of a day mark %v; want the days after the one before with any", days)
	}
	storetest.RateSpotDays(t, s, days...)
	after := rates()
	if !strings.Contains(after, "6 contracted 68.824") || !strings.Contains(after, "7 contracted 60.000") ||
		!strings.Contains(after, "10 contracted 60.000") {
		t.Errorf("rates are now\n%s", after)
	}
	storetest.Run(t, s.Pool, "delete from on_demand_hours")
	storetest.RateSpot(t, s)
	if whole := rates(); whole != after {
		t.Errorf("day by day\n%s\nat once\n%s", after, whole)
	}
	storetest.Run(t, s.Pool, "delete from analysis_days")
	if _, err := s.SaveOnDemandHours(t.Context(), "on_demand", late); err != nil {
		t.Fatal(err)
	}
	if n := storetest.Count(t, s, "select count(*) from analysis_days"); n != 0 {
		t.Errorf("lines that did not change mark %d days", n)
	}
}
