package waste

import (
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// rowKey is a usage row without its activity.
type rowKey struct {
	hour            period.Second
	slot, slice     int32
	holder, attempt ledger.ID
	cause           ledger.Cause
}

// cutter gives every second of a usage row its part of the row, so that parts add up to it (docs/figures.md 18.1).
// Stretches of a row must come in order of time, each second once.
type cutter struct {
	rows map[rowKey]*cutRow
}

type cutRow struct {
	share   Share
	active  int64
	quality ledger.Quality
	seconds int64 // of its spans
	before  int64 // already given
	given   Share
}

func newCutter(d *NodeDay) *cutter {
	c := &cutter{rows: make(map[rowKey]*cutRow, len(d.Rows))}
	for i := range d.Rows {
		r := &d.Rows[i]
		k := rowKey{r.Hour, r.Slot, r.Slice, r.Holder, r.Attempt, r.Cause}
		row := c.rows[k]
		if row == nil {
			row = &cutRow{}
			c.rows[k] = row
		}
		row.share.add(Share{r.Capacity, r.Cost})
		row.active += r.Active
		row.quality = row.quality.Worse(r.Quality)
	}
	for i := range d.Spans {
		s := &d.Spans[i]
		byHour(s.From, s.To, func(from, to period.Second) {
			if row := c.row(s, from); row != nil {
				row.seconds += int64(to - from)
			}
		})
	}
	return c
}

// row is the usage row of a span's second; nil if the ledger has none.
func (c *cutter) row(s *Span, at period.Second) *cutRow {
	return c.rows[rowKey{at.Floor(period.Hour), s.Slot, s.Slice, s.Holder, s.Attempt, s.Cause}]
}

// take is the part of the row for its next seconds.
func (r *cutRow) take(seconds int64) Share {
	r.before += seconds
	upTo := r.share.scaled(r.before, r.seconds)
	part := upTo.minus(r.given)
	r.given = upTo
	return part
}

// byHour calls f for the stretches of [from, to) between full hours.
func byHour(from, to period.Second, f func(from, to period.Second)) {
	for from < to {
		next := min(to, from.Floor(period.Hour)+period.Hour)
		f(from, next)
		from = next
	}
}

// at cuts [from, to) at the given instants, which are ascending.
func at(from, to period.Second, edges []period.Second, f func(from, to period.Second)) {
	i, _ := slices.BinarySearch(edges, from+1)
	for ; i < len(edges) && edges[i] < to; i++ {
		f(from, edges[i])
		from = edges[i]
	}
	f(from, to)
}

// union joins intervals that overlap or lie at most gap seconds apart.
func union(list []period.Interval, gap period.Second) []period.Interval {
	slices.SortFunc(list, func(a, b period.Interval) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	var out []period.Interval
	for _, v := range list {
		if n := len(out); n > 0 && v.From <= out[n-1].To+gap {
			out[n-1].To = max(out[n-1].To, v.To)
			continue
		}
		out = append(out, v)
	}
	return out
}

// seconds adds up intervals that do not overlap.
func seconds(list []period.Interval) (n int64) {
	for _, v := range list {
		n += v.Seconds()
	}
	return n
}
