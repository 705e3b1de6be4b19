package verify

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/store/explain"
	"gpuledger/internal/store/pg"
)

// checkEvidence checks that the evidence of closed hours exists and is unchanged.
func checkEvidence(ctx context.Context, tx pgx.Tx, hours period.Interval) ([]string, error) {
	var bad []string
	var in bytes.Reader
	unpack := new(gzip.Reader)
	type kept struct {
		explain.NodeHour
		Document, Digest pg.PgxBytes
	}
	err := pg.Each(ctx, tx, "verify.frozen_evidence", func(at kept) error {
		if at.Document == nil {
			bad = append(bad, fmt.Sprintf("node_id=%s hour=%s: no evidence was kept for this closed hour", at.Node, at.Hour))
			return nil
		}
		in.Reset(at.Document)
		h := sha256.New()
		err := unpack.Reset(&in)
		if err == nil {
			_, err = io.Copy(h, io.LimitReader(unpack, explain.LargestEvidence))
		}
		if err != nil || !bytes.Equal(h.Sum(nil), at.Digest) {
			bad = append(bad, fmt.Sprintf("node_id=%s hour=%s: the evidence was changed after the period was closed", at.Node,
				at.Hour))
		}
		return nil
	}, pg.Tenant, hours.From, hours.To)
	return few(bad), err
}
