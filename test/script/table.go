package script

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// table is the expected table of a case, or the ledger's.
type table struct {
	columns []string
	rows    [][]string
	numbers []bool // right-aligned columns; nil: none
}

// cells splits a line of a table.
func cells(line string) []string {
	list := strings.Split(line, "|")
	for i := range list {
		list[i] = strings.Join(strings.Fields(list[i]), " ")
	}
	return list
}

func (t *table) equal(o *table) bool {
	return slices.Equal(t.columns, o.columns) && slices.EqualFunc(t.rows, o.rows, slices.Equal)
}

// lines formats the table with aligned columns.
func (t *table) lines() []string {
	wide := make([]int, len(t.columns))
	all := append([][]string{t.columns}, t.rows...)
	for _, row := range all {
		for i, cell := range row {
			wide[i] = max(wide[i], utf8.RuneCountInString(cell))
		}
	}
	out := make([]string, 0, len(all))
	for _, row := range all {
		var b strings.Builder
		for i, cell := range row {
			if i > 0 {
				b.WriteString(" | ")
			}
			pad := strings.Repeat(" ", wide[i]-utf8.RuneCountInString(cell))
			if i < len(t.numbers) && t.numbers[i] {
				b.WriteString(pad + cell)
			} else {
				b.WriteString(cell + pad)
			}
		}
		out = append(out, strings.TrimRight(b.String(), " "))
	}
	return out
}

// differ shows two tables of the same columns: rows of both once, expected rows that are missing with -, unexpected
// ones with +.
func differ(want, got *table) string {
	both := table{columns: append([]string{""}, got.columns...), numbers: append([]bool{false}, got.numbers...)}
	mark := func(sign string, row []string) { both.rows = append(both.rows, append([]string{sign}, row...)) }
	for i, j := 0, 0; i < len(want.rows) || j < len(got.rows); {
		switch {
		case i < len(want.rows) && j < len(got.rows) && slices.Equal(want.rows[i], got.rows[j]):
			mark("", want.rows[i])
			i++
			j++
		case i < len(want.rows) &&
			!slices.ContainsFunc(got.rows[j:], func(r []string) bool { return slices.Equal(r, want.rows[i]) }):
			mark("-", want.rows[i])
			i++
		case j < len(got.rows):
			mark("+", got.rows[j])
			j++
		default:
			mark("-", want.rows[i])
			i++
		}
	}
	return "  " + strings.Join(both.lines(), "\n  ")
}

// Difference is an expected table that differs from the actual one.
type Difference struct {
	Line int // of the expect statement
	text string
}

func (d Difference) String() string { return d.text }

func (c *Case) difference(s *statement, got *table) Difference {
	return Difference{
		s.line, fmt.Sprintf("%s:%d: the tables differ (- expected, + got)\n%s", c.File, s.line, differ(&s.want, got)),
	}
}
