package posting

import (
	"context"
	"fmt"

	"gpuledger/allocation"
	"gpuledger/allocation/part"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// ownedStore reads days with the owners that parts would have under other owner rules.
type ownedStore struct {
	TrialStore
	owners map[ledger.ID]ledger.ID // by part
}

// Days implements AllocationStore.
func (o ownedStore) Days(
	ctx context.Context, n ledger.Node, days []period.Interval, margin period.Second,
) ([]allocation.DayInput, error) {
	list, err := o.TrialStore.Days(ctx, n, days, margin)
	for i := range list {
		for j := range list[i].Parts {
			p := &list[i].Parts[j]
			if owner, ok := o.owners[p.ID]; ok && !p.Final {
				p.OwnerID = owner
			}
		}
	}
	return list, err
}

// ownersOfParts cuts the whole book as an allocation under the run's policies would. It keeps the owners of parts
// that no usage receives, and the values of those owners by dimension.
func (r *run) ownersOfParts(
	ctx context.Context, s *scene,
) (owners map[ledger.ID]ledger.ID, labels map[ledger.ID]map[string]string, err error) {
	deliveries, err := r.Store.BookDeliveries(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("list deliveries: %w", err)
	}
	for i := range deliveries {
		deliveries[i].FleetDigest = "" // cut all deliveries again
	}
	owners, labels = map[ledger.ID]ledger.ID{}, map[ledger.ID]map[string]string{}
	book := newOwnerBook(nil, r.policies, r.findings)
	for _, b := range bills(deliveries, s) {
		cutter := part.New(b.fleet, book.share)
		book.use(cutter)
		if err := r.observe(ctx, b, cutter); err != nil {
			return nil, nil, err
		}
		for _, d := range b.stale {
			for ch, err := range r.Store.ScanCharges(ctx, d.ID) {
				if err != nil {
					return nil, nil, fmt.Errorf("read delivery %s: %w", d.ID, err)
				}
				parts, err := cutter.Cut(ch)
				if err != nil {
					return nil, nil, fmt.Errorf("cut delivery %s: %w", d.ID, err)
				}
				for i := range parts {
					if !parts[i].OwnerID.IsZero() {
						owners[parts[i].ID] = parts[i].OwnerID
					}
				}
			}
		}
	}
	for id, o := range book.owners {
		labels[id] = o.Labels
	}
	return owners, labels, nil
}
