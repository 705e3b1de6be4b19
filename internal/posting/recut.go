package posting

import (
	"context"
	"fmt"
	"iter"

	"gpuledger/allocation/part"
	"gpuledger/internal/ledger"
)

// recut cuts the deliveries of the book whose parts no longer fit the fleet or the other deliveries of their bill.
// Deliveries that depend on each other are read together, once.
func (r *run) recut(ctx context.Context, s *scene) error {
	deliveries, err := r.Store.BookDeliveries(ctx)
	if err != nil {
		return fmt.Errorf("list deliveries: %w", err)
	}
	r.sum.Deliveries = len(deliveries)
	book := newOwnerBook(nil, r.policies, r.findings)
	for _, b := range bills(deliveries, s) {
		if err := r.cut(ctx, s, b, book); err != nil {
			return err
		}
	}
	return nil
}

// cut creates the parts of a bill's stale deliveries in two passes over charges; the first also covers the charges
// that they may depend on.
func (r *run) cut(ctx context.Context, s *scene, b bill, book *ownerBook) error {
	cutter := part.New(b.fleet, book.share)
	book.use(cutter)
	if err := r.observe(ctx, b, cutter); err != nil {
		return err
	}
	// Owners first, so that a part never points to a missing owner.
	if err := r.Store.SaveOwners(ctx, book.take()); err != nil {
		return fmt.Errorf("save owners of billing tags: %w", err)
	}
	for _, d := range b.stale {
		digest, err := cutter.Digest(d.ID, d.others)
		if err == nil {
			err = r.Store.ReplaceParts(ctx, d.ID, digest, r.partsOf(ctx, d.ID, cutter))
		}
		if err != nil {
			return fmt.Errorf("cut delivery %s of %s: %w", d.ID, d.BillingPeriod, err)
		}
		r.sum.Recut++
	}
	return nil
}

// observe shows a cutter every charge that the bill depends on.
func (r *run) observe(ctx context.Context, b bill, cutter *part.Cutter) error {
	for _, d := range b.read {
		cutter.Delivery(d.ID)
		for ch, err := range r.Store.ScanCharges(ctx, d.ID) {
			if err != nil {
				return fmt.Errorf("cut delivery %s of %s: %w", d.ID, d.BillingPeriod, err)
			}
			if b.months == nil || b.months[ch.BillingPeriod] {
				cutter.Observe(ch)
			}
		}
	}
	return nil
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
			r.sum.Charges++
			for i := range parts {
				r.sum.Parts++
				if !yield(&parts[i], nil) {
					return
				}
			}
		}
	}
}
