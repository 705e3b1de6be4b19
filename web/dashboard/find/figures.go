package find

import (
	"context"
	"strings"
	"sync"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// figures reads the cost of found names in the period, by key and value: one question per kind. Names keep no
// figure if theirs cannot be read in time.
func (d *room) figures(
	ctx context.Context, s page.Scope, byKey map[string][]metrics.Found,
) map[string]map[string][]views.Figure {
	ctx, cancel := context.WithTimeout(ctx, figuresTime)
	defer cancel()
	var mu sync.Mutex
	var work []func()
	all := map[string]map[string][]views.Figure{}
	for key, found := range byKey {
		work = append(work, func() {
			spent, err := d.spent(ctx, s, key, found[:min(len(found), most)])
			if err != nil {
				d.Log.WarnContext(ctx, "figures of found names could not be read", "key", key, "error", err)
			}
			mu.Lock()
			defer mu.Unlock()
			all[key] = spent
		})
	}
	page.Parallel(work...)
	return all
}

// spent is the cost of some values of a key, with one figure per currency.
func (d *room) spent(
	ctx context.Context, s page.Scope, key string, found []metrics.Found,
) (map[string][]views.Figure, error) {
	values := make([]string, len(found))
	for i, f := range found {
		values[i] = page.Quote(f.Value)
	}
	column := s.Basis + "_cost"
	q := metrics.Options{GroupBy: key, Filter: key + " in (" + strings.Join(values, ", ") + ")", Order: "-" + column}
	spent := map[string][]views.Figure{}
	err := page.Each(ctx, d.Reader, "costs", s.Costs(q), []string{column}, func(r page.Record) error {
		c, amount := format.Currency(r.Text("currency")), r.Amount(column)
		if amount != nil && c != "" {
			value := r.Text(key)
			spent[value] = append(spent[value], page.Figure(c, amount, c.Money, s.Basis+" cost"))
		}
		return nil
	})
	return spent, err
}

// sentence says how many names were found.
func sentence(groups []views.FoundGroup) (text, sub string) {
	n, more := 0, ""
	for _, g := range groups {
		if n += len(g.Rows); g.More {
			more = " There are more."
		}
	}
	if n == 0 {
		return "Nothing found.", "No name that you can see contains this text."
	}
	return format.Plural(n, "name found.", "names found.") + more, "Costs are those of the shown period."
}
