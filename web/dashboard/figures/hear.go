package figures

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// heardCurrency is the currency of the sample rows.
const heardCurrency = "USD"

// heard lists the columns that the page's words, strip, links and cells read, so that they are queried together with
// the shown columns. It finds them by running the page's functions on sample rows that record each read: one row with
// all cells known, one with all unknown, and so on, then rows that differ in one cell. A column that is read only for
// another combination of cells is reported when the page is served (Reading.unasked).
func (f *Page) heard() []string {
	d, err := metrics.LookupDataset(f.Dataset)
	if err != nil {
		return nil // Check refuses it
	}
	h := &hearing{dataset: d}
	for cell := range guesses {
		f.speak(h.row("", cell))
	}
	for i := 0; i < len(h.names); i++ { // names grows as other branches run
		c, _ := d.Column(h.names[i])
		for cell := range max(guesses, len(c.Values)+1) {
			f.speak(h.row(h.names[i], cell))
		}
	}
	return append([]string{}, h.names...)
}

// speak runs all functions of the page that read rows, on one row.
func (f *Page) speak(r page.Record) {
	p := &page.Context{Currency: heardCurrency, Scope: page.Scope{Page: 1, Basis: effective}}
	reading := &Reading{Rows: []page.Record{r}, Whole: []page.Record{r}}
	for range f.Ties {
		reading.ties = append(reading.ties, &page.Whole)
	}
	if f.Say != nil {
		f.Say(p, reading)
	}
	if f.Tied != nil {
		f.Tied(p, reading)
	}
	if f.Causes != nil {
		f.Causes(r)
	}
	if f.Row != nil {
		f.Row(p, r)
	}
	for _, c := range f.Columns {
		if c.Cell != nil {
			c.Cell(p, r)
		}
	}
}

// hearing makes sample rows and records the columns that are read.
type hearing struct {
	dataset *metrics.Dataset
	names   []string
}

// row is a sample row. Only the odd column has the given guess, the others the first; without an odd column, all have
// the given guess.
func (h *hearing) row(odd string, guess int) page.Record {
	return page.MadeUp(func(name string) metrics.Value {
		if !has(h.dataset, name) {
			if !slices.ContainsFunc(metrics.Datasets, func(d *metrics.Dataset) bool { return has(d, name) }) {
				panic(fmt.Sprintf("a page's words read %q, which no dataset has", name))
			}
			return metrics.Null // words shared by several pages, such as Thing
		}
		if !slices.Contains(h.names, name) {
			h.names = append(h.names, name)
		}
		c, _ := h.dataset.Column(name)
		switch {
		case odd == "" || odd == name:
			return guessed(c, guess)
		default:
			return guessed(c, 0)
		}
	})
}

// guesses is the number of values tried for each cell: positive, unknown, zero, negative.
const guesses = 4

// guessed is a sample value of a column: positive, null, zero or negative. A column with a list of values gets the
// first, null, then the others in turn.
func guessed(c metrics.Column, guess int) metrics.Value {
	sign := []int64{1, 0, 0, -1}[guess%guesses]
	v := metrics.Value{
		Valid: guess != 1,
		Text:  strconv.FormatInt(sign, 10),
		Int:   sign,
		Bool:  sign > 0,
		Time:  time.Unix(sign*int64(time.Hour/time.Second), 0).UTC(),
	}
	switch {
	case !v.Valid:
		return metrics.Null
	case len(c.Values) > 0:
		v.Text = c.Values[max(guess-1, 0)%len(c.Values)]
	case c.Kind == metrics.Text || c.Kind == metrics.ID || c.Kind == "":
		v.Text = heardCurrency
	}
	return v
}
