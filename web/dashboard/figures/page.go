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

// Page declares a page that is drawn from a dataset: its query, its columns and its words.
// Names, units, formulas, targets and caveats come from the dataset's columns.
type Page struct {
	Path, Title string // "/inference", "Inference"
	Group       string // heading in the rail
	Of          string // heading of rows without groupings; empty: the title
	Dataset     string
	Filter      string // terms of rows and totals
	Rows        string // terms of the rows only, not of the totals
	By          string // keys that rows are grouped by; empty: the dataset's own rows
	Groupings   []Grouping
	Order       string
	Where       string   // example of a condition; empty: built from the columns
	Facts       []Column // columns of the total, in the line on top
	Course      *Course  // over time
	Columns     []Column
	// Causes splits a row's cost for its strip; nil: no strip.
	Causes func(page.Record) map[ledger.Cause]money.Amount
	// Say returns the page's sentence, from the totals and the rows.
	Say   func(p *page.Context, f *Reading) (sentence, sub string)
	None  string       // text without rows: what brings them, or that all is well
	First string       // what brings the first row, if None says that all is well
	Links []views.Link // of the table, before its CSV
	Notes []string
	// Ties are figures of other pages; Tied returns sentences that reconcile them with the
	// page's own figures.
	Ties []Tie
	Tied func(p *page.Context, f *Reading) []string
	// More are panels below the table.
	More []Panel
	// Row is the address of a row's own page, or empty.
	Row func(p *page.Context, r page.Record) string
	// Apart means that rows overlap, so the table has no total row.
	Apart bool
	// Decide offers a decision on each ungrouped row.
	Decide bool
	// Every lists rows of all currencies and rows without a price, with a total for each;
	// otherwise a page shows one currency.
	Every bool
	// Search finds rows by part of a column's text.
	Search *Search
	// Picks are keys that an address may filter by, with the values that the menu offers.
	Picks []Pick
	// Only narrows the rows by another dataset; nil: not narrowed.
	Only func(ctx context.Context, reader page.Reader, s page.Scope) (metrics.Expr, error)
	only metrics.Expr // result of Only
	// Own means that the page's room serves it through Answer.
	Own    bool
	beside Beside
	reads  []string // columns read by its words, strip, links and cells (hear.go)
}

// Search is a field in the head of the table.
type Search struct {
	Columns     []string // a row matches if any of them contains the text
	Label, Hint string   // accessible label; placeholder
}

// Pick is a key with some of its values.
type Pick struct {
	Key    string
	Param  string // name in the address, if not the key's
	Values []string
	Spent  bool // offer the values that have cost
}

func (k Pick) param() string { return cmp.Or(k.Param, k.Key) }

// BasisCost names the column with the chosen basis of cost.
const BasisCost = "basis_cost"

// Grouping is one choice of keys to group rows by.
type Grouping struct{ Text, Keys string }

// Column shows a column of the dataset under a shorter name.
type Column struct {
	Name, Text string
	Class      string // widths at which it is shown: "wide-only"
	Alone      bool   // rows overlap in it, so the total row leaves it empty
	Sub        string // columns printed below it, separated by commas
	Least      string // column with the lower bound of a range
	Unless     string // key: rows grouped by it do not have the figure, so the column is left out
	// Why finds the costs that explain a figure, or the spot savings if Saved is set; nil: no
	// explanation.
	Why   Why
	Saved bool
	// Cell draws a cell that is not just the column's value. Define is then the anchor of its
	// definition; empty: the column's.
	Cell   func(p *page.Context, r page.Record) views.Cell
	Define string
	// Blank says why a row has no such figure: its cell is empty, with the reason as its title. It is not asked where
	// the figure is known; nil or an empty reason: the figure is n/a.
	Blank func(r page.Record) string
}

// Course draws a column per day for the largest groups.
type Course struct {
	Title, Note string
	Column      string
	Per         string // key of its lines, if not the page's
}

// Panel is a further table, with its own dataset.
type Panel struct {
	Title, Note string
	Dataset     string
	Filter      string
	By          string
	Step        string // granularity, for datasets with time steps
	Order       string
	Columns     []Column
	None        string
	Notes       []string
	// Narrowed applies the page's picks to the panel, and omits the panel if its dataset does
	// not have them all or the address has a search or a condition.
	Narrowed bool
	All      string // label of the total row; empty: no total row
	// Layouts draws the rows above their table.
	Layouts bool
	Limit   int
	Row     func(p *page.Context, r page.Record) string
	Leave   Leave
}

// Leave names rows that say nothing: those without the column's figure, or with 0. The panel
// counts them below the table: "Not shown: 16 hours without an interruption."
type Leave struct{ Column, One, Many string }

// RowsThemselves stands for no grouping.
const RowsThemselves = "rows"

// by is the grouping of the rows at an address.
func (f *Page) by(s page.Scope) string {
	switch s.Group {
	case "":
		return f.By
	case RowsThemselves:
		return ""
	}
	return s.Group
}

// terms is the filter of the rows: the page's own terms and those of the address on figures.
func (f *Page) terms(s page.Scope) string { return page.Both(f.Filter, f.Rows, s.Figures()) }

// at applies an address to the page: the basis of cost, the search and the picks.
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

// narrow adds the picks of the address to the panel's filter; it returns false if the
// panel's dataset lacks one of the keys.
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

// order is the order of the address, else the page's own if the rows have its column, else
// by cost.
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
