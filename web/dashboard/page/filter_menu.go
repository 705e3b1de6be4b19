package page

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"

	"gpuledger/metrics"
	"gpuledger/web/views"
)

const (
	// FilterPath is the page that lists keys and their values.
	FilterPath = "/filter"
	// mostValues bounds the values that the menu lists itself; FilterPath has them all.
	mostValues = 5
)

// asked are the keys that the menu names, those asked for most first.
var asked = []string{
	"team", "project", "model", "environment", "cost_center", "user", "service", "provider", "account", "cluster",
	"gpu_model", "pricing", "cause",
}

// FilterKeys are the keys that a filter of a dataset may name, as the menu and FilterPath list them: without those that
// only one row has.
func FilterKeys(d *metrics.Dataset) (keys []string) {
	if d.Grouped {
		for _, k := range metrics.Keys {
			keys = append(keys, k.Name)
		}
		return keys
	}
	for _, c := range d.Columns {
		if c.Filter && c.Kind == metrics.Text {
			keys = append(keys, c.Name)
		}
	}
	for _, name := range d.Offers {
		if !slices.Contains(keys, name) {
			keys = append(keys, name)
		}
	}
	return keys
}

// filterMenu offers values of a few keys, the keys of the page's dataset, and a condition.
func (p *Context) filterMenu(from Choices) *views.Menu {
	d, err := metrics.LookupDataset(from.Dataset)
	if err != nil {
		return nil
	}
	m := &views.Menu{Label: "+ Filter", Items: p.providerItems(from.Providers)}
	if len(from.Teams) > 0 {
		m.Items = append(m.Items, views.MenuItem{Text: "Team"})
	}
	for _, t := range from.Teams[:min(len(from.Teams), mostValues)] {
		m.Items = append(m.Items, views.MenuItem{Text: t, Href: p.Scope.With("team", t), Current: t == p.Scope.Team})
	}
	known := FilterKeys(d)
	for _, key := range asked {
		if slices.Contains(known, key) {
			m.Keys = append(m.Keys, views.Link{Text: metrics.Label(key), Href: p.filterPath(from.Dataset, key)})
		}
	}
	m.Keys = append(m.Keys, views.Link{Text: "All keys", Href: p.filterPath(from.Dataset, "")})
	m.Condition = &views.ConditionForm{
		Action: p.Scope.Path, Text: p.Scope.Filter, Example: cmp.Or(from.Where, "team = nlp"), Most: longestFilter,
		Hidden: p.Scope.Others("filter"),
	}
	return m
}

// filterPath is the address of the values of a key, from which each leads back to the page.
func (p *Context) filterPath(dataset, key string) string {
	v := url.Values{"of": {dataset}, "back": {p.Scope.With("page", "")}}
	if key != "" {
		v.Set("key", key)
	}
	return FilterPath + "?" + v.Encode()
}

// ScopeAt reads the address of a page.
func ScopeAt(address string) (Scope, error) {
	u, err := url.Parse(address)
	if err != nil {
		return Scope{}, &metrics.OptionError{Option: "back", Value: address, Reason: "is not an address"}
	}
	return ReadScope(&http.Request{URL: u})
}

// WithoutKey is the scope without what it says about a key.
func (s Scope) WithoutKey(key string) Scope {
	var left []string
	for _, t := range s.Terms() {
		if !slices.Contains(t.names, key) {
			left = append(left, t.Text)
		}
	}
	s.Filter = Both(left...)
	return s.Without(key)
}

// Filtering is the address with a further term.
func (s Scope) Filtering(term string) string { return s.With("filter", s.And(term), "page", "") }
