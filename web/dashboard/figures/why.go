package figures

import (
	"net/url"
	"strings"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// Explanations of figures. A figure has one if a subject of explain gives the same figure
// to the last digit: a run, an attempt, spot savings, or a report of costs with a filter.
// Findings, devices and slices have none, because they count parts of usage rows or values
// that postings don't have. Groups of runs have none, because they count whole lives that
// include pods of other owners.

// Why returns the filter of the costs behind a row's figure; false if there is none.
type Why func(p *page.Context, keys []string, r page.Record) (string, bool)

// WhyOf selects costs in which a key has the row's value of a column.
func WhyOf(key, name string, more ...string) Why {
	return func(_ *page.Context, keys []string, r page.Record) (string, bool) {
		v := r.Value(name)
		if !v.Valid || len(keys) > 1 || len(keys) == 1 && keys[0] != name {
			return "", false
		}
		return page.Both(append([]string{page.Equal(key, v.Text)}, more...)...), true
	}
}

// WhyOwned selects costs with or without an owner, by the row's owner key.
func WhyOwned(owned bool) Why {
	return func(_ *page.Context, _ []string, r page.Record) (string, bool) {
		nobody := ""
		if r.Text("key") == "team" {
			nobody = page.Unowned
		}
		if owned {
			return r.Text("key") + " != " + page.Quote(nobody), true
		}
		return r.Text("key") + " = " + page.Quote(nobody), true
	}
}

// WhyAlways selects the same costs for every row.
func WhyAlways(terms ...string) Why {
	return func(*page.Context, []string, page.Record) (string, bool) { return page.Both(terms...), true }
}

// whyFigure is the address of a figure's explanation, empty if it has none.
func whyFigure(p *page.Context, dataset string, c Column, keys []string, r page.Record) string {
	if p.Scope.Narrows(dataset) { // a key of the rows may mean another of costs
		return ""
	}
	if c.Why == nil || r.Known(c.Name).IsZero() { // zero needs no explanation
		return ""
	}
	filter, ok := c.Why(p, keys, r)
	if !ok {
		return ""
	}
	s := p.Scope
	s.Currency, s.Basis = "", "" // an explanation has all of both
	o := s.For(dataset, metrics.Options{Filter: filter})
	subject := "costs"
	if c.Saved {
		subject = "spot"
	}
	if _, err := metrics.Parse(subject, o); err != nil { // the subject lacks a key that the page is narrowed to
		return ""
	}
	v := url.Values{}
	for _, opt := range metrics.OptionList {
		if text := *opt.Get(&o); text != "" {
			v.Set(opt.Name, text)
		}
	}
	return strings.TrimSuffix("/explain/"+subject+"?"+v.Encode(), "?")
}
