package jobs

import (
	"context"
	"fmt"
	"iter"
	"math"

	"gpuledger/allocation/part"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// recut cuts the deliveries of the book whose parts no longer fit the fleet.
func (r *run) recut(ctx context.Context, s *scene) error {
	deliveries, err := r.Store.BookDeliveries(ctx)
	if err != nil {
		return fmt.Errorf("list deliveries: %w", err)
	}
	r.sum.Deliveries = len(deliveries)
	book := newOwnerBook(nil, r.findings)
	for _, d := range deliveries {
		fleet := s.fleetOf(d)
		if fleet.Current(d.FleetDigest) {
			continue
		}
		if err := r.cut(ctx, d, fleet, book); err != nil {
			return fmt.Errorf("cut delivery %s of %s: %w", d.ID, d.BillingPeriod, err)
		}
		r.sum.Recut++
	}
	return nil
}

// fleetOf returns the fleet as far as it can matter for a delivery: lives and
// instances that begin after its billing period cannot.
func (s *scene) fleetOf(d BookDelivery) *part.Fleet {
	until := period.Second(math.MaxInt64)
	if month, err := d.BillingPeriod.Interval(); err == nil { // other partitions have no end that is known
		until = month.To + period.Day
	}
	return part.NewFleet(s.derived.Nodes, until, func(n *ledger.Node) bool {
		from, billed := s.billedFrom[n.InstanceID]
		return billed && from < until
	})
}

// cut makes the parts of one delivery in two passes over its charges.
func (r *run) cut(ctx context.Context, d BookDelivery, fleet *part.Fleet, book *ownerBook) error {
	cutter := part.New(fleet, book.share)
	for ch, err := range r.Store.ScanCharges(ctx, d.ID) {
		if err != nil {
			return err
		}
		cutter.Observe(ch)
		r.sum.Charges++
	}
	// Owners first: a part never points to an owner that is not there.
	if err := r.Store.SaveOwners(ctx, book.take()); err != nil {
		return fmt.Errorf("save owners of billing tags: %w", err)
	}
	return r.Store.ReplaceParts(ctx, d.ID, cutter.Digest(), r.partsOf(ctx, d.ID, cutter))
}

func (r *run) partsOf(ctx context.Context, delivery ledger.ID, cutter *part.Cutter) iter.Seq2[*ledger.Part, error] {
	return func(yield func(*ledger.Part, error) bool) {
		for ch, err := range r.Store.ScanCharges(ctx, delivery) {
			if err != nil {
				yield(nil, err)
				return
			}
			parts, err := cutter.Cut(ch)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range parts {
				r.sum.Parts++
				if !yield(&parts[i], nil) {
					return
				}
			}
		}
	}
}
