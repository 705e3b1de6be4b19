package figures

import (
	"net/url"
	"strings"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// Explanations of figures. A figure has one where a subject of explain is the
// same figure to the last digit: a run, an attempt, what spot saved, or a report
// of costs with a filter. Findings, devices and slices have parts of usage rows, or what no
// posting names, and groups of runs have whole lives with pods of other owners:
// nothing explains them.

// Why is the filter of the costs that a figure of a row is made of; false
// where there is none.
type Why func(p *page.Context, keys []string, r page.Record) (string, bool)

// WhyOf are costs in which a key has the value that the row has in a column.
func WhyOf(key, name string, more ...string) Why {
	return func(_ *page.Context, keys []string, r page.Record) (string, bool) {
		v := r.Value(name)
		if !v.Valid || len(keys) > 1 || len(keys) == 1 && keys[0] != name {
			return "", false
		}
		return page.Both(append([]string{page.Equal(key, v.Text)}, more...)...), true
	}
}

// WhyOwned are costs by whether their owner has a key.
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

// WhyAlways are costs that any row has, with some terms.
func WhyAlways(terms ...string) Why {
	return func(*page.Context, []string, page.Record) (string, bool) { return page.Both(terms...), true }
}

// whyFigure is the address of what explains a figure, empty where nothing does.
func whyFigure(p *page.Context, dataset string, c Column, keys []string, r page.Record) string {
	d, err := metrics.LookupDataset(dataset)
	if p.Scope.Filter != "" { // what explains costs may not know what it is a condition on
		return ""
	}
	if err != nil || c.Why == nil || r.Known(c.Name).IsZero() { // nothing adds up to nothing
		return ""
	}
	filter, ok := c.Why(p, keys, r)
	if !ok {
		return ""
	}
	s := p.Scope
	o := metrics.Options{From: s.From, To: s.To, Filter: filter}
	narrowed := [][2]string{{"team", s.Team}, {"cluster", s.Cluster}}
	if key, value, ok := narrowedTo(s); ok {
		narrowed = append(narrowed, [2]string{key, value})
	}
	for _, n := range narrowed {
		if takes(d, n[0]) {
			o.Filter = page.Both(o.Filter, page.Equal(n[0], n[1]))
		}
	}
	subject := "costs"
	if c.Saved {
		subject = "spot"
	}
	if _, err := metrics.Parse(subject, o); err != nil { // the page is narrowed to what the subject does not know
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
