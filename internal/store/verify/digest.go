package verify

import (
	"bytes"
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/store/book"
	"gpuledger/internal/store/pg"
)

// checkDigests reads all rows of all chunks as the bytes that were written, and compares their digests.
func checkDigests(ctx context.Context, tx pgx.Tx, hours period.Interval) ([]string, error) {
	got, err := book.ChunkDigests(ctx, tx, hours)
	if err != nil {
		return nil, err
	}
	bad, err := book.ChangedTerms(ctx, tx)
	if err != nil {
		return nil, err
	}
	var keys []book.ChunkKey
	type chunk struct {
		book.ChunkKey
		Digest []byte
		Dirty  bool
	}
	err = pg.Each(ctx, tx, "verify.chunks", func(c chunk) error {
		k := c.ChunkKey
		d := got[k]
		if d == nil {
			d = &pg.Digest{}
		}
		delete(got, k)
		if !c.Dirty && !bytes.Equal(c.Digest, d.Value()) {
			bad = append(bad, fmt.Sprintf("node_id=%s day=%s rows=%d: the stored rows differ from those written", k.Node,
				k.Day, d.Rows))
			keys = append(keys, k)
		}
		return nil
	}, pg.Tenant, hours.From, hours.To)
	for k, d := range got {
		bad = append(bad, fmt.Sprintf("node_id=%s day=%s rows=%d: rows without a chunk", k.Node, k.Day, d.Rows))
	}
	if err != nil {
		return nil, err
	}
	bad = few(bad)
	for _, k := range keys[:min(len(keys), shown)] {
		named, err := nameChanged(ctx, tx, k.Node, k.Day)
		if err != nil {
			return nil, err
		}
		bad = append(bad, named...)
	}
	return bad, nil
}
