package report

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// source is where a stretch of time is read from.
type source int

// Sources.
const (
	fromNowhere source = iota - 1 // before and after all stored rows
	fromLedger
	fromHours
	fromDays
	fromMonths
)

// RollupPlan defines what a report reads: roll-ups for time in which they are as new as the ledger, and the ledger
// for the rest.
type RollupPlan struct {
	Pieces []piece
	sees   shape
}

// piece is a stretch of service hours and its source. A bound of 0 is open.
type piece struct {
	From source
	Span period.Interval
}

// CleanDay is a UTC day whose roll-up is as new as the ledger.
type CleanDay struct {
	Day     period.Second
	InMonth bool // its month is rolled up, too
}

// mostLedgerPieces bounds the statement: if changed days are scattered, clean days between them are read from the
// ledger as well.
const mostLedgerPieces = 6

// planned decides what q is read from, in the transaction that answers it, so that "as new as the ledger" holds for
// the state that is read. nil: all of it comes from the ledger.
func planned(ctx context.Context, tx pgx.Tx, q metrics.Query) (*RollupPlan, error) {
	b := baseOf(q.Dataset)
	if !b.rolledUp() {
		return nil, nil
	}
	sees, err := shapeOf(ctx, tx)
	if err != nil {
		return nil, err
	}
	hours, all := b.answers(q, sees)
	if !all {
		return nil, nil
	}
	days, err := b.days(ctx, tx, q)
	if err != nil {
		return nil, err
	}
	if b.allTime {
		q.Window = period.Interval{}
	}
	plan := &RollupPlan{Pieces: Pieces(q, hours, days), sees: sees}
	if b.latest {
		plan.Pieces = daysOrMonths(plan.Pieces)
	}
	if !slices.ContainsFunc(plan.Pieces, func(p piece) bool { return p.From != fromLedger }) {
		return nil, nil
	}
	if b.posted {
		err = leaveOut(ctx, tx, plan.Pieces)
	}
	return plan, err
}

// days are the clean days for a query, without those that contain an instant of apart.
func (b base) days(ctx context.Context, tx pgx.Tx, q metrics.Query) ([]CleanDay, error) {
	of := q
	if b.allTime {
		of.Window = period.Interval{}
	}
	days, err := WindowDays(ctx, tx, of)
	if err != nil || b.apart == nil {
		return days, err
	}
	instants, err := b.apart(ctx, tx, q)
	for _, at := range instants {
		inside := func(whole period.Interval) bool { return whole.From < at && at < whole.To }
		days = slices.DeleteFunc(days, func(d CleanDay) bool {
			return inside(period.DayOf(d.Day)) && at != at.Floor(b.stretch)
		})
		for i := range days {
			days[i].InMonth = days[i].InMonth && !inside(period.MonthOf(days[i].Day))
		}
	}
	return days, err
}

// ends are the ends of a window: rows inside it are distinguished from rows outside.
func ends(_ context.Context, _ pgx.Tx, q metrics.Query) ([]period.Second, error) {
	return []period.Second{q.Window.From, q.Window.To}, nil
}

// middle is the middle of the window; commitments compare its halves, and their days are kept by half days.
func middle(ctx context.Context, tx pgx.Tx, q metrics.Query) ([]period.Second, error) {
	c := Asking(q, nil)
	text := c.Expand(pg.Statement("report.middle"))
	var at *time.Time
	if err := tx.QueryRow(ctx, text, c.Args...).Scan(&at); err != nil {
		return nil, fmt.Errorf("report.middle: %w", err)
	}
	if at == nil { // nothing is stored
		return nil, nil
	}
	return []period.Second{period.FromTime(*at)}, nil
}

// leaveOut drops ledger pieces before and after all stored rows: planning them takes longer than finding them empty.
func leaveOut(ctx context.Context, tx pgx.Tx, list []piece) error {
	if !slices.ContainsFunc(list, func(p piece) bool { return p.From == fromLedger }) {
		return nil
	}
	stored, err := pg.One[struct{ First, End *period.Second }](ctx, tx, "rollup.stored", pg.Tenant)
	if err != nil {
		return err
	}
	for i, p := range list {
		before := stored.First == nil || p.Span.To != 0 && p.Span.To <= *stored.First
		after := stored.End == nil || p.Span.From >= *stored.End
		if p.From == fromLedger && (before || after) {
			list[i].From = fromNowhere
		}
	}
	return nil
}

