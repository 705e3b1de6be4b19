package book

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"gpuledger/internal/closing"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// StatementKey identifies one version of a statement.
type StatementKey struct {
	BillingAccount string
	BillingPeriod  period.Month
	Version        int
}

// StatementError is the error for an unknown statement.
type StatementError struct{ StatementKey }

// Error implements error.
func (e *StatementError) Error() string {
	return fmt.Sprintf("there is no statement %s/%s/%d: `gpuledger report statements` lists them", e.BillingAccount,
		e.BillingPeriod, e.Version)
}

// StatementLines streams the lines of a statement in order.
func (s *Book) StatementLines(ctx context.Context, k StatementKey) iter.Seq2[*closing.Line, error] {
	return Lines(ctx, s.Pool, "statement.lines", pg.Tenant, k.BillingAccount, string(k.BillingPeriod), k.Version)
}

// StatementDocument returns the canonical bytes of a statement as written when the period was closed. It returns a
// *StatementError for an unknown statement.
func (s *Book) StatementDocument(ctx context.Context, k StatementKey) ([]byte, error) {
	packed, found, err := pg.Found(pg.Value[[]byte](ctx, s.Pool, "statement.document", pg.Tenant, k.BillingAccount,
		string(k.BillingPeriod), k.Version))
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, &StatementError{k}
	}
	return Unpack(packed)
}

// WriteStatement writes the canonical bytes of a statement again, from its lines. They equal StatementDocument in every
// gpuledger version that knows their format.
func (s *Book) WriteStatement(ctx context.Context, w io.Writer, k StatementKey) (closing.Written, error) {
	head, err := StatementHead(ctx, s.Pool, k)
	if err != nil {
		return closing.Written{}, err
	}
	return closing.Write(w, head, s.StatementLines(ctx, k))
}

// StatementHead reads the head of a statement.
func StatementHead(ctx context.Context, q pg.Querier, k StatementKey) (closing.Head, error) {
	policies, found, err := pg.Found(pg.Value[[]string](ctx, q, "statement.head", pg.Tenant, k.BillingAccount,
		string(k.BillingPeriod), k.Version))
	if err == nil && !found {
		err = &StatementError{k}
	}
	return closing.Head{
		BillingAccount: k.BillingAccount, BillingPeriod: k.BillingPeriod, Version: k.Version, Policies: policies,
	}, err
}

// Unpack decompresses a stored document.
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
		enough := errors.New("no more lines are wanted")
		err := pg.Each(ctx, q, name, func(l closing.Line) error {
			if !yield(&l, nil) {
				return enough
			}
			return nil
		}, args...)
		if err != nil && !errors.Is(err, enough) {
			yield(nil, err)
		}
	}
}
