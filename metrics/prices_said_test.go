package metrics

import (
	"testing"

	"gpuledger/internal/money"
)

func TestPricesAreSaidInOneSentence(t *testing.T) {
	hours := func(text string) money.Amount { return money.MustParse(text) }
	for _, c := range []struct {
		all      string
		unbilled map[string]money.Amount
		want     string
	}{
		{"0", nil, ""},
		{"800", nil, "All GPU-hours stand at what was billed."},
		{
			"800", map[string]money.Amount{PricePublic: hours("800")},
			"GPU-hours stand 100 % at public list prices, assumed. Import a bill or a price book for real prices.",
		},
		{
			"800", map[string]money.Amount{PriceOfBook: hours("7.99")},
			"GPU-hours stand 99 % at what was billed; under 1 % at the price book. The next bill replaces what is provisional.",
		},
		{"300", map[string]money.Amount{PriceUnknown: hours("30"), PriceTypical: hours("60"), PriceOfBill: hours("60.5")},
			"GPU-hours stand 49 % at what was billed; 20 % at the bill's latest rates; 20 % at typical public prices, " +
				"assumed; 10 % without any price. Import a bill or a price book for real prices."},
		{
			"10", map[string]money.Amount{PriceUncharged: hours("5")},
			"GPU-hours stand 50 % at what was billed; 50 % in hours that the bill leaves out.",
		},
	} {
		if got := (Standing{All: hours(c.all), Unbilled: c.unbilled}).Sentence(); got != c.want {
			t.Errorf("%v of %s:\n%s\n%s", c.unbilled, c.all, got, c.want)
		}
	}
	may := Standing{
		All: hours("24"), Unbilled: map[string]money.Amount{PriceMayBe: hours("12")},
		MayCost: map[string]money.Amount{"USD": hours("17.0156")},
	}
	if got, want := may.Sentence(),
		"GPU-hours stand 50 % at what was billed; 50 % in hours that a bill may hold under another name. Nobody knows "+
			"whose account some machines are of, "+
			"and a bill of the book may hold them. They would cost 17.02 USD, which no total has. Import the bill that names "+
			"them, or other machines of their cluster, or label their nodes gpuledger.io/account=ACCOUNT."; got != want {
		t.Errorf("%s\n%s", got, want)
	}
}
