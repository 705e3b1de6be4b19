package ingest

import (
	"context"
	"fmt"

	"gpuledger/ingest/publicprices"
	"gpuledger/internal/blob"
	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
)

// publicPrices imports lists of public prices. A refused file does not affect the others.
func (r *run) publicPrices(ctx context.Context) error {
	r.phase("read")
	var prices []catalog.Price
	for _, f := range r.files {
		var found []catalog.Price
		var read ledger.Reading
		err := r.open(f.File, func(in *blob.Reader) (err error) {
			found, read, err = publicprices.Parse(ctx, in, f.Name)
			return err
		})
		r.rec.RowsRead += read.Rows
		r.tally.Merge(&read.Tally)
		if err != nil {
			r.tally.Ignore("in a refused file", read.Accepted)
			if err = r.refuse(f.Name, err); err != nil {
				return err
			}
			continue
		}
		r.rec.Accepted += read.Accepted
		prices = append(prices, found...)
		r.fileDone(f.File)
	}
	if err := r.nothing(); err != nil {
		return err
	}
	r.phase(phasePublish)
	changed, err := r.im.Store.PublishPublicPrices(ctx, r.rec.ID, prices)
	if err != nil {
		return fmt.Errorf("publish public prices: %w", err)
	}
	if r.rec.State = ImportPublished; changed == 0 {
		r.rec.State = ImportUnchanged
	}
	return nil
}
