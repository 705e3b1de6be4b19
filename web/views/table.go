package views

import (
	"math/big"
	"strings"

	"github.com/a-h/templ"
)

// Table is a plain table: names left, numbers right.
type Table struct {
	Caption string
	Heads   []SortLink
	Rows    []Row
	Total   []Cell // nil: no total row
	// Totals are more total rows, one per currency or metric, because these must not
	// be added up.
	Totals [][]Cell
	Dense  bool // 26 px rows
	Wide   bool // scrolls sideways inside its panel instead of keeping its head visible
}

// Row is a row of a table; Others marks the sum of the rows that are not listed. A row
// with a Heading is the head of the rows below it, and has no cells. A
// row with an ID can be replaced alone: it is in its own tbody, with the
// form of its decision below it.
type Row struct {
	ID       string
	Cells    []Cell
	Others   bool
	Heading  *Heading
	Decision *Decision
}

// single reports whether rows are replaced one by one.
func (t Table) single() bool { return len(t.Rows) > 0 && t.Rows[0].ID != "" }

// Heading names a group of rows.
type Heading struct {
	Text string // text from outside
	Note string // after the text, in grey
	Tag  *Tag
	Link *Link
}

// Cell shows one thing: a strip, a small line, a link, a tag, a name or a figure.
type Cell struct {
	Figure Figure
	Href   string
	Sub    string
	Narrow string // below it on small screens: values of the hidden columns
	Cause  string // swatch before the text
	Name   bool   // text from outside
	Depth  int    // of the first cell: steps that it is set in, at most 3
	Mono   bool
	Tag    *Tag
	Strip  *Strip
	Trend  *Trend
	Why    string          // address of the figure's explanation
	Act    *Act            // link of an action on the row
	Form   templ.Component // buttons of actions on the row
}

// Trend is a small line over time and a link. Screen readers skip it: the row has the same in numbers.
type Trend struct{ Path, Href, Title string }

// Act is a link of a row that replaces the row where scripts run.
type Act struct {
	Text, Of string // "Decide", and the row's name for screen readers
	Href     string // used without scripts
	Row      string // address from which scripts fetch the row
	Focus    bool   // the row was just decided
}

// Text is a cell with a plain text.
func Text(s string) Cell { return Cell{Figure: Figure{Text: s}} }

// rounding names the columns whose printed figures do not add up to the
// printed total, which is rounded from the exact one. It is empty if all add up.
func (t Table) rounding() string {
	if len(t.Rows) < 2 || t.Total == nil || len(t.Totals) > 0 {
		return ""
	}
	var off []string
	for i, head := range t.Heads {
		if !head.Number || head.Rate || i >= len(t.Total) || t.Total[i].Figure.Copy == "" {
			continue
		}
		total, unit, ok := printed(t.Total[i].Figure.Text)
		if !ok {
			continue
		}
		sum := new(big.Rat)
		for _, r := range t.Rows {
			if i >= len(r.Cells) || r.Cells[i].Figure.Text == "" || r.Cells[i].Figure.Text == "n/a" {
				continue
			}
			v, _, plain := printed(r.Cells[i].Figure.Text)
			if ok = ok && plain; ok {
				sum.Add(sum, v)
			}
		}
		// A gap of half a unit disappears when the sum is rounded.
		if gap := sum.Sub(sum, total); ok && new(big.Rat).Mul(gap.Abs(gap), big.NewRat(2, 1)).Cmp(unit) > 0 {
			off = append(off, head.Text)
		}
	}
	if len(off) == 0 {
		return ""
	}
	return strings.Join(off, ", ") + ": figures are rounded separately, so the rows may differ from the total by one unit."
}

// printed reads a printed figure and the size of its last digit; false for
// ranges, bounds, compact and unknown figures.
func printed(text string) (value, unit *big.Rat, ok bool) {
	digits, places, point := make([]rune, 0, len(text)), int64(0), false
	for i, r := range strings.TrimPrefix(text, "\u2212") {
		switch {
		case r >= '0' && r <= '9':
			digits = append(digits, r)
			if point {
				places++
			}
		case r == '.' && !point:
			digits, point = append(digits, r), true
		case r == ',' || r == '\u202f' || r == '¢':
		case len(digits) == 0 && (i == 0 || strings.ContainsRune("$€£¥₹\u00a0", r) || r >= 'A' && r <= 'Z'):
		default:
			return nil, nil, false
		}
	}
	value, ok = new(big.Rat).SetString(string(digits))
	if !ok {
		return nil, nil, false
	}
	if strings.HasPrefix(text, "\u2212") {
		value.Neg(value)
	}
	unit = new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(places), nil))
	return value, unit, true
}
