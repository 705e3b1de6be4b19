package spot

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

func amount(text string) *money.Amount { a := money.MustParse(text); return &a }

var (
	kind    = Kind{Account: "222", InstanceType: "p5.48xlarge", Region: "us-east-1", Currency: "USD"}
	tenHour = period.Second(1793620800) // 2026-11-02T12:00Z
	book    = []ledger.Rate{
		{
			ID: ledger.NewID("rate", "any"), InstanceType: "p5.48xlarge", PriceClass: ledger.OnDemand,
			Currency: "USD", Hourly: *amount("50"), Valid: period.Interval{To: 1 << 40}, Source: "book, any region",
		},
		{
			ID: ledger.NewID("rate", "here"), InstanceType: "p5.48xlarge", Region: "us-east-1", PriceClass: ledger.OnDemand,
			Currency: "USD", Hourly: *amount("60"), Valid: period.Interval{To: 1 << 40}, Source: "book",
		},
		{
			ID: ledger.NewID("rate", "spot"), InstanceType: "p5.48xlarge", Region: "us-east-1", PriceClass: ledger.Spot,
			Currency: "USD", Hourly: *amount("7"), Valid: period.Interval{To: 1 << 40}, Source: "spot",
		},
	}
)

func TestTheFirstSourceThatKnowsSetsTheRate(t *testing.T) {
	billed := Paid{
		Node: ledger.NewID("n"), Hour: tenHour, Kind: kind, Provider: "aws",
		Billed: true, Listed: amount("98.32"), Public: amount("49.16"), Seconds: 1800,
	}
	with := func(change func(*Paid)) Paid { p := billed; change(&p); return p }
	here := Line{Kind: kind, Hour: tenHour, Cost: money.MustParse("40"), Seconds: 3600}
	elsewhere := func(change func(*Kind)) Line { l := here; change(&l.Kind); return l }
	price, _ := catalog.Embedded().OnDemand(kind.InstanceType, kind.Region)
	public := price.Hourly.String()
	for name, c := range map[string]struct {
		paid   Paid
		lines  []Line
		book   []ledger.Rate
		source RateSource
		hourly string
	}{
		"lines of the hour": {
			billed, []Line{here, {Kind: kind, Hour: tenHour + period.Hour, Cost: money.MustParse("45"), Seconds: 3600}},
			book, FromLines, "40",
		},
		"several lines": {
			billed, []Line{here, {Kind: kind, Hour: tenHour, Cost: money.MustParse("25"), Seconds: 1800}},
			book, FromLines, "43.333333333333",
		},
		"lines of another hour": {
			billed, []Line{{Kind: kind, Hour: tenHour - 2*period.Hour, Cost: money.MustParse("45"), Seconds: 3600}},
			book, FromLines, "45",
		},
		"lines of another day": {
			billed, []Line{{Kind: kind, Hour: tenHour - period.Day, Cost: money.MustParse("45"), Seconds: 3600}},
			book, FromLines, "45",
		},
		"lines of a day before": {
			billed, []Line{
				{Kind: kind, Hour: tenHour - 9*period.Day, Cost: money.MustParse("45"), Seconds: 3600},
				{Kind: kind, Hour: tenHour + 8*period.Day, Cost: money.MustParse("46"), Seconds: 3600},
			}, book, FromLines, "46",
		},
		"two days as near": {
			billed, []Line{
				{Kind: kind, Hour: tenHour - 9*period.Day, Cost: money.MustParse("45"), Seconds: 3600},
				{Kind: kind, Hour: tenHour + 9*period.Day, Cost: money.MustParse("46"), Seconds: 3600},
			}, book, FromLines, "45",
		},
		"a near day that costs 0": {
			billed, []Line{
				{Kind: kind, Hour: tenHour - 9*period.Day, Cost: money.MustParse("45"), Seconds: 3600},
				{Kind: kind, Hour: tenHour + period.Day, Seconds: 3600},
			}, book, FromLines, "45",
		},
		"lines that cost nothing": {billed, []Line{{Kind: kind, Hour: tenHour, Seconds: 3600}}, book, FromBill, "98.32"},
		"another account": {
			billed, []Line{elsewhere(func(k *Kind) { k.Account = "333" })}, book, FromBill, "98.32",
		},
		"another region": {
			billed, []Line{elsewhere(func(k *Kind) { k.Region = "eu-west-1" })}, book, FromBill, "98.32",
		},
		"another type": {
			billed, []Line{elsewhere(func(k *Kind) { k.InstanceType = "p4d.24xlarge" })}, book, FromBill, "98.32",
		},
		"another currency": {
			billed, []Line{elsewhere(func(k *Kind) { k.Currency = "EUR" })}, book, FromBill, "98.32",
		},
		"a line that lists 0":    {with(func(p *Paid) { p.Listed = amount("0") }), nil, book, FromBook, "60"},
		"a line that lists none": {with(func(p *Paid) { p.Listed, p.Public = nil, nil }), nil, book, FromBook, "60"},
		"a spot SKU of Google":   {with(func(p *Paid) { p.Provider = "gcp" }), nil, book, FromBook, "60"},
		"no price book":          {with(func(p *Paid) { p.Listed = nil }), nil, nil, FromCatalogue, public},
		"provisional":            {with(func(p *Paid) { p.Billed = false }), nil, book, FromBook, "60"},
		"a book of any region":   {with(func(p *Paid) { p.Provider = "gcp" }), nil, book[:1], FromBook, "50"},
		"only a spot price":      {with(func(p *Paid) { p.Listed = nil }), nil, book[2:], FromCatalogue, public},
		"no price at all": {
			with(func(p *Paid) { p.Kind.InstanceType = "x9.metal"; p.Listed = amount("0") }), nil, book, FromNobody, "",
		},
		"prices of another currency": {
			with(func(p *Paid) { p.Listed, p.Kind.Currency = nil, "EUR" }), nil, book, FromNobody, "",
		},
		"it stands at on demand": {
			with(func(p *Paid) { p.Billed, p.AtOnDemand = false, true }), nil, book, FromNobody, "",
		},
		"and lines of the hour": {
			with(func(p *Paid) { p.Billed, p.AtOnDemand = false, true }), []Line{here}, book, FromNobody, "",
		},
		"on-demand lines beside spot": {with(func(p *Paid) { p.Provider = "azure" }), []Line{here}, book, FromLines, "40"},
	} {
		rates := OnDemandRates([]Paid{c.paid}, c.lines, c.book, catalog.Embedded())
		got := ""
		if rates[0].Hourly != nil {
			got = rates[0].Hourly.String()
		}
		if len(rates) != 1 || rates[0].Source != c.source || got != c.hourly {
			t.Errorf("%s: %s of %s, want %s of %s", name, got, rates[0].Source, c.hourly, c.source)
		}
	}
}

