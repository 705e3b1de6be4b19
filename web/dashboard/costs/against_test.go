package costs

import (
	"testing"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// Equal numbers of complete days are compared, however far fees are posted.
func TestEqualSpansOfCompleteDaysAreCompared(t *testing.T) {
	e := metrics.Extent{
		Stored: period.Interval{From: instant("2026-09-15"), To: instant("2026-12-01")},
		Data:   instant("2026-11-19T14:05:00Z"),
	}
	october := metrics.Extent{
		Stored: period.Interval{From: instant("2026-09-01"), To: instant("2026-12-01")}, Data: e.Data,
	}
	for _, test := range []struct {
		from, to     string
		extent       metrics.Extent
		days, before string
	}{
		{
			"2026-11-10", "2026-11-12", e, "2026-11-10T00:00:00Z/2026-11-12T00:00:00Z",
			"2026-11-08T00:00:00Z/2026-11-10T00:00:00Z",
		},
		{"2026-10-01", "2026-11-01", e, "", ""}, // September begins on the 15th
		{
			"2026-10-01", "2026-11-01", october, "2026-10-01T00:00:00Z/2026-10-31T00:00:00Z",
			"2026-09-01T00:00:00Z/2026-10-01T00:00:00Z",
		},
		{
			"2026-11-01", "2026-12-01", e, "2026-11-01T00:00:00Z/2026-11-19T00:00:00Z",
			"2026-10-01T00:00:00Z/2026-10-19T00:00:00Z",
		},
		{
			"2026-11-18", "2026-11-20", e, "2026-11-18T00:00:00Z/2026-11-19T00:00:00Z",
			"2026-11-16T00:00:00Z/2026-11-17T00:00:00Z",
		},
		{"2026-11-19", "2026-11-20", e, "", ""}, // it has no complete day
		{"2026-11-21", "2026-11-23", e, "", ""}, // only fees
		{"2026-09-15", "2026-12-01", e, "", ""}, // all stored time
	} {
		span := period.Interval{From: instant(test.from), To: instant(test.to)}
		var got [2]string
		if days, before, ok := page.EqualSpans(span, page.Scope{Span: span}.Before(), test.extent); ok {
			got = [2]string{days.String(), before.String()}
		}
		if got != [2]string{test.days, test.before} {
			t.Errorf("%s to %s: %v, want %s and %s", test.from, test.to, got, test.days, test.before)
		}
	}
}

func TestTheComparisonNamesItsDays(t *testing.T) {
	day := func(from, to string) period.Interval { return period.Interval{From: instant(from), To: instant(to)} }
	usd := func(text string) map[string]money.Amount {
		return map[string]money.Amount{"USD": money.MustParse(text)}
	}
	a := &against{
		Days: day("2026-11-01", "2026-11-09"), Before: day("2026-10-01", "2026-10-09"), Spent: usd("150"), Was: usd("100"),
	}
	p := &page.Context{Scope: page.Scope{Basis: "effective"}.During(day("2026-11-01", "2026-12-01")), Currency: "USD"}
	f, ok := a.fact(p)
	if !ok || f.Name != "vs 1 – 8 Oct" || f.Note != "+50.0\u202f%, 1 – 8 Nov" {
		t.Errorf("%+v", f)
	}
	p.Scope = p.Scope.During(a.Days)
	if f, _ := a.fact(p); f.Note != "+50.0\u202f%" {
		t.Errorf("of the whole period: %q", f.Note)
	}
	p.Currency = "EUR"
	if f, ok := a.fact(p); ok {
		t.Errorf("a change without spend in euros: %+v", f)
	}
}
