package store

import (
	"bytes"
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
)

// checkDigests reads all rows of all chunks back as the bytes that were
// written and compares their digests.
func checkDigests(ctx context.Context, tx pgx.Tx, hours period.Interval) ([]string, error) {
	got, err := chunkDigests(ctx, tx, hours)
	if err != nil {
		return nil, err
	}
	var bad []string
	var keys []chunkKey
	err = query(ctx, tx, "verify.chunks", func(rows pgx.Rows) error {
		var k chunkKey
		var stored []byte
		var dirty bool
		if err := rows.Scan(&k.node, &k.day, &stored, &dirty); err != nil {
			return err
		}
		d := got[k]
		if d == nil {
			d = &digest{}
		}
		delete(got, k)
		if !dirty && !bytes.Equal(stored, d.value()) {
			bad = append(bad, fmt.Sprintf("node_id=%s day=%s rows=%d: the stored rows are not those that were written", k.node, k.day, d.rows))
			keys = append(keys, k)
		}
		return nil
	}, tenant, hours.From, hours.To)
	for k, d := range got {
		bad = append(bad, fmt.Sprintf("node_id=%s day=%s rows=%d: rows without a chunk", k.node, k.day, d.rows))
	}
	if err != nil {
		return nil, err
	}
	bad = few(bad)
	for _, k := range keys[:min(len(keys), shown)] {
		named, err := nameChanged(ctx, tx, k.node, k.day)
		if err != nil {
			return nil, err
		}
		bad = append(bad, named...)
	}
	return bad, nil
}
