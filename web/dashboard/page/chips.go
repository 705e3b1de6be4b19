package page

import (
	"slices"
	"strings"

	"gpuledger/metrics"
	"gpuledger/web/views"
)

// chips are the filters of the address. One whose key the page's figures do not carry says
// that it does not apply.
func (p *Context) chips(from Choices) (chips []views.Chip) {
	d, _ := metrics.LookupDataset(from.Dataset)
	takes := func(key string) bool { return d != nil && Takes(d, key) || slices.Contains(from.Takes, key) }
	add := func(label, value string, applies bool, changes ...string) {
		if value != "" {
			chips = append(chips,
				views.Chip{Label: label, Value: Clip(value), Off: !applies, Remove: p.Scope.With(changes...)})
		}
	}
	s := p.Scope
	provider := s.Provider
	if provider != "" {
		provider = ProviderName(provider)
	}
	add("team is", s.Team, takes("team"), "team", "")
	add("cluster is", s.Cluster, takes("cluster"), "cluster", "")
	add("provider is", provider, takes("provider"), "provider", "")
	add("kind is", s.Kind, true, "kind", "")
	add("status is", s.Status, true, "status", "")
	add("text contains", s.Text, true, "q", "")
	for i, t := range s.Terms() {
		label, value := "where", strings.TrimSuffix(strings.TrimPrefix(t.Text, "("), ")")
		if t.Key != "" && t.Value != "" {
			label, value = strings.ReplaceAll(t.Key, "_", " ")+" is", t.Value
		}
		applies := d != nil && t.narrows(from.Dataset) || slices.Contains(s.figures, t.Text)
		add(label, value, applies, "filter", s.except(i))
	}
	return chips
}

// Inapplicable are the filters of the address that a page of no dataset does not
// apply, except those that it takes.
func (p *Context) Inapplicable(takes ...string) []views.Chip {
	all := p.chips(Choices{Takes: takes})
	return slices.DeleteFunc(all, func(c views.Chip) bool { return !c.Off })
}
