package export

import (
	"slices"

	"gpuledger/internal/visible"
	"gpuledger/metrics"
)

// Widths of texts on a screen.
const (
	mostText  = 48 // a longer text is cut, unless the screen has room left
	leastText = 20 // a text is not cut below it to make room for another column
	leastName = 32 // nor the first column, which names the row
)

// fit chooses the columns that the screen has room for, in the order of their importance, and their widths.
func (t *table) fit(head [][]string) {
	t.empty = make([]bool, len(t.cols))
	natural := make([]int, len(t.cols))
	for i, c := range t.cols {
		for _, row := range head {
			natural[i] = max(natural[i], visible.Width(row[i]))
		}
		t.empty[i] = natural[i] == 0
		natural[i] = max(natural[i], visible.Width(c.Name))
	}
	order := slices.DeleteFunc(t.order(), func(i int) bool { return t.empty[i] && !t.Picked })
	switch {
	case t.Wide:
		t.shown, t.widths = order, natural
	case t.Columns == 0:
		t.shown = order
		for _, i := range order {
			t.widths[i] = t.most(i, natural[i])
		}
	default:
		t.choose(order, natural)
		t.grow(natural)
	}
}

// order lists the columns by their importance.
func (t *table) order() []int {
	rank := make(map[string]int, len(t.First))
	for at, name := range t.First {
		rank[name] = at
	}
	order := make([]int, len(t.cols))
	for i := range order {
		order[i] = i
	}
	at := func(i int) int {
		if r, named := rank[t.cols[i].Name]; named && !t.Picked {
			return r
		}
		return len(t.First)
	}
	slices.SortStableFunc(order, func(a, b int) int { return at(a) - at(b) })
	return order
}

// choose takes columns, with texts at their least width, until the screen is full. If one of First has no room, a later
// one may, but no other column is shown. The first column is always shown, and so are picked ones.
func (t *table) choose(order, natural []int) {
	left, full := t.Columns, false
	for at, i := range order {
		width, before := t.least(i, natural[i], leastText), len(gap)
		if at == 0 {
			width, before = t.least(i, natural[i], leastName), 0
			if t.text(i) {
				width = min(width, max(left, 1))
			}
		}
		switch first := slices.Contains(t.First, t.cols[i].Name); {
		case at == 0, t.Picked:
		case before+width > left, full && !first:
			full = true
			continue
		}
		left -= before + width
		t.shown = append(t.shown, i)
		t.widths[i] = width
	}
}

// grow gives the room that is left to texts that are cut, in their order.
func (t *table) grow(natural []int) {
	left := t.Columns - len(gap)*(len(t.shown)-1)
	for _, i := range t.shown {
		left -= t.widths[i]
	}
	for _, i := range t.shown {
		if more := min(left, natural[i]-t.widths[i]); more > 0 {
			t.widths[i] += more
			left -= more
		}
	}
}

func (t *table) text(i int) bool { return t.cols[i].Kind == metrics.Text }

func (t *table) most(i, natural int) int {
	if !t.text(i) {
		return natural
	}
	return min(natural, mostText)
}

func (t *table) least(i, natural, least int) int {
	if !t.text(i) {
		return natural
	}
	return min(natural, max(least, visible.Width(t.cols[i].Name)))
}
