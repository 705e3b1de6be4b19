package metrics

import (
	"testing"
	"time"

	"gpuledger/internal/money"
)

// The teams of a day are added up before the size of its error is taken; only the newest 30 billed days count.
func TestErrorOfEarlierEstimates(t *testing.T) {
	rows := &Answer{Columns: []Column{{Name: "day"}, {Name: "provider"}, {Name: "currency"}, {Name: "error"},
		{Name: "final"}}}
	add := func(day int, provider, currency, off, final string) {
		text := func(s string) Value { return Value{Valid: true, Text: s} }
		at := time.Date(2026, 10, day, 0, 0, 0, 0, time.UTC)
		rows.Rows = append(rows.Rows,
			[]Value{{Valid: true, Time: at}, text(provider), text(currency), text(off), text(final)})
	}
	add(1, "aws", "USD", "-1000", "1") // 31 days ago
	for day := 2; day <= 30; day++ {
		add(day, "aws", "USD", "1", "10")
	}
	add(31, "aws", "USD", "-11", "10") // two teams
	add(31, "aws", "USD", "6", "20")
	add(31, "oci", "EUR", "40", "0")
	add(31, "gcp", "USD", "0", "3")
	got := estimatesOf(rows)
	if len(got) != 3 || got[0].Days != 30 || got[0].Bias().Cmp(money.MustParse("0.075").Rat()) != 0 ||
		got[0].MeanError().RatString() != "17/160" || got[2].Bias() != nil || got[2].MeanError() != nil {
		t.Fatalf("%+v", got)
	}
	const want = "Estimates of AWS in USD were 7.5 % too high over the last 30 billed days; a day was 10.6 % off. " +
		"Estimates of Google Cloud in USD were as high as the bill over the last billed day; a day was 0.0 % off. " +
		"Bills have no cost for the estimates of Oracle Cloud in EUR over the last billed day."
	if got := got.Sentence(); got != want {
		t.Errorf("%s\n%s", got, want)
	}
	if got := (Estimates{}).Sentence(); got != notMeasured {
		t.Error(got)
	}
}
