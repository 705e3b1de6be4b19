package book

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/closing"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// StatementKey names one version of a statement.
type StatementKey struct {
	BillingAccount string
	BillingPeriod  period.Month
	Version        int
}

// StatementError says that there is no such statement.
type StatementError struct{ StatementKey }

// Error implements error.
func (e *StatementError) Error() string {
	return fmt.Sprintf("there is no statement %s/%s/%d: gpuledger report statements lists them", e.BillingAccount, e.BillingPeriod, e.Version)
}

// StatementLines streams the lines of a statement, in their order.
func (s *Book) StatementLines(ctx context.Context, k StatementKey) iter.Seq2[*closing.Line, error] {
	return Lines(ctx, s.Pool, "statement.lines", pg.Tenant, k.BillingAccount, string(k.BillingPeriod), k.Version)
}

// StatementDocument returns the canonical bytes of a statement as they were
// written when the period was closed. It returns a *StatementError for one that
// is not there.
func (s *Book) StatementDocument(ctx context.Context, k StatementKey) ([]byte, error) {
	var packed []byte
	err := s.Pool.QueryRow(ctx, pg.Statement("statement.document"), pg.Tenant, k.BillingAccount, string(k.BillingPeriod), k.Version).Scan(&packed)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, &StatementError{k}
	}
	if err != nil {
		return nil, fmt.Errorf("statement.document: %w", err)
	}
	return Unpack(packed)
}

// WriteStatement writes the canonical bytes of a statement anew, from its lines.
// They are those of StatementDocument on every version that knows their format.
func (s *Book) WriteStatement(ctx context.Context, w io.Writer, k StatementKey) (closing.Written, error) {
	head, err := StatementHead(ctx, s.Pool, k)
	if err != nil {
		return closing.Written{}, err
	}
	return closing.Write(w, head, s.StatementLines(ctx, k))
}

type rowQuerier interface {
	pg.Querier
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// StatementHead reads what a statement says of itself.
func StatementHead(ctx context.Context, q rowQuerier, k StatementKey) (closing.Head, error) {
	head := closing.Head{BillingAccount: k.BillingAccount, BillingPeriod: k.BillingPeriod, Version: k.Version}
	err := q.QueryRow(ctx, pg.Statement("statement.head"), pg.Tenant, k.BillingAccount, string(k.BillingPeriod), k.Version).Scan(&head.Policies)
	if errors.Is(err, pgx.ErrNoRows) {
		return head, &StatementError{k}
	}
	if err != nil {
		return head, fmt.Errorf("statement.head: %w", err)
	}
	return head, nil
}

// Unpack reverses the compression of a stored document.
func Unpack(packed []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack a statement: %w", err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return nil, fmt.Errorf("unpack a statement: %w", err)
	}
	return text, nil
}

// Lines streams the lines of a statement.
func Lines(ctx context.Context, q pg.Querier, name string, args ...any) iter.Seq2[*closing.Line, error] {
	return func(yield func(*closing.Line, error) bool) {
		rows, err := q.Query(ctx, pg.Statement(name), args...)
		if err != nil {
			yield(nil, fmt.Errorf("%s: %w", name, err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			var l closing.Line
			if err := rows.Scan(&l.Day, &l.Provider, &l.Account, &l.Region, &l.Cluster, &l.Node, &l.Namespace, &l.WorkloadKind, &l.Service, &l.RunID, &l.Owner,
				&l.Cause, &l.Kind, &l.Quality, &l.Currency, &l.Effective, &l.Billed, &l.List, &l.Contracted, &l.GPUHours, &l.Capacity, &l.Active, &l.EnergyKWh); err != nil {
				yield(nil, fmt.Errorf("%s: %w", name, err))
				return
			}
			if !yield(&l, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(nil, fmt.Errorf("%s: %w", name, err))
		}
	}
}
