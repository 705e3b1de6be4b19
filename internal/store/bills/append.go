package bills

import (
	"context"
	"fmt"
	"slices"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// Appended lists the current deliveries with the key of like.
func (s *Bills) Appended(ctx context.Context, like ledger.Delivery) ([]ingest.AppendedDelivery, error) {
	return appended(ctx, s.Pool, &like)
}

func appended(ctx context.Context, q pg.Querier, d *ledger.Delivery) (list []ingest.AppendedDelivery, err error) {
	err = pg.Each(ctx, q, "bill.appended", func(a struct {
		ingest.AppendedDelivery
		Paths []string
		Sums  [][]byte
	}) error {
		for i, path := range a.Paths {
			a.Places = append(a.Places, ledger.DeliveryPlace{Path: path})
			copy(a.Places[i].SHA256[:], a.Sums[i])
		}
		if a.Rows == nil {
			return fmt.Errorf("the rows of delivery %s of %s are unknown, because an older gpuledger imported it: "+
				"import that export into an empty database", a.ID, d.Partition)
		}
		list = append(list, a.AppendedDelivery)
		return nil
	}, pg.Tenant, d.Source, d.Export, d.Scope, d.Dataset, d.Partition)
	return list, err
}

// placeAppended stores a delivery of an append-only export in addition to the others of its partition: it has only rows
// that they lack. If other deliveries were stored since it was planned, it must be planned again.
func (c *chargeStage) placeAppended(
	ctx context.Context, slot int, d *ledger.Delivery, out *ingest.PublishedDelivery,
) (moved bool, err error) {
	list, err := appended(ctx, c.tx, d)
	if err != nil {
		return false, err
	}
	beside := slices.Clone(d.Beside)
	for _, a := range list {
		i := slices.Index(beside, a.ID)
		if i < 0 {
			return false, ingest.ErrAnotherAppended
		}
		beside = slices.Delete(beside, i, i+1)
	}
	if len(beside) > 0 {
		return false, ingest.ErrAnotherAppended
	}
	for _, id := range d.Replaces {
		if _, err := pg.Exec(ctx, c.tx, "bill.supersede", pg.Tenant, id, d.ID); err != nil {
			return false, err
		}
	}
	out.State = ingest.DeliveryPublished
	if _, err := c.keep(ctx, slot, d, "current"); err != nil {
		return false, err
	}
	_, err = pg.Exec(ctx, c.tx, "bill.put_appended", pg.Tenant, d.ID, d.Appended)
	return true, err
}
