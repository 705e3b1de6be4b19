package bills

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// restate compares the lines of a delivery with those of the one it replaces, records the difference and returns it.
// Lines are paired by content id; the remaining ones by line-item type, account, resource, usage type and charge
// period, in the order of their ids.
func restate(
	ctx context.Context, tx pgx.Tx, delivery, replaced ledger.ID, fresh, old int,
) (*ingest.Restatement, error) {
	if _, err := pg.Exec(ctx, tx, "bill.create_changes"); err != nil {
		return nil, err
	}
	find := strings.NewReplacer(":fresh", rowsOf(fresh), ":old", rowsOf(old)).Replace(pg.Statement("bill.find_odd"))
	if _, err := tx.Exec(ctx, find); err != nil {
		return nil, fmt.Errorf("bill.find_odd: %w", err)
	}
	if _, err := pg.Exec(ctx, tx, "bill.analyze_odd"); err != nil {
		return nil, err
	}
	if _, err := pg.Exec(ctx, tx, "bill.find_changes", pg.Tenant, fresh, old); err != nil {
		return nil, err
	}
	r := &ingest.Restatement{Replaced: replaced, Deltas: []ingest.RestatementDelta{}}
	if _, err := pg.Exec(ctx, tx, "bill.put_restatement", pg.Tenant, delivery, replaced, pg.Now()); err != nil {
		return nil, err
	}
	if _, err := pg.Exec(ctx, tx, "bill.forget_deltas", pg.Tenant, delivery, replaced); err != nil {
		return nil, err
	}
	err := pg.Each(ctx, tx, "bill.sum_changes", func(d ingest.RestatementDelta) error {
		r.Deltas = append(r.Deltas, d)
		r.Added, r.Removed, r.Changed = r.Added+d.Added, r.Removed+d.Removed, r.Changed+d.Changed
		return nil
	}, pg.Tenant, delivery, replaced)
	if err != nil {
		return nil, err
	}
	_, err = pg.Exec(ctx, tx, "bill.count_restatement", pg.Tenant, delivery, replaced, r.Added, r.Removed, r.Changed)
	return r, err
}

// rowsOf is the SQL source of a delivery's rows. A separate table is read without conditions, so that its index alone
// suffices.
func rowsOf(number int) string {
	if number >= firstLarge {
		return fmt.Sprintf("charge_rows_%d", number)
	}
	return fmt.Sprintf("charge_rows_small where tenant_id = %d and delivery = %d", pg.Tenant, number)
}

// firstLarge is the first number of a delivery with a separate table.
const firstLarge = 1_000_000_000
