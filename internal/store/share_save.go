package store

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
)

// SaveShares replaces the pairs of a calendar month that are not final, by
// cluster and only where they differ from what is stored, and records of what
// input they were made. It ranges over pairs twice: once for their digests,
// once to write them, so that memory does not grow with their number. It
// returns the number of rows written.
func (s *Store) SaveShares(ctx context.Context, month period.Interval, fingerprint string, pairs iter.Seq2[*share.Shared, error]) (int64, error) {
	digests := map[string]*digest{}
	var scratch row
	for pool, err := range pairs {
		if err != nil {
			return 0, err
		}
		d := digests[pool.Cluster]
		if d == nil {
			d = &digest{}
			digests[pool.Cluster] = d
		}
		for i := range pool.Rows {
			scratch.buf = scratch.buf[:0]
			encodeShare(&scratch, pool, &pool.Rows[i])
			d.add(scratch.buf[tupleHead:])
		}
	}
	if len(digests) > 0 {
		if err := s.ensureMonths(ctx, "shares", month.From, month.From); err != nil {
			return 0, err
		}
	}
	var written int64
	err := s.inTx(ctx, fmt.Sprintf("save pairs of %s", period.MonthName(month.From)), func(tx pgx.Tx) error {
		if _, err := exec(ctx, tx, "share.lock", tenant); err != nil {
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
			if _, err := exec(ctx, tx, "share.delete", tenant, month.From, month.To, cluster); err != nil {
				return err
			}
			if _, err := exec(ctx, tx, "share.drop_result", tenant, month.From, cluster); err != nil {
				return err
			}
		}
		for _, cluster := range slices.Sorted(maps.Keys(digests)) {
			d := digests[cluster]
			if bytes.Equal(stored[cluster], d.value()) {
				continue
			}
			differ[cluster] = true
			if _, err := exec(ctx, tx, "share.delete", tenant, month.From, month.To, cluster); err != nil {
				return err
			}
			if _, err := exec(ctx, tx, "share.put_result", tenant, month.From, cluster, d.value(), d.rows); err != nil {
				return err
			}
		}
		if len(differ) > 0 {
			if written, err = copyShares(ctx, tx, pairs, differ); err != nil {
				return err
			}
		}
		_, err = exec(ctx, tx, "share.put_month", tenant, month.From, fingerprint)
		return err
	})
	return written, err
}

// storedShares are the digests of what is stored, by cluster.
func storedShares(ctx context.Context, tx pgx.Tx, month period.Interval) (map[string][]byte, error) {
	stored := map[string][]byte{}
	err := query(ctx, tx, "share.results", func(rows pgx.Rows) error {
		var cluster string
		var sum []byte
		err := rows.Scan(&cluster, &sum)
		stored[cluster] = sum
		return err
	}, tenant, month.From)
	return stored, err
}

// copyShares writes the rows of the clusters that differ.
func copyShares(ctx context.Context, tx pgx.Tx, pairs iter.Seq2[*share.Shared, error], differ map[string]bool) (int64, error) {
	next, stop := iter.Pull2(pairs)
	defer stop()
	n, err := copyRows(ctx, tx, statement("share.copy"), func(r *row) (bool, error) {
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
