package dashboard

import (
	"net/url"
	"strings"

	"gpuledger/metrics"
)

// Explanations of figures. A figure has one where a subject of explain is the
// same figure to the last digit: a run, an attempt, what spot saved, or a report
// of costs with a filter. Findings, devices and slices have parts of usage rows, or what no
// posting names, and groups of runs have whole lives with pods of other owners:
// nothing explains them.

// whyFilter is the filter of the costs that a figure of a row is made of; false
// where there is none.
type whyFilter func(p *pageContext, keys []string, r record) (string, bool)

// whyOf are costs in which a key has the value that the row has in a column.
func whyOf(key, name string, more ...string) whyFilter {
	return func(_ *pageContext, keys []string, r record) (string, bool) {
		v := r.value(name)
		if !v.Valid || len(keys) > 1 || len(keys) == 1 && keys[0] != name {
			return "", false
		}
		return both(append([]string{equal(key, v.Text)}, more...)...), true
	}
}

// whyOwned are costs by whether their owner has a key.
func whyOwned(owned bool) whyFilter {
	return func(_ *pageContext, _ []string, r record) (string, bool) {
		nobody := ""
		if r.text("key") == "team" {
			nobody = unowned
		}
		if owned {
			return r.text("key") + " != " + quote(nobody), true
		}
		return r.text("key") + " = " + quote(nobody), true
	}
}

// whyAlways are costs that any row has, with some terms.
func whyAlways(terms ...string) whyFilter {
	return func(*pageContext, []string, record) (string, bool) { return both(terms...), true }
}

// whyFigure is the address of what explains a figure, empty where nothing does.
func (p *pageContext) whyFigure(dataset string, c column, keys []string, r record) string {
	d, err := metrics.LookupDataset(dataset)
	if err != nil || c.Why == nil || r.known(c.Name).IsZero() { // nothing adds up to nothing
		return ""
	}
	filter, ok := c.Why(p, keys, r)
	if !ok {
		return ""
	}
	s := p.scope
	o := metrics.Options{From: s.From, To: s.To, Filter: filter}
	narrowed := [][2]string{{"team", s.Team}, {"cluster", s.Cluster}}
	if key, value, ok := s.within1(); ok {
		narrowed = append(narrowed, [2]string{key, value})
	}
	for _, n := range narrowed {
		if takes(d, n[0]) {
			o.Filter = both(o.Filter, equal(n[0], n[1]))
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
