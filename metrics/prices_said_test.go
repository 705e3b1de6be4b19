package metrics

import (
	"testing"

	"gpuledger/internal/money"
)

const notMeasured = "No bill has replaced an estimate yet, so the error of estimates is unknown."

func TestPricesInOneSentence(t *testing.T) {
	hours := func(text string) money.Amount { return money.MustParse(text) }
	for _, c := range []struct {
		all      string
		unbilled map[string]money.Amount
		want     string
	}{
		{"0", nil, ""},
		{"800", nil, "All GPU-hours are priced from bills."},
		{
			"800", map[string]money.Amount{PricePublic: hours("800")},
			"Prices of GPU-hours: 100 % from public list prices, assumed. Import a bill or a price book for real prices. " +
				notMeasured,
		},
		{
			"800", map[string]money.Amount{PriceOfBook: hours("7.99")},
			"Prices of GPU-hours: 99 % from bills; under 1 % from the price book. The next bill replaces provisional prices. " +
				notMeasured,
		},
		{"300", map[string]money.Amount{PriceUnknown: hours("30"), PriceTypical: hours("60"), PriceOfBill: hours("60.5")},
			"Prices of GPU-hours: 49 % from bills; 20 % from the bill's latest rates; 20 % from typical public prices, " +
				"assumed; 10 % without any price. Import a bill or a price book for real prices. " + notMeasured},
		{
			"10", map[string]money.Amount{PriceUncharged: hours("5")},
			"Prices of GPU-hours: 50 % from bills; 50 % left out by the bill.",
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
		"Prices of GPU-hours: 50 % from bills; 50 % perhaps on a bill under another name. The account of some machines "+
			"is unknown, and a bill of the book may have them. They would cost 17.02 USD, which is in no total. Import the "+
			"bill that names them, or other machines of their cluster, or label their nodes "+
			"gpuledger.io/account=ACCOUNT."; got != want {
		t.Errorf("%s\n%s", got, want)
	}
}
