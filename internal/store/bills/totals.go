package bills

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/store/pg"
)

// stagedTotal is the sum of one group of staged charges.
type stagedTotal struct {
	charges int64 // rows
	lines   int64 // an aggregate counts as its lines
	ledger.Costs
}

// checkTotals compares every control total of a delivery with its staged charges, and every staged group with the
// control totals.
func (c *chargeStage) checkTotals(ctx context.Context, slot int, d *ledger.Delivery) error {
	s := c.slot(slot)
	rows := "next_rows where slot = $1"
	if s.number != 0 {
		rows = fmt.Sprintf("charge_rows_%d", s.number)
	}
	staged := map[totalKey]stagedTotal{}
	var charges, lines int64
	found, err := c.tx.Query(ctx, strings.ReplaceAll(pg.Statement("bill.stage_totals"), ":rows", rows), slot)
	if err == nil {
		var k totalKey
		var t stagedTotal
		_, err = pgx.ForEachRow(found, []any{&k.Account, &k.BillingPeriod, &k.Currency, &t.charges, &t.lines, &t.Effective,
			&t.Billed, &t.List, &t.Contracted}, func() error {
			staged[k] = t
			charges, lines = charges+t.charges, lines+t.lines
			t.Costs = ledger.Costs{}
			return nil
		})
	}
	if err != nil {
		return fmt.Errorf("bill.stage_totals: %w", err)
	}
	if charges != s.charges {
		return fmt.Errorf("delivery %s of %s: %d charges were sent but %d arrived", d.Partition, d.Export, s.charges, charges)
	}
	if lines != d.Rows {
		return fmt.Errorf("delivery %s of %s: %d rows were read but %d charges arrived", d.Partition, d.Export, d.Rows, lines)
	}
	if err := checkDelivery(d, staged); err != nil {
		return fmt.Errorf("delivery %s of %s: %w", d.Partition, d.Export, err)
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
		if sum.Cmp(t.SourceTotal) != 0 || got.lines != t.Charges {
			return fmt.Errorf("%s of account %s, %s, %s: the file's column adds up to %s over %d rows, its charges "+
				"to %s over %d",
				t.Metric, t.Account, t.BillingPeriod, t.Currency, t.SourceTotal, t.Charges, sum, got.lines)
		}
	}
	for k, got := range staged {
		for _, m := range ledger.Metrics {
			if got.Get(m) != nil && !totals[metricOf{k, m}] {
				return fmt.Errorf("%s of account %s, %s, %s has charges but no control total", m, k.Account, k.BillingPeriod,
					k.Currency)
			}
		}
	}
	return nil
}
