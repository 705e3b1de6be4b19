package figures

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// mostListed bounds the values of a key that the page of filters lists.
const mostListed = 100

// filtering lists the keys of a dataset, or the values of one key with their cost. Each leads
// back to the page from which it was opened, with a further filter.
func (d *room) filtering(w http.ResponseWriter, r *http.Request) {
	v := r.URL.Query()
	s, err := page.ScopeAt(page.Local(v.Get("back")))
	key := v.Get("key")
	var of *metrics.Dataset
	if err == nil {
		of, err = metrics.LookupDataset(cmp.Or(v.Get("of"), "costs"))
	}
	if err == nil && key != "" && !filterable(of, key) {
		err = &metrics.OptionError{Option: "key", Value: key, Reason: "is not a key of " + of.Name}
	}
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	if value := strings.TrimSpace(v.Get("value")); key != "" && value != "" {
		//nolint:gosec // Local passes only paths of this server
		http.Redirect(w, r, s.Filtering(page.Equal(key, value)), http.StatusSeeOther)
		return
	}
	f := views.Figures{
		Shell: d.Shell(r, s, "", "Filter"), Title: "Filter", Errors: map[string]views.PanelError{},
		Above: views.FilterBack(views.Link{Text: "Back without a new filter", Href: s.With()}),
	}
	if key == "" {
		f.Sentence, f.Table = "Which key?", keysTable(r.URL, of)
		d.Render(w, r, http.StatusOK, views.FiguresPage(f))
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), page.PanelTimeout)
	defer cancel()
	extent, err := d.Reader.Extent(ctx)
	p := &page.Context{Scope: s, Extent: extent}
	var rows []valued
	if err == nil {
		rows, err = d.valuesOf(ctx, s, of, key)
	}
	if err != nil {
		e := d.PanelError(s, err, "The values")
		f.Error = &e
	}
	f.Sentence = metrics.Label(key) + ": choose a value."
	f.Sub = page.BasisNames[s.Basis][0] + " cost, " + format.Days(p.Shown()) + ". The other filters of the page apply."
	f.Table, f.None = valuesTable(s, key, rows), "No value has cost in this period."
	hidden := [][2]string{{"of", of.Name}, {"key", key}, {"back", s.With()}}
	f.Above = views.FilterForm(f.Above, metrics.Label(key), page.FilterPath, hidden)
	d.Render(w, r, http.StatusOK, views.FiguresPage(f))
}

// filterable reports whether a filter of a dataset may name a key.
func filterable(d *metrics.Dataset, key string) bool {
	_, ok := d.FilterKind(key)
	return ok || slices.Contains(page.FilterKeys(d), key)
}

// keysTable lists the keys of a dataset; each leads to its values.
func keysTable(at *url.URL, d *metrics.Dataset) views.TablePanel {
	t := views.Table{Caption: "Keys", Heads: views.Heads("Key: figure.fact", "What it is: figure.fact wide-only")}
	for _, name := range page.FilterKeys(d) {
		q := at.Query()
		q.Set("key", name)
		doc := ""
		if k, ok := metrics.LookupKey(name); ok {
			doc = k.Doc
		} else if c, ok := d.Column(name); ok {
			doc = c.Doc
		}
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{
			{Figure: views.Figure{Text: metrics.Label(name)}, Href: page.FilterPath + "?" + q.Encode()},
			views.Text(doc),
		}})
	}
	return views.TablePanel{Title: "Keys", Note: strconv.Itoa(len(t.Rows)), Table: t}
}

// valued is a value of a key with its cost, by currency.
type valued struct {
	value metrics.Value
	cost  map[string]money.Amount
}

// valuesOf reads the values of a key: of costs, else of the dataset's own rows. It returns none if their rows cannot be
// added up by it.
func (d *room) valuesOf(ctx context.Context, s page.Scope, of *metrics.Dataset, key string) ([]valued, error) {
	from := of.Name
	if _, ok := metrics.LookupKey(key); ok {
		from = "costs"
	}
	column := s.Basis + "_cost"
	s.Currency = ""
	if from != of.Name {
		s = s.Elsewhere()
	}
	o := s.WithoutKey(key).Closed().For(from, metrics.Options{GroupBy: key})
	q, err := metrics.Parse(from, o)
	if err != nil {
		return nil, nil //nolint:nilerr // the key is of single rows; its value can be typed
	}
	q.Only = []string{column}
	index := map[metrics.Value]int{}
	var list []valued
	err = page.EachOf(ctx, d.Reader, q, func(r page.Record) error {
		v := r.Value(key)
		i, ok := index[v]
		if !ok {
			i, index[v] = len(list), len(list)
			list = append(list, valued{v, map[string]money.Amount{}})
		}
		if cost := r.Amount(column); cost != nil {
			list[i].cost[r.Text("currency")] = *cost
		}
		return nil
	})
	slices.SortStableFunc(list, func(a, b valued) int { return b.most().Cmp(a.most()) })
	return list, err
}

// most is the largest cost in any currency.
func (v valued) most() (most money.Amount) {
	for _, a := range v.cost {
		if a.Cmp(most) > 0 {
			most = a
		}
	}
	return most
}

// valuesTable links each value to the page with and without its rows.
func valuesTable(s page.Scope, key string, rows []valued) views.TablePanel {
	t := views.Table{Caption: metrics.Label(key), Heads: views.Heads(
		"Value: figure.fact", "#Cost: costs.effective_cost", "All but this: figure.fact wide-only")}
	for _, row := range rows[:min(len(rows), mostListed)] {
		name, term, but := Word(key, row.value), page.Equal(key, row.value.Text), key+" != "+page.Quote(row.value.Text)
		if !row.value.Valid {
			name, term, but = "none", key+" is null", key+" is not null"
		}
		var costs []string
		for _, currency := range page.Largest(row.cost) {
			costs = append(costs, format.Currency(currency).Money(row.cost[currency]))
		}
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{
			{Figure: views.Figure{Text: name, Title: row.value.Text}, Name: true, Href: s.Filtering(term)},
			{Figure: views.Figure{Text: strings.Join(costs, ", "), Zero: len(costs) == 0}},
			{Figure: views.Figure{Text: "Leave out"}, Href: s.Filtering(but)},
		}})
	}
	p := views.TablePanel{Title: metrics.Label(key), Note: format.Plural(len(rows), "value", "values"), Table: t}
	if more := len(rows) - mostListed; more > 0 {
		p.Notes = []string{format.Plural(more, "further value is", "further values are") + " not listed; type them above."}
	}
	return p
}
