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

// The headline of a figure leads to the definition of its column, not to that of effective cost.
func TestTheHeadlineOfAFigureHasItsOwnDefinition(t *testing.T) {
	count := "13"
	o := metrics.Origin{Name: "Runs", Value: &count}
	for subject, want := range map[string]string{
		"models.runs?filter=model+%3D+%27a%27": "models.runs", "budgets.ratio": "budgets.ratio",
		"runs.useful_cost_share.left?group-by=team": "figure.fact",
	} {
		h := originFigure(subject, &o, metrics.Estimates{}).Headline
		if h.Define != want || h.Figure.Text != count || h.Figure.Copy != count {
			t.Errorf("%s is defined by %q with %q, want %q with %s", subject, h.Define, h.Figure.Text, want, count)
		}
	}
}
