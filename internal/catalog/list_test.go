package catalog

import (
	"testing"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"pgregory.net/rapid"
)

func imported(name, region, hourly, day string) Price {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return Price{
		Provider: "AWS", InstanceType: name, Region: region, PriceClass: ledger.OnDemand,
		Currency: "USD", Hourly: money.MustParse(hourly), Source: "a price list", Date: at,
	}
}

// The newest price of a region counts, however many were imported in which order; an older file changes nothing.
func TestImportedPrices(t *testing.T) {
	l := Embedded()
	if again := l.With(nil); again != l {
		t.Error("nothing makes another list")
	}
	at := func(l *PriceList, region string) string {
		p, _ := l.OnDemand("p5.48xlarge", region)
		return p.Hourly.String()
	}
	for _, c := range []struct {
		name, region, want string
		more               []Price
	}{
		{"a region of its own", "eu-west-1", "61.5", []Price{imported("P5.48XLARGE", "EU-west-1", "61.5", "2026-10-01")}},
		{"newer than the program", "us-east-1", "50", []Price{imported("p5.48xlarge", "us-east-1", "50", "2026-10-01")}},
		{
			"older than the program", "us-east-1", "55.04", []Price{imported("p5.48xlarge", "us-east-1", "98.32", "2024-01-01")},
		},
		{"of the day of the program", "us-east-1", "54", []Price{imported("p5.48xlarge", "us-east-1", "54", "2026-07-20")}},
		{
			"the later of one day", "us-east-1", "49",
			[]Price{
				imported("p5.48xlarge", "us-east-1", "50", "2026-10-01"), imported("p5.48xlarge", "us-east-1", "49", "2026-10-01"),
			},
		},
		{
			"of a machine that nobody knows", "us-east-1", "55.04",
			[]Price{imported("p99.mega", "us-east-1", "1", "2026-10-01")},
		},
	} {
		more := l.With(c.more)
		if got := at(more, c.region); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if c.name != "of a machine that nobody knows" && more.Digest() == l.Digest() {
			t.Errorf("%s: the lists have one digest", c.name)
		}
		if got := at(l, "us-east-1"); got != "55.04" {
			t.Fatalf("%s: the list of the program became %s", c.name, got)
		}
	}
	more := l.With([]Price{imported("p5.48xlarge", "eu-west-1", "61.5", "2026-10-01")})
	r, ok := more.Rate(Machine{InstanceType: "p5.48xlarge", Region: "eu-west-1", PriceClass: ledger.OnDemand}, endOfTime)
	if !ok || r.Hourly.String() != "61.5" || r.Source != "public price of the catalogue: a price list, 2026-10-01" {
		t.Errorf("%+v", r)
	}
}

// In whatever order prices come, the newest day of a key counts.
func TestImportedPricesInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		days := rapid.SliceOfNDistinct(rapid.IntRange(1, 28), 1, 6, rapid.ID[int]).Draw(t, "days")
		var list []Price
		newest := 0
		for _, d := range days {
			list = append(list, imported("g6.xlarge", "eu-north-1", "1.5",
				time.Date(2026, 9, d, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)))
			newest = max(newest, d)
		}
		p, ok := Embedded().With(list).OnDemand("g6.xlarge", "eu-north-1")
		if !ok || p.Date.Day() != newest {
			t.Fatalf("%v of %v", p.Date, days)
		}
	})
}
