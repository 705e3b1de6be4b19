package metrics

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"gpuledger/internal/money"
)

// Standing is the GPU-hours by source of their price.
type Standing struct {
	All      money.Amount            // GPU-hours, with and without a bill
	Unbilled map[string]money.Amount // GPU-hours without a bill, by the source of their price
	MayCost  map[string]money.Amount // cost of hours that may be billed, by currency
	// Estimates are how good earlier prices of hours without a bill were.
	Estimates Estimates
}

// ReadStanding reads the price sources of a window's figures, over the whole fleet.
func ReadStanding(ctx context.Context, reader Querier, window Options) (Standing, error) {
	out := Standing{Unbilled: map[string]money.Amount{}, MayCost: map[string]money.Amount{}}
	read := func(dataset, by, of string, add func(string, money.Amount)) error {
		o := Options{From: window.From, To: window.To}
		if dataset == "costs" {
			o.GroupBy = by
		}
		q, err := Parse(dataset, o)
		if err != nil {
			return err
		}
		q.Only = []string{by, of}
		rows, err := reader.Query(ctx, q)
		if err != nil {
			return fmt.Errorf("read %s: %w", dataset, err)
		}
		defer rows.Close()
		for rows.Next() {
			var name, text string
			for i, c := range rows.Columns() {
				switch c.Name {
				case by:
					name = rows.Values()[i].Text
				case of:
					text = rows.Values()[i].Text
				}
			}
			if text == "" { // charges without a machine
				continue
			}
			amount, err := money.Parse(text)
			if err != nil {
				return fmt.Errorf("read %s: %w", dataset, err)
			}
			add(name, amount)
		}
		return rows.Err()
	}
	err := read("costs", "state", "capacity_gpu_hours",
		func(_ string, hours money.Amount) { out.All = out.All.Add(hours) })
	if err != nil {
		return out, err
	}
	err = read("provisional_prices", "price_source", "capacity_gpu_hours", func(source string, hours money.Amount) {
		out.Unbilled[source] = out.Unbilled[source].Add(hours)
	})
	if err == nil && out.estimated() {
		out.Estimates, err = ReadEstimates(ctx, reader)
	}
	if err != nil || out.Unbilled[PriceMayBe].IsZero() {
		return out, err
	}
	return out, read("provisional_prices", "currency", "would_cost", func(currency string, cost money.Amount) {
		out.MayCost[currency] = out.MayCost[currency].Add(cost)
	})
}

// pricesSaid are the sources of prices in words, the surest first.
var pricesSaid = []struct{ source, at string }{
	{PricePrepaid, "prepaid"},
	{PriceOfBook, "from the price book"},
	{PriceOfBill, "from the bill's latest rates"},
	{PricePublic, "from public list prices, assumed"},
	{PriceTypical, "from typical public prices, assumed"},
	{PriceUncharged, "left out by the bill"},
	{PriceMayBe, "perhaps on a bill under another name"},
	{PriceUnknown, "without any price"},
}

// Sentence lists the prices behind the figures and how to get real ones. Empty without hours.
func (s Standing) Sentence() string {
	if s.All.Sign() <= 0 {
		return ""
	}
	billed := s.All
	var said []string
	for _, p := range pricesSaid {
		hours := s.Unbilled[p.source]
		if billed = billed.Sub(hours); hours.Sign() > 0 {
			said = append(said, percentOf(hours, s.All)+" "+p.at)
		}
	}
	if len(said) == 0 {
		return "All GPU-hours are priced from bills."
	}
	if billed.Sign() > 0 {
		said = append([]string{percentOf(billed, s.All) + " from bills"}, said...)
	}
	text := "Prices of GPU-hours: " + strings.Join(said, "; ") + "."
	text += s.mayBe()
	switch {
	case s.Guessed():
		text += " Import a bill or a price book for real prices."
	case s.estimated():
		text += " The next bill replaces provisional prices."
	}
	if s.estimated() {
		text += " " + s.Estimates.Sentence()
	}
	return text
}

// estimated reports whether hours without a bill have a cost that a bill will replace.
func (s Standing) estimated() bool {
	return slices.ContainsFunc([]string{PriceOfBook, PriceOfBill, PricePublic, PriceTypical},
		func(source string) bool { return s.Unbilled[source].Sign() > 0 })
}

// mayBe is the sentence about hours that are in no total because they may be billed.
func (s Standing) mayBe() string {
	if s.Unbilled[PriceMayBe].Sign() <= 0 {
		return ""
	}
	var costs []string
	for _, currency := range slices.Sorted(maps.Keys(s.MayCost)) {
		costs = append(costs, s.MayCost[currency].Rat().FloatString(2)+" "+currency)
	}
	would := "Their cost is unknown"
	if len(costs) > 0 {
		would = "They would cost " + strings.Join(costs, " and ") + ", which is in no total"
	}
	return " The account of some machines is unknown, and a bill of the book may have them. " + would +
		". Import the bill that names them, or other machines of their cluster, or label their nodes " +
		"gpuledger.io/account=ACCOUNT."
}

// Guessed reports whether hours have assumed prices or none.
func (s Standing) Guessed() bool {
	return s.Unbilled[PricePublic].Sign() > 0 || s.Unbilled[PriceTypical].Sign() > 0 || s.Unbilled[PriceUnknown].Sign() > 0
}

// percentOf is in whole percent, rounded down, so that only all is 100 %.
func percentOf(part, whole money.Amount) string {
	if part.Cmp(whole) >= 0 {
		return "100 %"
	}
	share := new(big.Rat).Quo(part.Rat(), whole.Rat())
	share.Mul(share, big.NewRat(100, 1))
	percent := new(big.Int).Quo(share.Num(), share.Denom())
	if percent.Sign() == 0 {
		return "under 1 %"
	}
	return fmt.Sprintf("%s %%", percent)
}
