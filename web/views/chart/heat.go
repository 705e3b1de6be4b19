package chart

import "math"

// Heat is a grid of figures: rows by columns, darker for more.
type Heat struct {
	Label   string
	Columns []string
	Fine    bool // cells are too narrow for their figures
	Rows    []HeatRow
}

// HeatRow is a row of a Heat with a cell per column.
type HeatRow struct {
	Name  string
	Href  string
	Cells []HeatCell
}

// HeatCell is a figure; NaN sizes are unknown and stay blank.
type HeatCell struct {
	Size float64
	Text string
	Mark Mark
}

// HeatSteps is how many shades a heat map has; the classes are q0 (none) to q5.
const HeatSteps = 5

// Shades gives each cell its class, by equal steps from 0 to the largest size.
func (h Heat) Shades() [][]string {
	most := 0.0
	for _, r := range h.Rows {
		for _, c := range r.Cells {
			if !math.IsNaN(c.Size) {
				most = math.Max(most, math.Abs(c.Size))
			}
		}
	}
	out := make([][]string, len(h.Rows))
	for i, r := range h.Rows {
		for _, c := range r.Cells {
			out[i] = append(out[i], shade(c.Size, most))
		}
	}
	return out
}

func shade(size, most float64) string {
	switch {
	case math.IsNaN(size):
		return ""
	case size == 0 || most == 0:
		return "q0"
	}
	n := int(math.Ceil(math.Abs(size) / most * HeatSteps))
	return "q" + string(rune('0'+min(max(n, 1), HeatSteps)))
}
