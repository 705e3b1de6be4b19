package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Publish checks the staged charges against the control totals, decides about
// each delivery and commits. Publishing is serialised, so that of two
// processes with the same delivery one publishes and the other finds it
// unchanged. An older delivery is recorded without its charges.
func (c *chargeStage) Publish(ctx context.Context, deliveries []ledger.Delivery) ([]ingest.PublishedDelivery, error) {
	if c.done {
		return nil, errors.New("the stage has ended")
	}
	c.done = true
	published, err := c.publish(ctx, deliveries)
	if err != nil {
		rollback(ctx, c.tx)
		return nil, fmt.Errorf("publish charges: %w", err)
	}
	return published, nil
}

func (c *chargeStage) publish(ctx context.Context, deliveries []ledger.Delivery) ([]ingest.PublishedDelivery, error) {
	if err := c.monthsOfStage(ctx); err != nil {
		return nil, err
	}
	if _, err := exec(ctx, c.tx, "bill.analyze_stage"); err != nil {
		return nil, err
	}
	if err := checkTotals(ctx, c.tx, deliveries); err != nil {
		return nil, err
	}
	if _, err := exec(ctx, c.tx, "import.lock", tenant, "deliveries"); err != nil {
		return nil, err
	}
	if _, err := exec(ctx, c.tx, "bill.insert_tag_sets", tenant); err != nil {
		return nil, err
	}
	var out []ingest.PublishedDelivery
	changed := false
	for slot := range deliveries {
		state, err := c.place(ctx, slot, &deliveries[slot])
		if err != nil {
			return nil, err
		}
		changed = changed || state == ingest.DeliveryPublished
		out = append(out, ingest.PublishedDelivery{
			DeliveryID: deliveries[slot].ID, Partition: deliveries[slot].Partition, State: state, Rows: deliveries[slot].Rows,
		})
	}
	if changed {
		if err := assignRoles(ctx, c.tx); err != nil {
			return nil, err
		}
		if err := saveCoverage(ctx, c.tx); err != nil {
			return nil, err
		}
	}
	return out, c.tx.Commit(ctx)
}

// place decides about one delivery and stores it.
func (c *chargeStage) place(ctx context.Context, slot int, d *ledger.Delivery) (ingest.DeliveryState, error) {
	var id ledger.ID
	var digest []byte
	var at *period.Second
	err := c.tx.QueryRow(ctx, statement("bill.current"), tenant, d.Source, d.Export, d.Scope, d.Dataset, d.Partition).Scan(&id, &digest, &at)
	switch {
	case errors.Is(err, pgx.ErrNoRows): // the first of its key
	case err != nil:
		return "", fmt.Errorf("bill.current: %w", err)
	case bytes.Equal(digest, d.Digest[:]):
		if d.DeliveredAt != nil {
			// The same rows, delivered later: an older delivery in between must
			// not win, whenever it is loaded.
			if _, err := exec(ctx, c.tx, "bill.confirm", tenant, id, *d.DeliveredAt); err != nil {
				return "", err
			}
		}
		return ingest.DeliveryUnchanged, nil
	case d.DeliveredAt == nil || at == nil || *d.DeliveredAt == *at:
		return "", fmt.Errorf("delivery %s of %s %s %s has other rows than the one that is stored, and nothing says which is newer: give --delivered-at",
			d.Partition, d.Source, d.Export, d.Dataset)
	case *d.DeliveredAt < *at:
		return ingest.DeliveryOlder, c.put(ctx, d, "older")
	default:
		if _, err := exec(ctx, c.tx, "bill.supersede", tenant, id, d.ID); err != nil {
			return "", err
		}
	}
	if err := c.put(ctx, d, "current"); err != nil {
		return "", err
	}
	for _, name := range []string{"bill.insert_charges", "bill.put_coverage"} {
		if _, err := exec(ctx, c.tx, name, tenant, slot, d.ID); err != nil {
			return "", err
		}
	}
	return ingest.DeliveryPublished, nil
}

// put writes a delivery with its files and control totals.
func (c *chargeStage) put(ctx context.Context, d *ledger.Delivery, state string) error {
	batch := &pgx.Batch{}
	columns := d.Columns
	if columns == nil {
		columns = []string{}
	}
	batch.Queue(statement("bill.put_delivery"), tenant, d.ID, c.importID, d.Source, d.Export, d.Scope, d.Dataset, d.Partition,
		d.Kind, d.Rank, d.DeliveredAt, d.ExecutionID, d.Digest[:], d.Rows, columns, state, now())
	for i := range d.Files {
		f := &d.Files[i]
		batch.Queue(statement("bill.put_file"), tenant, d.ID, cleanText(f.Name), f.SHA256[:], f.Bytes, f.Rows)
	}
	for i := range d.Totals {
		t := &d.Totals[i]
		batch.Queue(statement("bill.put_total"), tenant, d.ID, t.Account, t.BillingPeriod, t.Currency, t.Metric, t.SourceTotal, t.Charges)
	}
	if err := c.tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("record delivery %s: %w", d.Partition, err)
	}
	return nil
}

