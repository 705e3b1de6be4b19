package explain

import (
	"testing"

	"gpuledger/metrics"
)

// The largest figure is the first, whatever its currency is called, and each names its currency.
func TestTheLargestFigureComesFirst(t *testing.T) {
	cost := func(text string) *string { return &text }
	list := largestFirst([]metrics.Figure{
		{Currency: "CHF"}, {Currency: "EUR", Effective: cost("9.5")}, {Currency: "GBP", Effective: cost("-20")},
		{Currency: "USD", Effective: cost("10")},
	})
	for i, want := range []string{"-20 GBP", "10 USD", "9.5 EUR", "n/a"} {
		if got := explainedFigure(&list[i], nil).Headline.Figure.Text; got != want {
			t.Errorf("figure %d is %q, want %q", i, got, want)
		}
	}
}
