package page

import (
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/metrics"
)

func TestStandingHasTheMeasuredError(t *testing.T) {
	e := metrics.Estimates{
		{Provider: "aws", Currency: "USD", Days: 3, Off: money.MustParse("6"), Final: money.MustParse("100")},
		{Provider: "gcp", Currency: "USD", Days: 2, Off: money.MustParse("2"), Final: money.MustParse("100")},
		{Provider: "azure", Currency: "EUR", Days: 2, Off: money.MustParse("1"), Final: money.MustParse("10")},
	}
	for _, c := range []struct {
		state    ledger.State
		currency string
		want     string
	}{
		{ledger.Provisional, "USD", "provisional ± 4.0 %"}, {ledger.Provisional, "EUR", "provisional ± 10.0 %"},
		{ledger.Provisional, "GBP", "provisional"}, {ledger.Final, "USD", "final"}, {ledger.Open, "USD", "open"},
	} {
		if got := Standing(c.state, c.currency, e); got.Text != c.want || got.Title == "" {
			t.Errorf("%s in %s: %+v, want %s", c.state, c.currency, got, c.want)
		}
	}
	if got := Standing(ledger.Provisional, "USD", nil); !strings.Contains(got.Title, "unknown") {
		t.Errorf("without a bill: %+v", got)
	}
}