// With any gaps, an hour's rate depends only on its own day and the nearest days with a price; it is never below 0, and
// never missing if a source has one.
func TestRatesWithRandomGaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var paid []Paid
		var lines []Line
		kind, inCatalogue := kind, rapid.Bool().Draw(t, "catalogue")
		if !inCatalogue {
			kind.InstanceType = "x9.metal"
		}
		for h := range rapid.IntRange(1, 60).Draw(t, "hours") {
			hour := tenHour + period.Second(h)*period.Hour
			p := Paid{
				Node: ledger.NewID("n", strconv.Itoa(h%3)), Hour: hour, Kind: kind,
				Provider: rapid.SampledFrom([]string{"aws", ""}).Draw(t, "provider"),
				Billed:   rapid.Bool().Draw(t, "billed"), Seconds: 3600,
			}
			if rapid.Bool().Draw(t, "listed") {
				p.Listed = amount(strconv.Itoa(rapid.IntRange(0, 3).Draw(t, "list")))
				p.Public = p.Listed
			}
			paid = append(paid, p)
			if rapid.IntRange(0, 20).Draw(t, "line") == 0 {
				lines = append(lines, Line{
					Kind: kind, Hour: hour, Cost: *amount(strconv.Itoa(rapid.IntRange(0, 40).Draw(t, "cost"))),
					Seconds: int64(rapid.IntRange(1, 7200).Draw(t, "seconds")),
				})
			}
		}
		all := map[string]Rate{}
		for _, r := range OnDemandRates(paid, lines, nil, catalog.Embedded()) {
			all[r.Node.String()+r.Hour.String()] = r
		}
		priced := map[period.Second]bool{}
		for _, l := range lines {
			if l.Cost.Sign() > 0 {
				priced[l.Hour.Floor(period.Day)] = true
			}
		}
		for _, p := range paid { // alone, with the lines of its day and the nearest ones
			day := p.Hour.Floor(period.Day)
			wanted := map[period.Second]bool{day: true}
			for _, step := range []period.Second{-period.Day, period.Day} {
				for at := day + step; at > tenHour-period.Day && at < tenHour+9*period.Day; at += step {
					if priced[at] {
						wanted[at] = true
						break
					}
				}
			}
			var near []Line
			for _, l := range lines {
				if wanted[l.Hour.Floor(period.Day)] {
					near = append(near, l)
				}
			}
			alone := OnDemandRates([]Paid{p}, near, nil, catalog.Embedded())[0]
			got := all[p.Node.String()+p.Hour.String()]
			if got.Source != alone.Source || (got.Hourly == nil) != (alone.Hourly == nil) || got.Hourly != nil &&
				got.Hourly.Cmp(*alone.Hourly) != 0 {
				t.Fatalf("of all days %+v, of its own %+v", got, alone)
			}
			public := p.Provider == "aws" && p.Billed && p.Listed != nil && p.Listed.Sign() > 0
			if known := len(priced) > 0 || public || inCatalogue; known != (got.Hourly != nil) ||
				known == (got.Source == FromNobody) {
				t.Fatalf("known %v, got %+v", known, got)
			}
			if got.Hourly != nil && got.Hourly.Sign() <= 0 {
				t.Fatalf("a rate of %s", got.Hourly)
			}
		}
	})
}
