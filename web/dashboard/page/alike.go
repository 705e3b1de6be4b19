package page

import (
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// EqualSpans finds two equal spans of complete days: the first days of a period, and the days at the same place in
// the period that it is compared with. It returns false if the ledger does not reach that far.
func EqualSpans(span, earlier period.Interval, e metrics.Extent) (days, before period.Interval, ok bool) {
	if span.Empty() || earlier.Empty() {
		return days, before, false
	}
	complete := min(span.To, e.Data) - span.From
	length := min(complete, period.Second(earlier.Seconds())).Floor(period.Day)
	if length <= 0 || earlier.From < e.Stored.From {
		return days, before, false
	}
	return period.Interval{From: span.From, To: span.From + length},
		period.Interval{From: earlier.From, To: earlier.From + length}, true
}

// NewestMonth is the month that the data end in, as far as they reach, and the same days of the month before; false
// if the ledger does not hold both.
func NewestMonth(e metrics.Extent) (days, before period.Interval, ok bool) {
	if e.Empty() {
		return days, before, false
	}
	month := period.MonthOf(e.Data - 1)
	return EqualSpans(month, period.MonthOf(month.From-1), e)
}

// Alike leads to a page about equal spans, one against the other.
func (s Scope) Alike(path string, days, before period.Interval) views.Link {
	s.Complete = false
	return views.Link{
		Text: "Compare " + format.ShortDays(days) + " with " + format.ShortDays(before),
		Href: s.At(path, "from", Address(days.From), "to", Address(days.To), "billing_period", "",
			"against", Address(before.From)+"/"+Address(before.To)),
	}
}