// WindowDays lists the days that lie in the window of q, or that its ends cut, and whose roll-ups are as new as the
// ledger, ascending.
func WindowDays(ctx context.Context, tx pgx.Tx, q metrics.Query) ([]CleanDay, error) {
	from, to := "-infinity", "infinity"
	if q.Window.From != 0 {
		from = q.Window.From.Floor(period.Day).String()
	}
	if q.Window.To != 0 {
		to = q.Window.To.String()
	}
	return pg.List[CleanDay](ctx, tx, "rollup.clean", pg.Tenant, from, to)
}

// Pieces cuts the window of q into pieces by source, without gaps.
func Pieces(q metrics.Query, hours bool, days []CleanDay) []piece {
	var out []piece
	add := func(from source, span period.Interval) {
		if n := len(out); n > 0 && out[n-1].From == from && out[n-1].Span.To == span.From {
			out[n-1].Span.To = span.To
			return
		}
		out = append(out, piece{from, span})
	}
	at := q.Window.From // read up to here
	for i := 0; i < len(days); i++ {
		span := period.DayOf(days[i].Day)
		from := daySource(q, hours, span)
		if from == fromDays && days[i].InMonth && months(q) {
			if whole := period.MonthOf(span.From); whole.From == span.From && wholeMonth(q, days[i:], whole) {
				from, span = fromMonths, whole
				i += int(whole.Seconds()/period.Day) - 1
			}
		}
		if span.From = max(span.From, q.Window.From); q.Window.To != 0 {
			span.To = min(span.To, q.Window.To)
		}
		if from == fromLedger || span.Empty() {
			continue // part of a gap
		}
		if at == 0 || at < span.From {
			add(fromLedger, period.Interval{From: at, To: span.From})
		}
		add(from, span)
		at = span.To
	}
	if q.Window.To == 0 || at < q.Window.To {
		add(fromLedger, period.Interval{From: at, To: q.Window.To})
	}
	return fewer(out)
}

// daySource is the source of a clean day.
func daySource(q metrics.Query, hours bool, day period.Interval) source {
	whole := q.Window.From <= day.From && (q.Window.To == 0 || day.To <= q.Window.To)
	switch {
	case whole && q.Granularity != metrics.Hour && !straddles(q, day.From.Time()):
		return fromDays
	case hours:
		return fromHours
	}
	return fromLedger
}

// straddles reports whether a UTC day can lie in two buckets of q. Zones differ from UTC by at most 14 hours, so a
// bucket ends on a UTC day next to its UTC end.
func straddles(q metrics.Query, day time.Time) bool {
	if q.Zone == "" || q.Zone == "UTC" {
		return false
	}
	switch q.Granularity {
	case metrics.Week:
		return day.Weekday() == time.Sunday || day.Weekday() == time.Monday
	case metrics.Month:
		return day.Day() == 1 || day.AddDate(0, 0, 1).Day() == 1
	case metrics.Day:
		return true
	}
	return false
}

// months reports whether whole calendar months (UTC) can answer q: not if buckets are shorter or in another zone, or
// if each day has its own exchange rate.
func months(q metrics.Query) bool {
	if q.Currency != "" {
		return false
	}
	return q.Granularity == metrics.Total || q.Granularity == metrics.Month && (q.Zone == "" || q.Zone == "UTC")
}

// wholeMonth reports whether days begins with all days of a month, and whether the month lies in the window.
func wholeMonth(q metrics.Query, days []CleanDay, month period.Interval) bool {
	n := int(month.Seconds() / period.Day)
	return len(days) >= n && days[n-1].Day == month.To-period.Day && (q.Window.To == 0 || month.To <= q.Window.To)
}

// fewer also reads from the ledger the shortest stretches between two ledger pieces, until few pieces are left.
func fewer(list []piece) []piece {
	for {
		var ledger []int
		for i, p := range list {
			if p.From == fromLedger {
				ledger = append(ledger, i)
			}
		}
		if len(ledger) <= mostLedgerPieces {
			return list
		}
		best := 0
		for i := range ledger[:len(ledger)-1] {
			between := func(i int) int64 { return int64(list[ledger[i+1]].Span.From - list[ledger[i]].Span.To) }
			if between(i) < between(best) {
				best = i
			}
		}
		first, last := ledger[best], ledger[best+1]
		list[first].Span.To = list[last].Span.To
		list = slices.Delete(list, first+1, last+1)
	}
}
