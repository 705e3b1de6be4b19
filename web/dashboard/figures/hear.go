package figures

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// heardCurrency is the currency of the made-up rows that words are learned from.
const heardCurrency = "USD"

// heard are the columns that the page's words, strip, links and cells read of a row: they are asked for with those
// that are shown. The page says all it has to say about made-up rows, which write down what is read of them: one
// whose cells are all known, one whose cells are unknown, and so on, then some in which one cell is different.
// A column that is read only for a combination of cells beyond that is found when the page is read (Reading.unasked).
func (f *Page) heard() []string {
	d, err := metrics.LookupDataset(f.Dataset)
	if err != nil {
		return nil // Check refuses it
	}
	h := &hearing{dataset: d}
	for cell := range guesses {
		f.speak(h.row("", cell))
	}
	for i := 0; i < len(h.names); i++ { // names grow as other branches are taken
		c, _ := d.Column(h.names[i])
		for cell := range max(guesses, len(c.Values)+1) {
			f.speak(h.row(h.names[i], cell))
		}
	}
	return append([]string{}, h.names...)
}

// speak has all words, strips, links and cells of the page made for a row.
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

// hearing makes rows up and writes down the columns that are read of them.
type hearing struct {
	dataset *metrics.Dataset
	names   []string
}

// row has cells of the first guess, but for the odd column; without one, all cells are of the guess.
func (h *hearing) row(odd string, guess int) page.Record {
	return page.MadeUp(func(name string) metrics.Value {
		if !has(h.dataset, name) {
			if !slices.ContainsFunc(metrics.Datasets, func(d *metrics.Dataset) bool { return has(d, name) }) {
				panic(fmt.Sprintf("a page's words read %q, which no dataset has", name))
			}
			return metrics.Null // words of several pages, such as Thing
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

// guesses are how many values are tried for each cell: positive, unknown, zero, negative.
const guesses = 4

// guessed is a value of a column: one that is known, none, or an extreme one. A column with a list of values takes the
// first, none, then the others in turn.
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
