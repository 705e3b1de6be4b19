package report_test

import (
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// Each source of prices for hours without a bill is a separate row; billed hours are not in any row.
func TestProvisionalPricesByTheirSource(t *testing.T) {
	s := storetest.SmallLedger(t)
	node := `(select node_id from nodes where gpus > 0 order by node_id limit 1)`
	storetest.Run(t, s.Pool, `insert into rates (tenant_id, rate_id, instance_type, region, price_class, currency, hourly,
		  valid_from, source)
		values (1, '00000000-0000-0000-0000-0000000000aa', 'any', '', 'on_demand', 'USD', 3, '2026-01-01', 'book')`)
	storetest.Run(t, s.Pool, `insert into derived_rates (tenant_id, rate_id, price_class, currency, hourly, source)
		values (1, '00000000-0000-0000-0000-0000000000bb', 'spot', 'USD', 5, 'bill or list of a day')`)
	for i, method := range []string{
		"rate", "rate", "public price", "typical price", "prepaid capacity", "unbilled", "no rate", "may be billed",
	} {
		cost, rate := "2.5", []string{
			"'00000000-0000-0000-0000-0000000000aa'", "'00000000-0000-0000-0000-0000000000bb'",
		}[min(i, 1)]
		if i > 4 {
			cost, rate = "null", "null"
		}
		if method == "may be billed" {
			rate = "'00000000-0000-0000-0000-0000000000aa'"
		}
		storetest.Run(t, s.Pool, `insert into parts (tenant_id, part_id, rate_id, number, kind, posting_kind, node_id, hour,
			  currency, effective_cost, usage_seconds, method, quality)
			select 1, gen_random_uuid(), `+rate+`, 0, 'provisional', 'direct', `+node+`, '2026-11-02T05:00:00Z', 'USD', `+cost+`, 1800, $1, 'measured'`, method)
	}
	got := map[string]map[string]string{}
	for _, r := range storetest.Table(t, s, "provisional_prices", metrics.Options{}) {
		got[r["price_source"]] = r
	}
	for _, source := range []string{
		metrics.PriceOfBook, metrics.PriceOfBill, metrics.PricePublic, metrics.PriceTypical,
		metrics.PricePrepaid, metrics.PriceUncharged, metrics.PriceUnknown, metrics.PriceMayBe,
	} {
		want := map[string]string{
			"effective_cost": "2.5", "currency": "USD", "state": "provisional", "first_hour": "2026-11-02T05:00:00Z",
		}
		switch source {
		case metrics.PriceOfBook:
			want["price"] = "book"
		case metrics.PriceOfBill, metrics.PricePublic:
			want["price"] = "bill or list of a day"
		case metrics.PriceUncharged:
			want["effective_cost"], want["currency"], want["state"] = "", "", "open"
		case metrics.PriceMayBe:
			want["effective_cost"], want["would_cost"], want["price"], want["state"] = "", "1.5", "book", "open"
		case metrics.PriceUnknown:
			want["effective_cost"], want["currency"] = "", ""
		}
		storetest.Wants(t, got[source], want)
	}
	if rows := storetest.Table(t, s, "provisional_prices", metrics.Options{To: "2026-11-02T05:00"}); len(rows) != 0 {
		t.Errorf("before it: %v", rows)
	}
}
