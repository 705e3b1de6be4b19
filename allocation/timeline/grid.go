package timeline

import "gpuledger/internal/period"

// minutesPerHour is the number of minute slots of a sample row.
const minutesPerHour = period.Hour / period.Minute

// Grid numbers the minutes of a window that starts and ends on full hours.
type Grid struct {
	From  period.Second
	Hours int
}

// NewGrid returns the grid of the full hours that overlap window.
func NewGrid(window period.Interval) Grid {
	from := window.From.Floor(period.Hour)
	hours := int((window.To - from + period.Hour - 1) / period.Hour)
	return Grid{from, max(hours, 0)}
}

// Minutes is the number of minutes of the grid.
func (g Grid) Minutes() int { return g.Hours * minutesPerHour }

// To is the end of the last minute.
func (g Grid) To() period.Second { return g.From + period.Second(g.Hours)*period.Hour }

// Window is the interval that the grid covers.
func (g Grid) Window() period.Interval { return period.Interval{From: g.From, To: g.To()} }

// At is the start of minute m.
func (g Grid) At(m int) period.Second { return g.From + period.Second(m)*period.Minute }

// Index is the minute that contains s, clamped to [0, Minutes).
func (g Grid) Index(s period.Second) int {
	return min(max(int((s.Floor(period.Minute)-g.From)/period.Minute), 0), max(g.Minutes()-1, 0))
}

// Overlap returns the first minute and one past the last minute that overlap
// i, inside the grid.
func (g Grid) Overlap(i period.Interval) (from, to int) {
	i = i.Intersect(g.Window())
	if i.Empty() {
		return 0, 0
	}
	return g.Index(i.From), g.Index(i.To-1) + 1
}

// hour returns the number of a UTC hour and whether it lies inside.
func (g Grid) hour(h period.Second) (int, bool) {
	n := int((h - g.From) / period.Hour)
	return n, h >= g.From && n < g.Hours
}
