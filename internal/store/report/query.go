package report

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// Query answers a report with one statement and streams its rows. The caller must close the rows. It returns an
// *access.ScopeError if a scoped user queries a dataset that cannot be scoped.
func (s *Reports) Query(ctx context.Context, q metrics.Query) (metrics.Rows, error) {
	if q.Dataset.Derived != nil {
		return s.derived(ctx, q)
	}
	return s.inRead(ctx, q, func(tx pgx.Tx) (metrics.Rows, error) {
		if err := checkStatement(ctx, tx, q); err != nil {
			return nil, err
		}
		if err := s.checkRates(ctx, q); err != nil {
			return nil, err
		}
		notes, err := notCarried(ctx, tx, q)
		if err != nil {
			return nil, err
		}
		alike, err := unshared(ctx, tx, q)
		if err != nil {
			return nil, err
		}
		plan, err := planned(ctx, tx, q)
		if err != nil {
			return nil, fmt.Errorf("report %s: %w", q.Dataset.Name, err)
		}
		rows, err := ask(ctx, tx, q, plan)
		if err != nil {
			return nil, err
		}
		rows.notes = append(notes, alike...)
		return rows, nil
	})
}

// QueryLedger answers a report from the ledger alone, with the same rows as Query.
func (s *Reports) QueryLedger(ctx context.Context, q metrics.Query) (metrics.Rows, error) {
	return s.inRead(ctx, q, func(tx pgx.Tx) (metrics.Rows, error) { return Ask(ctx, tx, q) })
}

// inRead answers q in a read-only transaction that ends with the rows.
func (s *Reports) inRead(
	ctx context.Context, q metrics.Query, answer func(tx pgx.Tx) (metrics.Rows, error),
) (metrics.Rows, error) {
	if err := q.SeenBy(access.From(ctx)); err != nil {
		return nil, err
	}
	tx, err := s.BeginRead(ctx)
	if err != nil {
		return nil, fmt.Errorf("report %s: %w", q.Dataset.Name, err)
	}
	rows, err := answer(tx)
	if err != nil {
		pg.Rollback(ctx, tx)
		return nil, err
	}
	if r, ok := rows.(*reportRows); ok {
		r.end = func() { pg.Rollback(ctx, tx) }
	}
	return rows, nil
}

// Ask is QueryLedger on a connection or in a transaction.
func Ask(ctx context.Context, tx pgx.Tx, q metrics.Query) (metrics.Rows, error) {
	return ask(ctx, tx, q, nil)
}

// AddsUp reports whether roll-ups have all keys of q.
func AddsUp(q metrics.Query) bool {
	_, all := baseOf(q.Dataset).answers(q, shape{})
	return all
}

// AskAddedUp is Ask with roll-ups for the days for which they are up to date.
func AskAddedUp(ctx context.Context, tx pgx.Tx, q metrics.Query) (metrics.Rows, error) {
	if err := checkStatement(ctx, tx, q); err != nil {
		return nil, err
	}
	plan, err := planned(ctx, tx, q)
	if err != nil {
		return nil, fmt.Errorf("report %s: %w", q.Dataset.Name, err)
	}
	return ask(ctx, tx, q, plan)
}

// ask answers q by a plan; nil: from the ledger alone.
func ask(ctx context.Context, on pg.Querier, q metrics.Query, plan *RollupPlan) (*reportRows, error) {
	text, args := compile(ctx, q, plan)
	rows, err := on.Query(ctx, text, args...)
	if err != nil {
		return nil, fmt.Errorf("report %s: %w", q.Dataset.Name, err)
	}
	return newReportRows(q.Dataset.Name, q.Columns(), rows), nil
}

// Version identifies the state that answers depend on: it changes whenever the ledger, the imports or the policy in
// force do.
func (s *Reports) Version(ctx context.Context) (metrics.Version, error) {
	v, err := pg.One[metrics.Version](ctx, s.Pool, "report.version", pg.Tenant)
	if err != nil {
		return metrics.Version{}, fmt.Errorf("report version: %w", err)
	}
	return v, nil
}

