package book

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation/share"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// SaveShares replaces the pairs of a calendar month that are not final, only for clusters whose pairs differ from the
// stored ones, and records the fingerprint of their input. It ranges over pairs twice, once for digests and once to
// write, so that memory does not grow with their number. It returns the number of rows written.
func (s *Book) SaveShares(
	ctx context.Context, month period.Interval, fingerprint string, pairs iter.Seq2[*share.Shared, error],
) (int64, error) {
	digests := map[string]*pg.Digest{}
	var scratch pg.Row
	for pool, err := range pairs {
		if err != nil {
			return 0, err
		}
		for i := range pool.Rows {
			scratch.Buf = scratch.Buf[:0]
			encodeShare(&scratch, pool, &pool.Rows[i])
			pg.AddTo(digests, pool.Cluster, scratch.Buf[tupleHead:])
		}
	}
	if len(digests) > 0 {
		if err := s.EnsureMonths(ctx, "shares", pg.MonthsOf(month.From)); err != nil {
			return 0, err
		}
	}
	var written int64
	err := s.InTx(ctx, fmt.Sprintf("save pairs of %s", period.MonthName(month.From)), func(tx pgx.Tx) error {
		if _, err := pg.Exec(ctx, tx, "share.lock", pg.Tenant); err != nil {
			return err
		}
		stored, err := storedShares(ctx, tx, month)
		if err != nil {
			return err
		}
		differ := map[string]bool{}
		for _, cluster := range slices.Sorted(maps.Keys(stored)) {
			if digests[cluster] != nil {
				continue
			}
			if _, err := pg.Exec(ctx, tx, "share.delete", pg.Tenant, month.From, month.To, cluster); err != nil {
				return err
			}
			if _, err := pg.Exec(ctx, tx, "share.drop_result", pg.Tenant, month.From, cluster); err != nil {
				return err
			}
		}
		for _, cluster := range slices.Sorted(maps.Keys(digests)) {
			d := digests[cluster]
			if bytes.Equal(stored[cluster], d.Value()) {
				continue
			}
			differ[cluster] = true
			if _, err := pg.Exec(ctx, tx, "share.delete", pg.Tenant, month.From, month.To, cluster); err != nil {
				return err
			}
			if _, err := pg.Exec(ctx, tx, "share.put_result", pg.Tenant, month.From, cluster, d.Value(), d.Rows); err != nil {
				return err
			}
		}
		if len(differ) > 0 {
			if written, err = copyShares(ctx, tx, pairs, differ); err != nil {
				return err
			}
		}
		_, err = pg.Exec(ctx, tx, "share.put_month", pg.Tenant, month.From, fingerprint)
		return err
	})
	return written, err
}

// storedShares are the digests of the stored pairs, by cluster.
func storedShares(ctx context.Context, tx pgx.Tx, month period.Interval) (map[string][]byte, error) {
	return pg.Map[string, []byte](ctx, tx, "share.results", pg.Tenant, month.From)
}

// copyShares writes the rows of the clusters that differ.
func copyShares(
	ctx context.Context, tx pgx.Tx, pairs iter.Seq2[*share.Shared, error], differ map[string]bool,
) (int64, error) {
	next, stop := iter.Pull2(pairs)
	defer stop()
	n, err := pg.CopyRows(ctx, tx, pg.Statement("share.copy"), func(r *pg.Row) (bool, error) {
		for {
			pool, err, more := next()
			if !more || err != nil {
				return false, err
			}
			if !differ[pool.Cluster] {
				continue
			}
			for i := range pool.Rows {
				encodeShare(r, pool, &pool.Rows[i])
			}
			return true, nil
		}
	})
	if err != nil {
		return 0, fmt.Errorf("share.copy: %w", err)
	}
	return n, nil
}
