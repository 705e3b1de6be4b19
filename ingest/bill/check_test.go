package bill

import (
	"testing"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

func dayAt(text string) period.Second {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return period.FromTime(t)
}

// A row's times determine its number of hours, days and partitions: a mistyped year is refused,
// a product sold for several years is not.
func TestAChargePeriodIsNoLongerThanAnythingThatIsSold(t *testing.T) {
	for _, c := range []struct {
		month      period.Month
		start, end string
		reason     string // empty: taken
		column     string
	}{
		{"2026-11", "2026-11-02", "2026-11-03", "", ""},
		{"2026-11", "2026-11-01", "2029-11-01", "", ""}, // a support contract, three years
		{"2026-11", "2026-11-01", "2036-11-01", "", ""},
		{"2026-11", "2026-11-01", "2036-11-02", tooLong, "end"},
		{"2026-11", "2026-11-01", "2126-11-01", tooLong, "end"},
		{"2026-11", "2026-11-01", "9999-12-31", tooLong, "end"},
		{"2026-11", "0001-01-01", "2026-11-01", tooLong, "end"},
		{"2026-11", "2126-11-01", "2126-11-02", farAway, "start"},
		{"2026-11", "1926-11-01", "1926-11-02", farAway, "start"},
		{"2026-11", "2036-06-01", "2038-06-01", farAway, "end"},
		{"2026-11", "2017-11-01", "2017-11-02", "", ""}, // a late correction
		{"2026-11", "2026-11-02", "2026-11-01", "end before start", "end"},
		{"0001-11", "0001-11-02", "0001-11-03", "out of range", "month"},
		{"9999-11", "9999-11-02", "9999-11-03", "out of range", "month"},
	} {
		ch := ledger.Charge{BillingPeriod: c.month, Costs: ledger.Costs{Billed: &money.Amount{}}}
		bad := SetPeriod(&ch, Moment{dayAt(c.start), true, "start"}, Moment{dayAt(c.end), true, "end"}, "month")
		switch {
		case c.reason == "" && bad != nil, c.reason != "" && (bad == nil || bad.Reason != c.reason ||
			bad.Column != c.column || bad.Detail == ""):
			t.Errorf("%s, %s to %s: %+v, want %q in %s", c.month, c.start, c.end, bad, c.reason, c.column)
		case bad == nil && (ch.Period.From != dayAt(c.start) || ch.Period.To != dayAt(c.end)):
			t.Errorf("%s to %s became %s", c.start, c.end, ch.Period)
		}
	}
	for end, fine := range map[string]bool{"2026-12-01": true, "2036-11-01": true, "2126-12-01": false} {
		if bad := CheckBillingPeriod(Moment{dayAt("2026-11-01"), true, "start"},
			Moment{dayAt(end), true, "end"}); (bad == nil) != fine {
			t.Errorf("a billing period until %s: %+v", end, bad)
		}
	}
}
