package figures

import (
	"net/url"
	"strings"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// Explanations of figures. Every figure of a dataset has one: by the formula of its column, by its parts, and by what
// leads on to bill lines (metrics.Origin). Columns with a Why are the same sum of postings as a report of costs or the
// savings of spot, and are explained as that.

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

// rowsOf are rows of a table: a dataset's own, or groups of them by keys.
type rowsOf struct {
	dataset string
	keys    []string
	filter  string // of the table, in addition to that of the page
}

// whyFigure is the address of a figure's explanation, empty if it has none.
func (o rowsOf) whyFigure(p *page.Context, c Column, d metrics.Column, r page.Record) string {
	if v := r.Value(c.Name); !v.Valid || v.String(d.Kind) == "0" {
		return "" // neither zero nor an unknown figure needs an explanation
	}
	if c.Why != nil {
		return o.whySum(p, c, r)
	}
	explained := d.Kind.Decimal() ||
		d.Kind == metrics.Count && (d.Formula.Aggregates() || metrics.CountExplained(o.dataset, c.Name))
	if !explained || p.Scope.OnFigures() {
		return ""
	}
	set, err := metrics.LookupDataset(o.dataset)
	if err != nil {
		return ""
	}
	opt := metrics.Options{GroupBy: strings.Join(o.keys, ","), Filter: o.filter}
	keys := o.keys
	if len(keys) == 0 && !set.Grouped {
		keys = set.RowKey
	}
	return WhyRow(p.Scope.Mixed().For(o.dataset, opt), set, c.Name, keys, r)
}

// WhyRow is the address of the explanation of a figure in a row that keys identify; empty if it has none.
func WhyRow(opt metrics.Options, set *metrics.Dataset, column string, keys []string, r page.Record) string {
	var terms []string
	for _, key := range keys {
		if key == "currency" || !r.Has(key) {
			continue
		}
		kind, ok := set.FilterKind(key)
		if !ok {
			return ""
		}
		terms = append(terms, metrics.IsValue(key, r.Value(key), kind))
	}
	if r.Has("period_start") && r.Has("period_end") && set.SplitsByTime() {
		if from, to := r.Second("period_start"), r.Second("period_end"); from != 0 && to != 0 && set.Stepped {
			opt.From, opt.To = from.String(), to.String()
		}
	}
	if currency := r.Text("currency"); currency != "" {
		terms = append(terms, page.Equal("currency", currency))
	}
	return WhyFigure(opt, set.Name, column, terms...)
}

// WhyFigure is the address of the explanation of a dataset's figure; empty if explain does not take the question.
func WhyFigure(opt metrics.Options, dataset, column string, terms ...string) string {
	if opt.Basis == "effective" {
		opt.Basis = ""
	}
	subject := metrics.FigureSubject(dataset, column, opt, terms...)
	if _, err := metrics.ParseSubject(subject); err != nil {
		return ""
	}
	return "/explain/" + subject
}

// whySum is the explanation of a figure that is a sum of postings; empty if it has none.
func (o rowsOf) whySum(p *page.Context, c Column, r page.Record) string {
	if p.Scope.Narrows(o.dataset) { // a key of the rows may mean another of costs
		return ""
	}
	filter, ok := c.Why(p, o.keys, r)
	if !ok {
		return ""
	}
	s := p.Scope
	s.Currency, s.Basis = "", "" // an explanation has all of both
	opt := s.For(o.dataset, metrics.Options{Filter: filter})
	subject := "costs"
	if c.Saved {
		subject = "spot"
	}
	if _, err := metrics.Parse(subject, opt); err != nil { // the subject lacks a key that the page is narrowed to
		return ""
	}
	v := url.Values{}
	for _, o := range metrics.OptionList {
		if text := *o.Get(&opt); text != "" {
			v.Set(o.Name, text)
		}
	}
	return strings.TrimSuffix("/explain/"+subject+"?"+v.Encode(), "?")
}
