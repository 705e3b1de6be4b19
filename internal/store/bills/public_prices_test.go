package bills_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/test/storetest"
)

// Of two prices for one day the later import wins, and a repetition changes and marks nothing. Imported prices are
// listed together with the built-in ones.
func TestImportedPublicPricesAreInTheList(t *testing.T) {
	s := storetest.SmallLedger(t)
	price := func(hourly, source, date string) catalog.Price {
		day, err := time.Parse(time.DateOnly, date)
		if err != nil {
			t.Fatal(err)
		}
		return catalog.Price{
			Provider: "aws", InstanceType: "p5.48xlarge", Region: "eu-north-1", PriceClass: ledger.OnDemand,
			Currency: "USD", Hourly: money.MustParse(hourly), Source: source, Date: day,
		}
	}
	put := func(want int64, prices ...catalog.Price) {
		t.Helper()
		if n, err := s.PublishPublicPrices(t.Context(), storetest.ID("import", prices[0].Source), prices); err != nil ||
			n != want {
			t.Fatalf("%d changed, want %d: %v", n, want, err)
		}
	}
	put(2, price("60.2", "October", "2026-10-01"), price("70", "June", "2026-06-01"))
	put(0, price("60.2", "October", "2026-10-01"))
	put(1, price("60.3", "October", "2026-10-01"))
	list, err := s.PublicPrices(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range list.All() {
		if p.Region == "eu-north-1" && p.InstanceType == "p5.48xlarge" {
			got = append(got, fmt.Sprintf("%s %s %s %s of %s", p.Date.Format(time.DateOnly), p.PriceClass, p.Hourly, p.Currency,
				p.Source))
		}
	}
	if diff := cmp.Diff([]string{"2026-06-01 on_demand 70 USD of June", "2026-10-01 on_demand 60.3 USD of October"},
		got); diff != "" {
		t.Error(diff)
	}
}

// The first rate is kept, and only if no price book has it.
func TestRatesThatNoBookHasAreKept(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `insert into rates (tenant_id, rate_id, instance_type, region, price_class, currency, hourly,
		  valid_from, source)
		values (1, $1, 'any', '', 'on_demand', 'USD', 3, '2026-01-01', 'book')`, storetest.ID("rate", "book"))
	rate := func(name, hourly string) ledger.Rate {
		return ledger.Rate{
			ID: storetest.ID("rate", name), PriceClass: ledger.Spot, Currency: "USD",
			Hourly: money.MustParse(hourly), Source: name + " at " + hourly,
		}
	}
	for _, rates := range [][]ledger.Rate{
		nil, {rate("list", "5.000000000001"), rate("book", "4")}, {rate("list", "6"), rate("bill", "7")},
	} {
		if err := s.KeepRates(t.Context(), rates); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	rows, _ := s.Pool.Query(t.Context(), "select source || ' ' || hourly || ' ' || of_book from posted_rates order by 1")
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		got = append(got, text)
	}
	if diff := cmp.Diff([]string{"bill at 7 7 false", "book 3 true", "list at 5.000000000001 5.000000000001 false"},
		got); diff != "" || rows.Err() != nil {
		t.Error(diff, rows.Err())
	}
}
