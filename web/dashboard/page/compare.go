package page

import (
	"cmp"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// AgainstNone is the parameter against of a page that compares with nothing.
const AgainstNone = "none"

// billed reports whether the period is a billing month: costs are chosen by the month of
// their invoice, whatever their hours are.
func (s Scope) billed() bool { return s.BillingPeriod != "" && s.From == "" && s.To == "" }

// Period are the options of the page's period that a dataset takes: its billing month, or the
// calendar month of that name if the dataset has none.
func (s Scope) Period(d *metrics.Dataset) (from, to, billing string) {
	if d.Billed() {
		billing = s.BillingPeriod
	}
	if !d.Windowed {
		return "", "", billing
	}
	from, to = s.From, s.To
	if billing == "" && s.billed() {
		from, to = Address(s.Window.From), Address(s.Window.To)
	}
	if s.cut != 0 {
		to = Address(s.cut)
	}
	return from, to, billing
}

// Closed is the scope with the ends of its span as the open ends of its period.
func (s Scope) Closed() Scope {
	if s.billed() {
		return s
	}
	if s.From == "" && s.Span.From != 0 {
		s.From = Address(s.Span.From)
	}
	if s.To == "" && s.Span.To != 0 {
		s.To = Address(s.Span.To)
	}
	return s
}

// before is the period that w is compared with, as reports compare. It is empty for an open
// period, unless the address names the other one.
func (s Scope) before(w period.Interval) (period.Interval, error) {
	switch {
	case s.Against == AgainstNone:
		return period.Interval{}, nil
	case (w.From == 0 || w.To == 0) && (s.Against == metrics.AgainstPrevious || s.Against == metrics.AgainstSameDays):
		return period.Interval{}, nil
	}
	return metrics.AgainstWindow(s.Against, w, "UTC")
}

// Before is the period that the page's period is compared with: empty if there is none. If the
// page shows only the complete days of its period, it is as long as they are.
func (s Scope) Before() period.Interval {
	shown := s.Span
	if shown.Empty() || s.cut != 0 && s.Window.From != 0 && s.Window.To != 0 {
		shown = s.Window
	}
	w, _ := s.before(shown) // ReadScope has refused what does not parse
	if s.cut != 0 {
		w.To = min(w.To, w.From+s.cut-s.Span.From)
	}
	return w
}

// againstMenu offers what the period is compared with, as far as the ledger reaches.
func (p *Context) againstMenu() views.Menu {
	s := p.Scope
	s.Span = p.Shown()
	days := func(against string) string {
		other := s
		other.Against = against
		if w := other.Before(); !w.Empty() && w.From >= p.Extent.Stored.From {
			return format.ShortDays(w)
		}
		return ""
	}
	m := views.Menu{Label: "vs", Value: cmp.Or(days(s.Against), "nothing")}
	choice := func(text, against, note string, current bool) {
		m.Items = append(m.Items,
			views.MenuItem{Text: text, Note: note, Href: s.With("against", against), Current: current})
	}
	fiscal, before := p.fiscalBefore(s.Span)
	for _, c := range [][2]string{
		{"Period before", metrics.AgainstPrevious}, {fiscal, before}, {"Same days, a month earlier", metrics.AgainstSameDays},
		{"Same days, a year earlier", yearBefore(s.Span)},
	} {
		if note := days(c[1]); note != "" && c[0] != "" {
			choice(c[0], c[1], note, cmp.Or(s.Against, metrics.AgainstPrevious) == c[1])
		}
	}
	if len(m.Items) == 0 {
		m.Items = []views.MenuItem{{Text: "The ledger has nothing before this period to compare with."}}
		if now, before, ok := NewestMonth(p.Extent); ok {
			alike := s.Alike(s.Path, now, before)
			m.Items = append(m.Items, views.MenuItem{Text: alike.Text, Href: alike.Href})
		}
		return m
	}
	choice("Nothing", AgainstNone, "", s.Against == AgainstNone)
	return m
}

// yearBefore names the same days of the year before: FROM/TO. 29 February becomes 1 March.
func yearBefore(w period.Interval) string {
	if w.Empty() {
		return AgainstNone
	}
	at := func(s period.Second) string { return Address(period.FromTime(s.Time().AddDate(-1, 0, 0))) }
	return at(w.From) + "/" + at(w.To)
}
