package report

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// A deep page of rows in the order of time is read stretch by stretch, from its position on, until it is full: a row of
// an hour depends on that hour alone. Each stretch is twice as long as the one before. Otherwise the server would make,
// and sort, all rows to the end of the window for each page, and all pages together would take time that grows with the
// square of their number.

// step is how long the time of one row is, if the rows of q can be read stretch by stretch; else 0.
func step(q metrics.Query) period.Second {
	by := baseOf(q.Dataset).steps
	switch {
	case by == "", q.After == nil, q.Limit == 0, q.AsOf != 0, !q.Statement.IsZero(),
		q.Order[0].Column != by, q.Order[0].Desc, q.Regrouped(), !q.After[0].Valid:
		return 0
	case !q.Dataset.Grouped, q.Granularity == metrics.Hour:
		return period.Hour
	case q.Granularity == metrics.Day && (q.Zone == "" || q.Zone == "UTC"):
		return period.Day
	}
	return 0
}

// stretched are the rows of a query, stretch by stretch in one transaction.
type stretched struct {
	*reportRows // of the stretch that is being read
	open        func(at period.Interval, limit int) (*reportRows, error)
	at          period.Interval
	stored      period.Second // the end of the ledger; 0: it is empty
	last        period.Second // the end of the window; 0: open
	left        int           // rows of the page
	failed      error
}

// askStretched answers q, whose rows are of steps of time, stretch by stretch.
func askStretched(ctx context.Context, tx pgx.Tx, q metrics.Query, length period.Second) (*stretched, error) {
	stored, err := pg.One[struct{ First, End *period.Second }](ctx, tx, "rollup.stored", pg.Tenant)
	if err != nil {
		return nil, err
	}
	from := period.FromTime(q.After[0].Time)
	r := &stretched{left: q.Limit, last: q.Window.To}
	r.at = period.Interval{From: max(from, q.Window.From), To: from.Floor(int64(length)) + length}
	if stored.End != nil {
		r.stored = *stored.End
	}
	r.open = func(at period.Interval, limit int) (*reportRows, error) {
		part := q
		part.Window, part.Limit = at, limit
		plan, err := planned(ctx, tx, part)
		if err != nil {
			return nil, fmt.Errorf("report %s: %w", q.Dataset.Name, err)
		}
		return ask(ctx, tx, part, plan)
	}
	r.reportRows, err = r.stretch()
	return r, err
}

// stretch opens the rows of the stretch; the one that reaches the end of the ledger takes the rest of the window.
func (r *stretched) stretch() (*reportRows, error) {
	if r.at.To >= r.stored || r.last != 0 && r.at.To >= r.last {
		r.at.To = r.last
	}
	return r.open(r.at, r.left)
}

// Next implements metrics.Rows.
func (r *stretched) Next() bool {
	for r.failed == nil {
		if r.reportRows.Next() {
			r.left--
			return true
		}
		if r.reportRows.Err() != nil || r.left <= 0 || r.at.To == r.last {
			return false
		}
		before := r.reportRows
		before.rows.Close()
		r.at = period.Interval{From: r.at.To, To: r.at.To + 2*(r.at.To-r.at.From)}
		next, err := r.stretch()
		if err != nil {
			r.failed = err
			return false
		}
		next.end, next.notes = before.end, before.notes // the transaction ends with the last of them
		r.reportRows = next
	}
	return false
}

// Err implements metrics.Rows.
func (r *stretched) Err() error {
	if r.failed != nil {
		return r.failed
	}
	return r.reportRows.Err()
}