// stagedTotal is what the staged charges of one group add up to.
type stagedTotal struct {
	charges int64
	ledger.Costs
}

// checkTotals compares every control total with the staged charges, and every
// staged group with the control totals.
func checkTotals(ctx context.Context, tx pgx.Tx, deliveries []ledger.Delivery) error {
	staged := make([]map[totalKey]stagedTotal, len(deliveries))
	rowsOf := make([]int64, len(deliveries))
	for i := range staged {
		staged[i] = map[totalKey]stagedTotal{}
	}
	err := query(ctx, tx, "bill.stage_totals", func(rows pgx.Rows) error {
		var slot int
		var k totalKey
		var t stagedTotal
		if err := rows.Scan(&slot, &k.account, &k.month, &k.currency, &t.charges, &t.Effective, &t.Billed, &t.List, &t.Contracted); err != nil {
			return err
		}
		if slot >= len(deliveries) {
			return fmt.Errorf("charges of delivery number %d were staged, of %d deliveries", slot+1, len(deliveries))
		}
		staged[slot][k] = t
		rowsOf[slot] += t.charges
		return nil
	}, tenant)
	if err != nil {
		return err
	}
	for slot := range deliveries {
		d := &deliveries[slot]
		if rowsOf[slot] != d.Rows {
			return fmt.Errorf("delivery %s of %s: %d rows were read but %d charges arrived", d.Partition, d.Export, d.Rows, rowsOf[slot])
		}
		if err := checkDelivery(d, staged[slot]); err != nil {
			return fmt.Errorf("delivery %s of %s: %w", d.Partition, d.Export, err)
		}
	}
	return nil
}

func checkDelivery(d *ledger.Delivery, staged map[totalKey]stagedTotal) error {
	type metricOf struct {
		totalKey
		metric ledger.Metric
	}
	totals := map[metricOf]bool{}
	for i := range d.Totals {
		t := &d.Totals[i]
		k := totalKey{t.Account, t.BillingPeriod, t.Currency}
		totals[metricOf{k, t.Metric}] = true
		got := staged[k]
		sum := money.Amount{}
		if m := got.Get(t.Metric); m != nil {
			sum = *m
		}
		if sum.Cmp(t.SourceTotal) != 0 || got.charges != t.Charges {
			return fmt.Errorf("%s of account %s, %s, %s: the file's column adds up to %s over %d rows, its charges to %s over %d",
				t.Metric, t.Account, t.BillingPeriod, t.Currency, t.SourceTotal, t.Charges, sum, got.charges)
		}
	}
	for k, got := range staged {
		for _, m := range ledger.Metrics {
			if got.Get(m) != nil && !totals[metricOf{k, m}] {
				return fmt.Errorf("%s of account %s, %s, %s has charges but no control total", m, k.account, k.month, k.currency)
			}
		}
	}
	return nil
}

// assignRoles makes, per (account, billing period, metric), the export of the
// highest rank the book and the others evidence. It is a function of the set
// of current deliveries, whatever order they came in.
func assignRoles(ctx context.Context, tx pgx.Tx) error {
	err := query(ctx, tx, "bill.equal_rank", func(rows pgx.Rows) error {
		var account, month, metric, one, other string
		var rank int
		if err := rows.Scan(&account, &month, &metric, &one, &other, &rank); err != nil {
			return err
		}
		return fmt.Errorf("%s of account %s in %s comes from two exports of equal rank: %q and %q; only one can be the book: configure which",
			metric, account, month, one, other)
	}, tenant)
	if err != nil {
		return err
	}
	_, err = exec(ctx, tx, "bill.assign_roles", tenant)
	return err
}

// saveCoverage recomputes until when accounts have a bill and marks the hours
// over which that moved, and those without a bill: the bill's last rates price
// them where the price book is silent.
func saveCoverage(ctx context.Context, tx pgx.Tx) error {
	for _, name := range []string{"dirty.create_touched", "bill.create_coverage"} {
		if _, err := exec(ctx, tx, name); err != nil {
			return err
		}
	}
	for _, name := range []string{"bill.compute_coverage", "bill.touch_coverage", "bill.delete_coverage", "bill.save_coverage"} {
		if _, err := exec(ctx, tx, name, tenant); err != nil {
			return err
		}
	}
	if err := markTouched(ctx, tx); err != nil {
		return err
	}
	_, err := exec(ctx, tx, "dirty.mark_unbilled", tenant)
	return err
}
