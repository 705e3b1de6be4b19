package export

import (
	"bufio"
	"math"
	"strings"
	"unicode/utf8"

	"gpuledger/internal/money"
	"gpuledger/internal/visible"
	"gpuledger/metrics"
)

const (
	// widthRows is how many rows decide the widths of the columns; longer
	// answers stream on with these widths.
	widthRows = 500
	maxWidth  = 48
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

// writeTable writes aligned columns for people. Columns that are NULL in all
// of the first rows are left out; long texts are cut unless it is wide; decimals are rounded half away from zero.
func writeTable(w *bufio.Writer, rows metrics.Rows, wide bool) error {
	most := maxWidth
	if wide {
		most = math.MaxInt
	}
	cols := rows.Columns()
	var head [][]string
	for len(head) < widthRows && rows.Next() {
		head = append(head, tableCells(cols, rows.Values()))
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if len(head) == 0 {
		_, err := w.WriteString("no rows\n")
		return err
	}
	widths := make([]int, len(cols))
	for i, c := range cols {
		for _, row := range head {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
		if widths[i] > 0 {
			widths[i] = min(max(widths[i], utf8.RuneCountInString(c.Name)), most)
		}
	}
	names := make([]string, len(cols))
	for i, c := range cols {
		names[i] = visible.Text(c.Name)
	}
	if err := writeTableRow(w, cols, widths, names, wide); err != nil {
		return err
	}
	for _, row := range head {
		if err := writeTableRow(w, cols, widths, row, wide); err != nil {
			return err
		}
	}
	if len(head) == widthRows {
		for rows.Next() {
			if err := writeTableRow(w, cols, widths, tableCells(cols, rows.Values()), wide); err != nil {
				return err
			}
		}
	}
	return rows.Err()
}

func tableCells(cols []metrics.Column, values []metrics.Value) []string {
	cells := make([]string, len(values))
	for i, v := range values {
		switch k := cols[i].Kind; {
		case !v.Valid:
		case k.Decimal():
			cells[i] = rounded(v.Text, decimals(k))
		default:
			cells[i] = visible.Text(v.String(k))
		}
	}
	return cells
}

func writeTableRow(w *bufio.Writer, cols []metrics.Column, widths []int, cells []string, wide bool) error {
	var b strings.Builder
	first := true
	for i, cell := range cells {
		if widths[i] == 0 {
			continue
		}
		if !first {
			b.WriteString("  ")
		}
		first = false
		n := utf8.RuneCountInString(cell)
		if n > widths[i] && cols[i].Kind == metrics.Text && !wide {
			runes := []rune(cell)
			cell, n = string(runes[:widths[i]-1])+"…", widths[i]
		}
		pad := strings.Repeat(" ", max(0, widths[i]-n))
		if cols[i].Kind.Decimal() || cols[i].Kind.Integer() {
			b.WriteString(pad + cell)
		} else {
			b.WriteString(cell + pad)
		}
	}
	_, err := w.WriteString(strings.TrimRight(b.String(), " ") + "\n")
	return err
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
