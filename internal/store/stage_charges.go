package store

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// chargeStage is one open transaction with temporary tables of charges.
type chargeStage struct {
	store    *Store
	tx       pgx.Tx
	importID ledger.ID
	tagSets  map[ledger.ID]bool // staged already
	done     bool
}

// StageCharges opens a transaction with empty staging tables for charges. It
// holds a connection until Publish or Discard.
func (s *Store) StageCharges(ctx context.Context, importID ledger.ID) (ingest.ChargeStage, error) {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return nil, fmt.Errorf("stage charges: %w", err)
	}
	if _, err := exec(ctx, tx, "bill.create_stage"); err != nil {
		rollback(ctx, tx)
		return nil, fmt.Errorf("stage charges: %w", err)
	}
	return &chargeStage{store: s, tx: tx, importID: importID, tagSets: map[ledger.ID]bool{}}, nil
}

// rollback ends a transaction whose outcome is decided: when it cannot be told
// the server, the connection is dropped, which rolls back as well.
func rollback(ctx context.Context, tx pgx.Tx) { _ = tx.Rollback(context.WithoutCancel(ctx)) }

// Write stages charges of the delivery that will be deliveries[slot] of Publish.
func (c *chargeStage) Write(ctx context.Context, slot int, charges []ledger.Charge) error {
	sets := make([]ledger.ID, len(charges))
	var fresh []int
	for i := range charges {
		if len(charges[i].Tags) == 0 {
			continue
		}
		sets[i] = tagSetID(charges[i].Tags)
		if !c.tagSets[sets[i]] {
			c.tagSets[sets[i]] = true
			fresh = append(fresh, i)
		}
	}
	if _, err := copySlice(ctx, c.tx, statement("bill.copy_tag_sets"), fresh, func(r *row, i *int) error {
		r.begin(3)
		r.int4(tenant)
		r.id(sets[*i])
		return r.object(cleanMap(charges[*i].Tags))
	}); err != nil {
		return fmt.Errorf("stage tags: %w", err)
	}
	i := -1
	_, err := copySlice(ctx, c.tx, statement("bill.copy_charges"), charges, func(r *row, v *ledger.Charge) error {
		i++
		return encodeCharge(r, v, slot, sets[i])
	})
	if err != nil {
		return fmt.Errorf("stage charges: %w", err)
	}
	return nil
}

// Discard rolls back; after Publish it does nothing.
func (c *chargeStage) Discard(ctx context.Context) error {
	if !c.done {
		c.done = true
		rollback(ctx, c.tx)
	}
	return nil
}

// tagSetID identifies a tag set by its content.
func tagSetID(tags map[string]string) ledger.ID {
	parts := make([]string, 0, 2*len(tags))
	for _, k := range slices.Sorted(maps.Keys(tags)) {
		parts = append(parts, k, tags[k])
	}
	return ledger.NewID("tags", parts...)
}

func encodeCharge(r *row, c *ledger.Charge, slot int, tags ledger.ID) error {
	month, err := c.BillingPeriod.Interval()
	if err != nil {
		return fmt.Errorf("%s line %d: %w", c.SourceFile, c.Line, err)
	}
	r.begin(36)
	r.int4(tenant)
	r.int4(slot)
	r.id(c.ID)
	r.at(month.From)
	r.text(string(c.BillingPeriod))
	r.text(c.SourceFile)
	r.int8(c.Line)
	r.text(c.Provider)
	r.text(c.BillingAccount)
	r.text(c.Account)
	r.text(string(c.Kind))
	r.text(string(c.Category))
	for _, text := range [...]string{c.Class, c.ServiceName, c.ServiceCode, c.ResourceID, c.Description, c.UsageType, c.Operation,
		c.LineItemType, c.Region, c.Zone, c.InstanceType, string(c.PriceClass), c.CommitmentID} {
		r.name(cleanText(text))
	}
	r.bool(c.InstanceHours)
	r.measure(c.UsageAmount)
	r.name(c.UsageUnit)
	r.at(c.Period.From)
	r.at(c.Period.To)
	r.text(c.Currency)
	r.costs(&c.Costs)
	r.ref(tags)
	return nil
}

// monthsOfStage makes the partitions that the staged charges go to.
func (c *chargeStage) monthsOfStage(ctx context.Context) error {
	var months []period.Second
	err := query(ctx, c.tx, "bill.stage_months", func(rows pgx.Rows) error {
		var at period.Second
		err := rows.Scan(&at)
		months = append(months, at)
		return err
	}, tenant)
	for _, at := range months {
		if err == nil {
			err = c.store.ensureMonths(ctx, "charges", at, at)
		}
	}
	return err
}