// reportRows adapts pgx.Rows to metrics.Rows.
type reportRows struct {
	name   string
	cols   []metrics.Column
	rows   pgx.Rows
	cells  []cell
	dest   []any
	values []metrics.Value
	err    error
	end    func() // ends the report's own transaction; nil if the caller's is used
	notes  []string
}

// Notes implements metrics.Noted.
func (r *reportRows) Notes() []string { return r.notes }

// cell is the scan target of one column; the column's kind selects the field.
type cell struct {
	text    *string
	id      ledger.ID
	number  *int64
	decimal *money.Amount
	at      *time.Time
	flag    *bool
}

func newReportRows(name string, cols []metrics.Column, rows pgx.Rows) *reportRows {
	r := &reportRows{
		name: name, cols: cols, rows: rows, cells: make([]cell, len(cols)),
		dest: make([]any, len(cols)), values: make([]metrics.Value, len(cols)),
	}
	for i, col := range cols {
		c := &r.cells[i]
		switch {
		case col.Kind.Decimal():
			r.dest[i] = &c.decimal
		case col.Kind.Integer():
			r.dest[i] = &c.number
		case col.Kind == metrics.ID:
			r.dest[i] = &c.id
		case col.Kind == metrics.Time:
			r.dest[i] = &c.at
		case col.Kind == metrics.Bool:
			r.dest[i] = &c.flag
		default:
			r.dest[i] = &c.text
		}
	}
	return r
}

// Columns implements metrics.Rows.
func (r *reportRows) Columns() []metrics.Column { return r.cols }

// Next implements metrics.Rows.
func (r *reportRows) Next() bool {
	if r.err != nil || !r.rows.Next() {
		return false
	}
	if err := r.rows.Scan(r.dest...); err != nil {
		r.err = fmt.Errorf("report %s: %w", r.name, err)
		r.rows.Close()
		return false
	}
	for i := range r.cells {
		r.values[i] = r.cells[i].value(r.cols[i].Kind)
	}
	return true
}

func (c *cell) value(k metrics.Kind) metrics.Value {
	switch {
	case k.Decimal():
		if c.decimal != nil {
			return metrics.Value{Valid: true, Text: c.decimal.String()}
		}
	case k.Integer():
		if c.number != nil {
			return metrics.Value{Valid: true, Int: *c.number}
		}
	case k == metrics.ID:
		if !c.id.IsZero() {
			return metrics.Value{Valid: true, Text: c.id.String()}
		}
	case k == metrics.Time:
		if c.at != nil {
			return metrics.Value{Valid: true, Time: c.at.UTC()}
		}
	case k == metrics.Bool:
		if c.flag != nil {
			return metrics.Value{Valid: true, Bool: *c.flag}
		}
	default:
		if c.text != nil {
			return metrics.Value{Valid: true, Text: *c.text}
		}
	}
	return metrics.Null
}

// Values implements metrics.Rows.
func (r *reportRows) Values() []metrics.Value { return r.values }

// Err implements metrics.Rows.
func (r *reportRows) Err() error {
	if r.err != nil {
		return r.err
	}
	if err := r.rows.Err(); err != nil {
		return fmt.Errorf("report %s: %w", r.name, err)
	}
	return nil
}

// Close implements metrics.Rows.
func (r *reportRows) Close() {
	r.rows.Close()
	if r.end != nil {
		r.end()
	}
}

// checkStatement refuses a report over a statement that does not exist.
func checkStatement(ctx context.Context, tx pgx.Tx, q metrics.Query) error {
	if q.Statement.IsZero() {
		return nil
	}
	is := q.Statement
	known, err := pg.Value[bool](ctx, tx, "statement.known", pg.Tenant, is.BillingAccount, string(is.BillingPeriod),
		is.Version)
	if err != nil {
		return err
	}
	if !known {
		return &metrics.OptionError{
			Option: "statement", Value: q.Statement.String(),
			Reason: "does not exist: that period is not closed; the dataset statements lists the closed periods",
		}
	}
	return nil
}
