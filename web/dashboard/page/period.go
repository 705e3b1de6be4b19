package page

import (
	"slices"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// mostMonths bounds the months that the menu offers by name.
const mostMonths = 12

// periodMenu offers days, months and quarters up to the end of data, all of the stored time
// and billing months. It never uses the clock, so that an address shows the same tomorrow.
func (p *Context) periodMenu(from Choices) views.Menu {
	m := views.Menu{Label: "Period", Value: format.Days(p.Shown())}
	d, _ := metrics.LookupDataset(from.Dataset)
	switch {
	case from.Timeless:
		m.Value = "not by time"
		m.Items = []views.MenuItem{{Text: "These figures have no period. Other pages keep the one of the address."}}
		return m
	case p.Scope.billed() && d != nil && !d.Billed():
		m.Value = MonthName(p.Scope.BillingPeriod) + ", not by invoice"
	case p.Scope.billed():
		m.Value = "billed in " + MonthName(p.Scope.BillingPeriod)
	case p.Shown().Empty():
		m.Value = "all time"
	}
	if !p.Extent.Empty() {
		m.Items = slices.Concat(p.presets(), p.calendarMonths(), p.billingMonths(), p.completeDays())
	}
	if p.Scope.Shown(p.Extent).cut != 0 {
		m.Value += ", complete days"
	}
	m.Form = &views.PeriodForm{
		Action: p.Scope.Path, From: p.Scope.From, To: p.Scope.To, Hidden: p.Scope.Others("from", "to", "billing_period"),
	}
	return m
}

// during is a choice of the menu: the page in another period.
func (p *Context) during(text, note string, i period.Interval) views.MenuItem {
	from, to := format.ISODay(i.From), format.ISODay(i.To)
	return views.MenuItem{
		Text: text, Note: note, Href: p.Scope.With("from", from, "to", to, "billing_period", ""),
		Current: p.Scope.From == from && p.Scope.To == to && p.Scope.BillingPeriod == "",
	}
}

// preset is a named period.
type preset struct {
	text string
	at   period.Interval
}

// presets are the periods that lead to the end of data.
func (p *Context) presets() []views.MenuItem {
	last := p.Extent.Data - 1
	end := period.DayOf(last).To
	items := []views.MenuItem{{
		Text: "All recorded time", Note: format.ShortDays(p.Extent.Stored),
		Href:    p.Scope.With("from", "", "to", "", "billing_period", ""),
		Current: p.Scope.From+p.Scope.To+p.Scope.BillingPeriod == "",
	}}
	month, quarter := period.MonthOf(last), quarterOf(last)
	for _, preset := range p.withFiscal(last, []preset{
		{"Last day", period.Interval{From: end - period.Day, To: end}},
		{"Last 7 days", period.Interval{From: end - 7*period.Day, To: end}},
		{"This month", month}, {"Last month", period.MonthOf(month.From - 1)},
		{"This quarter", quarter}, {"Last quarter", quarterOf(quarter.From - 1)},
	}) {
		if preset.at.Overlaps(p.Extent.Stored) {
			items = append(items, p.during(preset.text, format.ShortDays(preset.at), preset.at))
		}
	}
	return items
}

// quarterOf is the calendar quarter around an instant.
func quarterOf(at period.Second) period.Interval {
	first := period.MonthOf(at)
	for (int(first.From.Time().Month())-1)%3 != 0 {
		first = period.MonthOf(first.From - 1)
	}
	next := period.MonthOf(period.MonthOf(first.To).To)
	return period.Interval{From: first.From, To: next.To}
}

// months are the stored months, the newest first.
func (p *Context) months() (list []period.Interval) {
	for m := period.MonthOf(p.Extent.Stored.To - 1); m.To > p.Extent.Stored.From; m = period.MonthOf(m.From - 1) {
		if list = append(list, m); len(list) == mostMonths {
			break
		}
	}
	return list
}

func (p *Context) calendarMonths() []views.MenuItem {
	items := []views.MenuItem{{Text: "Calendar months"}}
	for _, m := range p.months() {
		items = append(items, p.during(format.Month(m.From), format.ShortDays(m), m))
	}
	return items
}

// billingMonths choose costs by the month of their invoice.
func (p *Context) billingMonths() []views.MenuItem {
	items := []views.MenuItem{{Text: "Billing months: costs of the invoices of a month"}}
	for _, m := range p.months() {
		name := string(period.MonthName(m.From))
		items = append(items, views.MenuItem{
			Text: "Billed in " + format.Month(m.From),
			Href: p.Scope.With("from", "", "to", "", "billing_period", name), Current: p.Scope.BillingPeriod == name,
		})
	}
	return items
}

// completeDays switches the days after the last complete one off or on.
func (p *Context) completeDays() []views.MenuItem {
	change := "1"
	if p.Scope.Complete {
		change = ""
	}
	return []views.MenuItem{
		{Text: "Days that lack data"},
		{
			Text: "Complete days only", Note: "to " + format.Day(p.Extent.Complete()-1),
			Href: p.Scope.With("complete", change), Current: p.Scope.Complete,
		},
	}
}

// Neighbours are the addresses of the periods of equal length before and after the shown
// one, empty if the ledger has no data there.
func (p *Context) Neighbours() (earlier, later string) {
	w := p.Scope.Window
	if w.From == 0 || w.To == 0 || w.Empty() || p.Extent.Empty() {
		return "", ""
	}
	before, after := period.Interval{From: w.From - (w.To - w.From), To: w.From},
		period.Interval{From: w.To, To: w.To + (w.To - w.From)}
	fiscal, ok := p.Extent.Fiscal.Is(w)
	switch {
	case ok && !p.Scope.billed():
		before, after = p.Extent.Fiscal.Around(fiscal, w.From-1), p.Extent.Fiscal.Around(fiscal, w.To)
	case w == period.MonthOf(w.From):
		before, after = period.MonthOf(w.From-1), period.MonthOf(w.To)
	case w == quarterOf(w.From):
		before, after = quarterOf(w.From-1), quarterOf(w.To)
	}
	at := func(i period.Interval) string {
		switch {
		case !i.Overlaps(p.Extent.Stored):
			return ""
		case p.Scope.billed():
			return p.Scope.With("billing_period", string(period.MonthName(i.From)))
		}
		return p.Scope.With("from", Address(i.From), "to", Address(i.To))
	}
	return at(before), at(after)
}
