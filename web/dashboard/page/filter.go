package page

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"sync"

	"gpuledger/metrics"
)

// longestFilter bounds a filter, in bytes. A page repeats it in the links of all columns and
// rows.
const longestFilter = 1000

func mostOf(param string) int {
	switch param {
	case "filter", "pin", "vs", "change", "owner":
		return longestFilter
	}
	return Longest
}

// Term is a part of the filter of an address: one of the conditions joined by "and".
type Term struct {
	Text       string
	Key, Value string // of a condition "key = value"; empty for any other
	names      []string
}

// Terms are the parts of the filter, none if it does not parse.
func (s Scope) Terms() (terms []Term) {
	if s.Filter == "" {
		return nil
	}
	e, err := metrics.ParseFilter(s.Filter)
	if err != nil { // ReadScope has refused it
		return nil
	}
	for _, part := range metrics.Terms(e) {
		t := Term{Text: metrics.FilterText(part), names: metrics.FilterKeys(part)}
		if c, ok := part.(metrics.Compare); ok && c.Op == metrics.Equal {
			t.Key, t.Value = c.Key, c.Values[0]
		}
		if _, or := part.(metrics.Or); or {
			t.Text = "(" + t.Text + ")"
		}
		terms = append(terms, t)
	}
	return terms
}

// local are names that mean something else in each dataset, such as the kind of a run and that
// of a finding: a term about them stays on its page.
var local = []string{"kind", "state", "status", "source", "name", "reason"}

// shared is the filter without the terms that stay on their page.
func (s Scope) shared() string {
	var terms []string
	for _, t := range s.Terms() {
		if !slices.ContainsFunc(t.names, func(name string) bool { return slices.Contains(local, name) }) {
			terms = append(terms, t.Text)
		}
	}
	return Both(terms...)
}

// Elsewhere is the scope without the terms that stay on their page.
func (s Scope) Elsewhere() Scope {
	s.Filter = s.shared()
	return s
}

// Narrowing is Carried with a further filter.
func (s Scope) Narrowing(path, term string, changes ...string) string {
	s.Filter = s.shared()
	return s.Carried(path, append(changes, "filter", s.And(term))...)
}

// Chosen are the keys of which the page is narrowed to one value.
func (s Scope) Chosen() map[string]string {
	chosen := map[string]string{}
	for _, f := range s.shortForms() {
		if f[1] != "" && f[0] != "currency" {
			chosen[f[0]] = f[1]
		}
	}
	for _, t := range s.Terms() {
		if t.Key != "" {
			chosen[t.Key] = t.Value
		}
	}
	return chosen
}

// And is the filter with a further term.
func (s Scope) And(term string) string { return Both(s.except(-1), term) }

// except is the filter without its i-th term.
func (s Scope) except(i int) string {
	var left []string
	for k, t := range s.Terms() {
		if k != i {
			left = append(left, t.Text)
		}
	}
	return Both(left...)
}

// Takes reports whether filters of a dataset may name a key.
func Takes(d *metrics.Dataset, key string) bool {
	if d.Grouped || slices.Contains(d.Offers, key) {
		return true
	}
	c, ok := d.Column(key)
	return ok && c.Filter
}

// narrows reports whether a term chooses base rows of a dataset.
func (t Term) narrows(dataset string) bool {
	q, err := metrics.Parse(dataset, metrics.Options{Filter: t.Text})
	return err == nil && q.Having == nil
}

// termsOf are the terms of the filter that choose base rows of a dataset, and the others.
func (s Scope) termsOf(dataset string) (taken, left []string) {
	for _, t := range s.Terms() {
		if t.narrows(dataset) {
			taken = append(taken, t.Text)
		} else {
			left = append(left, t.Text)
		}
	}
	return taken, left
}

// Left are the terms of the filter that do not narrow a dataset's base rows.
func (s Scope) Left(dataset string) []string {
	_, left := s.termsOf(dataset)
	return left
}

// ReadFiltered is ReadScope for a page of one dataset's rows, whose filter may also test
// figures of rows. by returns the keys that the rows are grouped by.
func ReadFiltered(r *http.Request, dataset string, by func(Scope) string) (Scope, error) {
	s, err := readFrame(r)
	if err != nil {
		return s, err
	}
	return s, s.check(dataset, by(s), func(t Term) { s.figures = append(s.figures, t.Text) })
}

