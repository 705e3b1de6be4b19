package report

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
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
		rows.notes = slices.Concat(notes, alike, q.NotesFor(access.From(ctx)))
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
	if r, ok := rows.(interface{ endBy(end func()) }); ok {
		r.endBy(func() { pg.Rollback(ctx, tx) })
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
	if leads := leadsOf(q); leads != nil {
		return inPieces(ctx, on, q, leads)
	}
	text, args := compile(ctx, q, plan)
	rows, err := on.Query(ctx, text, args...)
	if err != nil {
		return nil, fmt.Errorf("report %s: %w", q.Dataset.Name, err)
	}
	return newReportRows(q.Dataset.Name, q.Columns(), nil, rows), nil
}

// Version identifies the state that answers depend on: it changes whenever the ledger, the imports or the policy in
// force do. It is counted again only if a transaction has ended since the last time.
func (s *Reports) Version(ctx context.Context) (metrics.Version, error) {
	state, err := pg.Value[string](ctx, s.Pool, "report.state")
	if err != nil {
		return metrics.Version{}, fmt.Errorf("report version: %w", err)
	}
	if last := s.last.Load(); last != nil && last.State == state {
		return *last, nil
	}
	v, err := pg.One[metrics.Version](ctx, s.Pool, "report.version", pg.Tenant)
	if err != nil {
		return metrics.Version{}, fmt.Errorf("report version: %w", err)
	}
	s.last.Store(&v)
	return v, nil
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
