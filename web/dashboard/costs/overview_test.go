package costs

import (
	"testing"

	"gpuledger/internal/period"
	"gpuledger/web/dashboard/books"
)

// A page of one month shows the books of that month; a page of several months shows those
// of the newest.
func TestBooksMatchThePeriodOfThePage(t *testing.T) {
	rows := []books.Book{{BillingPeriod: "2026-09"}, {BillingPeriod: "2026-11"}, {BillingPeriod: "2026-10"}}
	october, err := period.Month("2026-10").Interval()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		span period.Interval
		want string
	}{
		{period.Interval{}, "2026-11"},
		{october, "2026-10"},
		{period.Interval{From: october.From - period.Day, To: october.To}, "2026-10"},
		{period.Interval{From: october.From, To: october.To + period.Hour}, "2026-11"},
		{period.Interval{From: october.To + 40*period.Day, To: october.To + 41*period.Day}, ""},
	} {
		if got := newestMonth(rows, c.span); got != c.want {
			t.Errorf("%s: %q, want %q", c.span, got, c.want)
		}
	}
}
