package bills

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// Publish checks the staged charges against the control totals, decides about each delivery and commits. Publishing is
// serialised: if two processes have the same delivery, one publishes it and the other finds it unchanged.
func (c *chargeStage) Publish(ctx context.Context, deliveries []ledger.Delivery) ([]ingest.PublishedDelivery, error) {
	if c.done {
		return nil, errors.New("the stage has ended")
	}
	published, err := c.publish(ctx, deliveries)
	if err == nil {
		c.done = true
		return published, nil
	}
	if !c.again(err) {
		if !c.ended {
			c.ended = true
			c.out.Discard()
		}
		c.done = true
		pg.Rollback(ctx, c.tx)
	}
	return nil, fmt.Errorf("publish charges: %w", err)
}

// again reports whether the stage is intact after an error, for another Publish without the deliveries that the error
// refuses.
func (c *chargeStage) again(err error) bool {
	_, others := ingest.DeliveryErrors(err)
	return c.ended && !others && !c.tx.Conn().IsClosed()
}

// Look implements ingest.ChargeStage.
func (c *chargeStage) Look(look func(place string) ingest.Sight) { c.look = look }

// Drop excludes the staged rows of a slot from Publish.
func (c *chargeStage) Drop(slot int) {
	if slot < len(c.slots) {
		c.slots[slot].dropped = true
	}
}

// dropped reports whether Publish skips a slot.
func (c *chargeStage) dropped(slot int) bool { return c.slot(slot).dropped }

func (c *chargeStage) publish(ctx context.Context, deliveries []ledger.Delivery) ([]ingest.PublishedDelivery, error) {
	if len(c.slots) > len(deliveries) {
		return nil, fmt.Errorf("charges of delivery number %d were staged, of %d deliveries", len(c.slots), len(deliveries))
	}
	if err := c.sendAll(ctx); err != nil {
		return nil, err
	}
	var out []ingest.PublishedDelivery
	err := pgx.BeginFunc(ctx, c.tx, func(tx pgx.Tx) (err error) { // a savepoint
		out, err = c.placeAll(ctx, tx, deliveries)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, c.tx.Commit(ctx)
}

// sendAll ends the writing: all encoded rows are on the server.
func (c *chargeStage) sendAll(ctx context.Context) error {
	if c.ended {
		return nil
	}
	if err := c.flush(ctx); err != nil {
		return err
	}
	c.ended = true
	if err := c.out.Finish(); err != nil {
		return fmt.Errorf("stage: %w", err)
	}
	_, err := pg.Exec(ctx, c.tx, "bill.analyze_stage")
	return err
}

// placeAll decides about all deliveries that were not dropped.
func (c *chargeStage) placeAll(
	ctx context.Context, tx pgx.Tx, deliveries []ledger.Delivery,
) ([]ingest.PublishedDelivery, error) {
	for slot := range deliveries {
		if c.dropped(slot) {
			if err := c.forget(ctx, slot); err != nil {
				return nil, err
			}
			continue
		}
		if err := c.checkTotals(ctx, slot, &deliveries[slot]); err != nil {
			return nil, err
		}
	}
	if _, err := pg.Exec(ctx, tx, "import.lock", pg.Tenant, "deliveries"); err != nil {
		return nil, err
	}
	out := make([]ingest.PublishedDelivery, len(deliveries))
	changed := false
	for slot := range deliveries {
		if c.dropped(slot) {
			continue
		}
		moved, err := c.place(ctx, slot, &deliveries[slot], &out[slot])
		if err != nil {
			return nil, err
		}
		changed = changed || moved
	}
	if err := c.keepBooks(ctx, tx, deliveries, out); err != nil || !changed {
		return out, err
	}
	if err := c.assignRoles(ctx, tx, deliveries); err != nil {
		return nil, err
	}
	return out, saveCoverage(ctx, tx)
}

// flush sends all encoded rows.
func (c *chargeStage) flush(ctx context.Context) error {
	for slot, s := range c.slots {
		s.flushInstances(&c.outlets[outInstances].Row, slot)
		if len(s.rows.Buf) > 0 {
			if err := c.send(ctx, &s.rows); err != nil {
				return err
			}
		}
	}
	for i := range c.outlets {
		if len(c.outlets[i].Buf) > 0 {
			if err := c.send(ctx, &c.outlets[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// slot returns the staged rows of a delivery; empty for a delivery without lines.
func (c *chargeStage) slot(slot int) *stagedSlot {
	if slot < len(c.slots) {
		return c.slots[slot]
	}
	return &stagedSlot{}
}

// saveCoverage recomputes until when accounts are covered. It marks the hours over which that moved, and the hours
// without a bill: if the price book has no price for them, the bill's last rates price them.
func saveCoverage(ctx context.Context, tx pgx.Tx) error {
	if err := moveCoverage(ctx, tx); err != nil {
		return err
	}
	if err := pg.MarkTouched(ctx, tx); err != nil {
		return err
	}
	return pg.Mark(ctx, tx, "dirty.mark_unbilled")
}

// CoverClosed recomputes until when accounts are covered after periods were closed or reopened, and marks the node-days
// that lose or regain provisional cost (rule 8.13). The caller holds the lock of deliveries.
func CoverClosed(ctx context.Context, tx pgx.Tx) error {
	if err := moveCoverage(ctx, tx); err != nil {
		return err
	}
	return pg.Mark(ctx, tx, "dirty.mark_closed")
}

// moveCoverage recomputes table coverage and puts the hours over which it moved into touched.
func moveCoverage(ctx context.Context, tx pgx.Tx) error {
	for _, name := range []string{"dirty.create_touched", "bill.create_coverage"} {
		if _, err := pg.Exec(ctx, tx, name); err != nil {
			return err
		}
	}
	steps := []string{"bill.compute_coverage", "bill.touch_coverage", "bill.delete_coverage", "bill.save_coverage"}
	for _, name := range steps {
		if _, err := pg.Exec(ctx, tx, name, pg.Tenant); err != nil {
			return err
		}
	}
	return nil
}
