package figures

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
)

// Page is one that is drawn from a dataset's definition: what it asks, which columns it shows
// and in which words. Names, units, formulas, targets and caveats come from the columns.
type Page struct {
	Path, Title string // "/inference", "Inference"
	Group       string // heading in the rail
	Of          string // what the rows are where they have no groupings; empty: the title
	Dataset     string
	Filter      string // terms that always hold
	Rows        string // terms of the rows alone, where the whole has others
	By          string // keys that rows are grouped by; empty: the dataset's own rows
	Groupings   []Grouping
	Order       string
	Where       string   // a condition as an example; empty: one is made from the columns
	Facts       []Column // of the whole: the line on top
	Course      *Course  // over time
	Columns     []Column
	// Causes splits a row's cost for its strip; nil: no strip.
	Causes func(page.Record) map[ledger.Cause]money.Amount
	// Say is the page's sentence, from the whole and its rows.
	Say   func(p *page.Context, f *Reading) (sentence, sub string)
	None  string       // what brings rows, or that all is well
	First string       // what brings the first row, where None says that all is well
	Links []views.Link // of the table, before its CSV
	Notes []string
	// Ties are figures of other pages, and Tied says how they and the page's own lead to
	// each other: a sentence each.
	Ties []Tie
	Tied func(p *page.Context, f *Reading) []string
	// More are panels below the table.
	More []Panel
	// Row is the address of a row's own page, empty for none.
	Row func(p *page.Context, r page.Record) string
	// Apart are rows of the same money: there is no row of all.
	Apart bool
	// Decide has a decision at the end of each of the dataset's own rows.
	Decide bool
	// Every lists rows of all currencies, and of none, each with a total of its own;
	// else a page shows one.
	Every bool
	// Search finds rows by a part of a column's text.
	Search *Search
	// Picks are keys that an address may name, and values of them that the menu offers.
	Picks []Pick
	// Only narrows the rows by what another dataset says; nil: to all of them.
	Only func(ctx context.Context, reader page.Reader, s page.Scope) (metrics.Expr, error)
	only metrics.Expr // what it said
	// Own is on where the page's room answers it, by Answer.
	Own    bool
	beside Beside
	reads  []string // columns that its words, strip, links and cells read (hear.go)
}

// Search is a field in the head of the table.
type Search struct {
	Columns     []string // it is in any of them
	Label, Hint string   // what is found by what; what stands in the empty field
}

// Pick is a key with some of its values.
type Pick struct {
	Key    string
	Param  string // in the address, where it is not called as the key
	Values []string
	Spent  bool // its values are those that have cost
}

func (k Pick) param() string { return cmp.Or(k.Param, k.Key) }

// BasisCost is a column of the cost that the reader chose.
const BasisCost = "basis_cost"

// Grouping is a choice of what rows are of.
type Grouping struct{ Text, Keys string }

// Column shows a column of the dataset under a shorter name.
type Column struct {
	Name, Text string
	Class      string // widths at which it is shown: "wide-only"
	Alone      bool   // rows overlap in it: the row of all has none
	Sub        string // columns printed below it, separated by commas
	Least      string // column of what it is at least, where it is a range
	// Why finds the costs that explain a figure, or what spot saved where Saved
	// says so; nil: nothing does.
	Why   Why
	Saved bool
	// Cell draws it, where it is no figure of the dataset alone, and Define is then the
	// anchor of what it means; empty: the column's.
	Cell   func(p *page.Context, r page.Record) views.Cell
	Define string
}

// Course draws a column per day for the largest groups.
type Course struct {
	Title, Note string
	Column      string
	Per         string // key of its lines, where it is not that of the page
}

// Panel is a further table of its own dataset.
type Panel struct {
	Title, Note string
	Dataset     string
	Filter      string
	By          string
	Step        string // granularity, of datasets that are cut in time
	Order       string
	Columns     []Column
	None        string
	Notes       []string
	// Narrowed is of what the address picks of the page, and is left out where the address
	// asks what its dataset does not know.
	Narrowed bool
	All      string // what the row of all is called; empty: there is none
	// Layouts draws the rows above their table.
	Layouts bool
	Limit   int
	Row     func(p *page.Context, r page.Record) string
}

// RowsThemselves is the grouping that is none.
const RowsThemselves = "rows"

// by is what the rows of the page are grouped by.
func (f *Page) by(s page.Scope) string {
	switch s.Group {
	case "":
		return f.By
	case RowsThemselves:
		return ""
	}
	return s.Group
}

// terms are those of the rows: the page's own and what the address asks.
func (f *Page) terms(s page.Scope) string { return page.Both(f.Filter, f.Rows, s.Wanted()) }

// at is the page at an address: of the cost, the search and the picks that it names.
func (f *Page) at(ctx context.Context, reader page.Reader, s page.Scope) (*Page, error) {
	g := *f
	g.Columns = slices.Clone(f.Columns)
	for i := range g.Columns {
		if g.Columns[i].Name == BasisCost {
			g.Columns[i].Name = s.Basis + "_cost"
		}
	}
	if f.Search != nil && s.Text != "" {
		like := " like " + page.Quote("%"+page.LikeEscaper.Replace(s.Text)+"%")
		g.Filter = page.Both(g.Filter, "("+strings.Join(f.Search.Columns, like+" or ")+like+")")
	}
	for _, pick := range f.Picks {
		g.Filter = page.Both(g.Filter, page.Equal(pick.Key, s.Value(pick.param())))
	}
	g.More = nil
	for _, m := range f.More {
		if !m.Narrowed || s.Text+s.Filter == "" && m.narrow(f.Picks, s) {
			g.More = append(g.More, m)
		}
	}
	if f.Only == nil {
		return &g, nil
	}
	var err error
	g.only, err = f.Only(ctx, reader, s)
	return &g, err
}

// narrow adds what the address picks to the panel's filter; false where its dataset does
// not know all of it.
func (m *Panel) narrow(picks []Pick, s page.Scope) bool {
	d, err := metrics.LookupDataset(m.Dataset)
	for _, pick := range picks {
		value := s.Value(pick.param())
		if value != "" && (err != nil || !has(d, pick.Key)) {
			return false
		}
		m.Filter = page.Both(m.Filter, page.Equal(pick.Key, value))
	}
	return true
}

// order is the active order: the asked one, else the page's own where the rows
// have its column.
func (f *Page) order(s page.Scope, q metrics.Query) string {
	if s.Order != "" {
		return s.Order
	}
	for _, order := range []string{f.Order, "-" + s.Basis + "_cost"} {
		name := strings.TrimPrefix(order, "-")
		if name != "" && slices.ContainsFunc(q.Columns(), func(c metrics.Column) bool { return c.Name == name }) {
			return order
		}
	}
	return ""
}