// Rows is the by of ReadFiltered for ungrouped rows.
func Rows(Scope) string { return "" }

// check refuses a filter that no dataset takes. It reports the terms on figures of the
// dataset's rows. A term with names of other datasets only does not apply here.
func (s Scope) check(dataset, by string, figures func(Term)) error {
	if s.Filter == "" {
		return nil
	}
	// Parse it alone first: an invalid text such as "a = 1) or (b = 2" could become valid
	// between the terms of the page.
	if _, err := metrics.ParseFilter(s.Filter); err != nil {
		return &metrics.OptionError{Option: "filter", Value: s.Filter, Reason: err.Error()}
	}
	d, err := metrics.LookupDataset(dataset)
	if err != nil {
		return err
	}
	for _, t := range s.Terms() {
		q, err := metrics.Parse(dataset, metrics.Options{Basis: s.Basis, Filter: t.Text, GroupBy: by})
		switch {
		case err == nil && q.Having != nil:
			figures(t)
		case err != nil && !t.elsewhere(d):
			return err
		}
	}
	return nil
}

// elsewhere reports whether a term is about other datasets: all of its names are known, and
// some not to this one.
func (t Term) elsewhere(d *metrics.Dataset) bool {
	known := func(name string) bool {
		_, key := metrics.LookupKey(name)
		return key || everyName()[name]
	}
	foreign := slices.ContainsFunc(t.names, func(name string) bool { return !named(d, name) })
	return foreign && !slices.ContainsFunc(t.names, func(name string) bool { return !known(name) && !named(d, name) })
}

// named reports whether a dataset has a key or column.
func named(d *metrics.Dataset, name string) bool {
	_, key := d.FilterKind(name)
	_, column := d.Column(name)
	return key || column
}

// everyName has all columns of all datasets.
var everyName = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, d := range metrics.Datasets {
		for _, c := range d.Columns {
			all[c.Name] = true
		}
	}
	return all
})

// OnFigures reports whether the filter tests figures of the page's rows. Totals then cover
// more rows than the list.
func (s Scope) OnFigures() bool { return len(s.figures) > 0 }

// Figures are the terms on figures of the page's rows.
func (s Scope) Figures() string { return Both(s.figures...) }

// Narrows reports whether the filter narrows a dataset's rows or tests their figures.
func (s Scope) Narrows(dataset string) bool {
	taken, _ := s.termsOf(dataset)
	return len(taken)+len(s.figures) > 0
}

// For adds the period, the basis and the filters that a dataset takes to a panel's options.
func (s Scope) For(dataset string, o metrics.Options) metrics.Options {
	d, err := metrics.LookupDataset(dataset)
	if err != nil { // metrics.Parse names it
		return o
	}
	o.From, o.To, o.BillingPeriod = s.Period(d)
	if d.HasMoney() {
		o.Basis = s.Basis
	}
	if d.Grouped && s.Currency != "" {
		o.Currency, o.CurrencyMissing = s.Currency, "keep"
	}
	coin := cmp.Or(s.coin, s.Currency)
	if s.mixed {
		coin = ""
	}
	for _, f := range append(s.shortForms(), [2]string{"currency", coin}) {
		if f[1] != "" && Takes(d, f[0]) {
			o.Filter = Both(o.Filter, Equal(f[0], f[1]))
		}
	}
	taken, _ := s.termsOf(dataset)
	o.Filter = Both(append([]string{o.Filter}, taken...)...)
	return o
}

// Mixed is the scope with the rows of all currencies.
func (s Scope) Mixed() Scope {
	s.coin, s.mixed = "", true
	return s
}

// In is the scope with the rows of one currency.
func (s Scope) In(currency string) Scope {
	s.coin = currency
	return s
}

// shortForms are the parameters that filter by a key, and what the page is narrowed to.
func (s Scope) shortForms() [][2]string {
	forms := [][2]string{
		{"team", s.Team}, {"cluster", s.Cluster}, {"provider", s.Provider},
	}
	if key, value, ok := s.NarrowedTo(); ok {
		forms = append(forms, [2]string{key, value})
	}
	return forms
}

// NarrowedTo is the key and value that a page of figures is narrowed to.
func (s Scope) NarrowedTo() (key, value string, ok bool) {
	key, value, ok = strings.Cut(s.Within, ":")
	return key, value, ok && key != "" && value != ""
}
