package figures

import (
	"slices"
	"strings"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
)

// mostPicked limits the values of a key in the menu.
const mostPicked = 60

// showPicks adds picked and available values to the bar.
func showPicks(p *page.Context, f *Page, r *Reading, b *views.Bar) {
	for i, pick := range f.Picks {
		chosen, name := p.Scope.Value(pick.param()), keyWord(pick.Key)
		without := p.Scope.With(pick.param(), "")
		said := func(c views.Chip) bool { return c.Remove == without }
		if chosen != "" && !slices.ContainsFunc(b.Chips, said) {
			chip := views.Chip{Label: strings.ToLower(name) + " is", Value: pickWord(pick.Key, chosen), Remove: without}
			b.Chips = append(b.Chips, chip)
		}
		if len(r.picks[i]) == 0 {
			continue
		}
		if b.Filter == nil {
			b.Filter = &views.Menu{Label: "+ Filter"}
		}
		b.Filter.Items = append(b.Filter.Items, views.MenuItem{Text: name})
		for _, value := range r.picks[i][:min(len(r.picks[i]), mostPicked)] {
			b.Filter.Items = append(b.Filter.Items, views.MenuItem{Text: pickWord(pick.Key, value),
				Href: p.Scope.With(pick.param(), value), Current: value == chosen})
		}
	}
}

// pickWord is a value that a reader picked.
func pickWord(key, value string) string {
	if strings.HasSuffix(key, "_id") {
		return page.Short(value)
	}
	return Word(key, metrics.Value{Valid: true, Text: value})
}
