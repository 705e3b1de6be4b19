package periods

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"time"

	"gpuledger/internal/closing"
	"gpuledger/internal/period"
	"gpuledger/internal/store/book"
	"gpuledger/internal/store/explain"
	"gpuledger/internal/store/pg"
)

// Close implements closing.Books: it makes the rows of a period final, freezes their usage rows, and writes the
// statement (rules 13.3, 13.4).
func (b *books) Close(
	ctx context.Context, account string, month period.Month, by string, at time.Time,
) (*closing.Statement, error) {
	if err := b.lock(ctx); err != nil {
		return nil, err
	}
	s, err := b.close(ctx, account, month, by, at)
	if err != nil {
		return nil, fmt.Errorf("close %s of billing account %s: %w", month, account, err)
	}
	return s, nil
}

func (b *books) close(
	ctx context.Context, account string, month period.Month, by string, at time.Time,
) (*closing.Statement, error) {
	hours, err := month.Interval()
	if err != nil {
		return nil, err
	}
	args := []any{pg.Tenant, account, string(month)}
	for _, step := range []struct {
		name string
		args []any
	}{
		{"close.begin", nil},
		{"close.put_period", []any{pg.Tenant, string(month), hours.From, hours.To}},
		{"close.put_state", append(args, "closed")},
		{"close.create_parts", nil},
		{"close.parts", append(args, hours.To)},
		{"close.analyze_parts", nil},
	} {
		if _, err := pg.Exec(ctx, b.tx, step.name, step.args...); err != nil {
			return nil, err
		}
	}
	span, err := b.extent(ctx, account, month)
	if err != nil {
		return nil, err
	}
	b.move(span)
	for _, step := range []struct {
		name string
		args []any
	}{
		{"close.postings", args},
		{"close.mark_analysis", []any{pg.Tenant}},
		{"close.freeze", append(args, span.From, span.To)},
		{"close.shares", args},
		{"close.forget_share_results", args},
		{"close.name_parts", []any{pg.Tenant}},
		{"close.create_lines", nil},
	} {
		if _, err := pg.Exec(ctx, b.tx, step.name, step.args...); err != nil {
			return nil, err
		}
	}
	policies, err := b.store.Policies(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := explain.FreezeEvidence(ctx, b.tx, policies); err != nil {
		return nil, err
	}
	return b.state(ctx, account, month, span, by, at)
}

// state writes the statement about the rows that became final.
func (b *books) state(
	ctx context.Context, account string, month period.Month, span period.Interval, by string, at time.Time,
) (*closing.Statement, error) {
	s := &closing.Statement{Head: closing.Head{BillingAccount: account, BillingPeriod: month}}
	next, err := pg.One[struct {
		Number  int64
		Chain   []byte
		Version int
	}](ctx, b.tx, "statement.next", pg.Tenant, account, string(month))
	if err != nil {
		return nil, err
	}
	s.Number, s.Version = next.Number, next.Version
	if _, err := pg.Exec(ctx, b.tx, "close.lines", pg.Tenant, account, string(month), s.Version, span.From,
		span.To); err != nil {
		return nil, err
	}
	if s.Policies, err = pg.Values[string](ctx, b.tx, "close.policies", pg.Tenant, account, string(month), span.From,
		span.To); err != nil {
		return nil, err
	}
	if s.Policies == nil {
		s.Policies = []string{}
	}
	var document bytes.Buffer
	packed := gzip.NewWriter(&document)
	if s.Written, err = closing.Write(packed, s.Head, book.Lines(ctx, b.tx, "statement.new_lines")); err != nil {
		return nil, err
	}
	if err := packed.Close(); err != nil {
		return nil, fmt.Errorf("pack the statement: %w", err)
	}
	whole := period.Interval{From: span.From.Floor(period.Day), To: span.To.Floor(period.Day) + period.Day}
	days, err := b.days(ctx)
	if err != nil {
		return nil, err
	}
	if err := book.RefreshChunks(ctx, b.tx, days, whole); err != nil {
		return nil, err
	}
	got, err := book.FinalDigests(ctx, b.tx, account, string(month), whole)
	if err != nil {
		return nil, err
	}
	chunks, sum := book.SortFinal(got)
	s.RowsDigest = sum
	if s.OpenPeriod, err = b.openPeriod(ctx, account, month); err != nil {
		return nil, err
	}
	s.Seal(next.Chain)
	if _, err := pg.Exec(ctx, b.tx, "statement.put", pg.Tenant, account, string(month), s.Version, s.Number,
		closing.Format, document.Bytes(), s.Lines, s.Bytes,
		s.Digest[:], s.RowsDigest[:], s.Policies, string(s.OpenPeriod), s.Previous, s.Chain, at, by); err != nil {
		return nil, err
	}
	if _, err := pg.Exec(ctx, b.tx, "statement.put_lines"); err != nil {
		return nil, err
	}
	_, err = pg.Exec(ctx, b.tx, "statement.put_chunks", pg.Tenant, account, string(month), s.Version, chunks.What,
		chunks.Nodes, chunks.Days, chunks.Digests, chunks.Rows)
	return s, err
}

// openPeriod is the month that takes adjustments of a closed period: the one after the account's newest closed month
// (rule 13.5).
func (b *books) openPeriod(ctx context.Context, account string, month period.Month) (period.Month, error) {
	later, err := b.Later(ctx, account, month)
	if err != nil {
		return "", err
	}
	if n := len(later); n > 0 {
		month = later[n-1]
	}
	hours, err := month.Interval()
	return period.MonthName(hours.To), err
}

// days are the node-days of closing_parts.
func (b *books) days(ctx context.Context) (map[book.ChunkKey]bool, error) {
	days := map[book.ChunkKey]bool{}
	err := pg.Each(ctx, b.tx, "close.days", func(k book.ChunkKey) error {
		days[k] = true
		return nil
	})
	return days, err
}

// Reopen implements closing.Books: the rows of a closed period become open again, and the next allocation recomputes
// the results that depend on them.
func (b *books) Reopen(ctx context.Context, account string, month period.Month, by, reason string, at time.Time) error {
	if err := b.lock(ctx); err != nil {
		return err
	}
	if b.allocating {
		return &closing.RefusedError{
			What:    "reopen " + account + "/" + string(month),
			Reasons: []string{"an allocation is running: wait until it finishes"},
		}
	}
	if err := b.reopen(ctx, account, month, by, reason, at); err != nil {
		return fmt.Errorf("reopen %s of billing account %s: %w", month, account, err)
	}
	return nil
}

func (b *books) reopen(ctx context.Context, account string, month period.Month, by, reason string, at time.Time) error {
	span, err := b.extent(ctx, account, month)
	if err != nil {
		return err
	}
	b.move(span)
	args := []any{pg.Tenant, account, string(month)}
	for _, step := range []struct {
		name string
		args []any
	}{
		{"close.begin", nil},
		{"close.put_state", append(args, "open")},
		{"reopen.statement", append(args, at, by, reason)},
		{"close.create_parts", nil},
		{"reopen.parts", args},
		{"close.analyze_parts", nil},
		{"reopen.postings", args},
		{"close.mark_analysis", []any{pg.Tenant}},
		{"reopen.thaw", args},
		{"reopen.shares", args},
		{"close.forget_share_results", args},
		{"reopen.recut", args},
	} {
		if _, err := pg.Exec(ctx, b.tx, step.name, step.args...); err != nil {
			return err
		}
	}
	if err := explain.ThawEvidence(ctx, b.tx); err != nil {
		return err
	}
	days, err := b.days(ctx)
	if err != nil {
		return err
	}
	if err := book.RefreshChunks(ctx, b.tx, days, period.Interval{
		From: span.From.Floor(period.Day), To: span.To.Floor(period.Day) + period.Day,
	}); err != nil {
		return err
	}
	return pg.Mark(ctx, b.tx, "reopen.mark")
}
