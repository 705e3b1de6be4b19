package export

import (
	"bufio"
	"strings"

	"gpuledger/internal/money"
	"gpuledger/internal/visible"
	"gpuledger/metrics"
)

// Screen is what a table is drawn for.
type Screen struct {
	Columns int  // width that lines may have; 0: any
	Wide    bool // all columns that have values, long texts whole, lines as long as they get
	// First names the columns to show first, in this order. The others follow in their own order, if there is room.
	First []string
	// Picked shows all columns of the rows, since the reader chose them.
	Picked bool
	Styled bool // headings and notes are set off by escape sequences of a terminal
}

const (
	// widthRows is how many rows decide the columns and their widths; longer answers stream on with these.
	widthRows = 500
	gap       = "  " // between columns
)

// Escape sequences of terminals.
const (
	bold  = "\x1b[1m"
	faint = "\x1b[2m"
	plain = "\x1b[0m"
)

// decimals shown in a table, by kind.
func decimals(k metrics.Kind) int {
	switch k {
	case metrics.Money:
		return 2
	case metrics.Quantity:
		return 3
	}
	return 4
}

// table is a table being written. Its slices are by column of the rows.
type table struct {
	Screen
	cols    []metrics.Column
	shown   []int // columns, in the order of the screen
	widths  []int
	filled  []bool // some row has a value
	empty   []bool // no row among the first has one
	rounded []bool // some shown value has fewer digits than the exact one
}

// writeTable writes aligned columns for people: those that fit the screen. Notes below name the columns that are left
// out and those whose digits are shortened, half away from zero.
func writeTable(w *bufio.Writer, rows metrics.Rows, screen Screen) error {
	cols := rows.Columns()
	t := &table{Screen: screen, cols: cols, widths: make([]int, len(cols)), filled: make([]bool, len(cols)),
		rounded: make([]bool, len(cols))}
	var head [][]string
	for len(head) < widthRows && rows.Next() {
		head = append(head, t.cells(rows.Values()))
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if len(head) == 0 {
		_, err := w.WriteString("no rows\n")
		return err
	}
	t.fit(head)
	t.writeHead(w)
	for _, row := range head {
		if err := t.write(w, row); err != nil {
			return err
		}
	}
	if len(head) == widthRows {
		for rows.Next() {
			if err := t.write(w, t.cells(rows.Values())); err != nil {
				return err
			}
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return t.writeNotes(w)
}

// cells are the texts of a row.
func (t *table) cells(values []metrics.Value) []string {
	cells := make([]string, len(values))
	for i, v := range values {
		switch k := t.cols[i].Kind; {
		case !v.Valid:
			continue
		case k.Decimal():
			cells[i] = rounded(v.Text, decimals(k))
			t.rounded[i] = t.rounded[i] || !sameNumber(cells[i], v.Text)
		default:
			cells[i] = visible.Text(v.String(k))
		}
		t.filled[i] = t.filled[i] || cells[i] != ""
	}
	return cells
}

func (t *table) writeHead(w *bufio.Writer) {
	names := make([]string, len(t.cols))
	for i, c := range t.cols {
		names[i] = visible.Text(c.Name)
	}
	line := t.line(names)
	if t.Styled {
		line = bold + line + plain
	}
	_, _ = w.WriteString(line + "\n") // a bufio.Writer keeps its first error
}

func (t *table) write(w *bufio.Writer, cells []string) error {
	_, err := w.WriteString(t.line(cells) + "\n")
	return err
}

// line aligns the shown cells: numbers to the right. Only texts are cut.
func (t *table) line(cells []string) string {
	var b strings.Builder
	for at, i := range t.shown {
		if at > 0 {
			b.WriteString(gap)
		}
		cell, kind := cells[i], t.cols[i].Kind
		number := kind.Decimal() || kind.Integer()
		if kind == metrics.Text && !t.Wide {
			cell = visible.Cut(cell, t.widths[i])
		}
		pad := strings.Repeat(" ", max(0, t.widths[i]-visible.Width(cell)))
		if number {
			b.WriteString(pad + cell)
		} else {
			b.WriteString(cell + pad)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// rounded returns a decimal text with exactly n decimals, half away from zero
// like the pages: for reading, never for adding up.
func rounded(text string, n int) string {
	a, err := money.Parse(text)
	if err != nil {
		return text
	}
	out := a.Rat().FloatString(n)
	if strings.Trim(out, "-0.") == "" {
		return strings.TrimPrefix(out, "-")
	}
	return out
}

// sameNumber reports whether two plain decimals differ in nothing but zeros at their end.
func sameNumber(a, b string) bool { return bare(a) == bare(b) }

func bare(text string) string {
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if text == "-0" {
		return "0"
	}
	return text
}
