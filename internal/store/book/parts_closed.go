package book

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// settle lists the deliveries whose final parts the cut of one decides about:
// those of the same export and partition, and those of which no current one is
// the book any more. concerned reports whether closed periods have anything to
// do with them or with the deliveries that are replaced.
func settle(ctx context.Context, tx pgx.Tx, delivery ledger.ID, replaced []ledger.ID) (settled []ledger.ID, concerned bool, err error) {
	settled = []ledger.ID{}
	if err := tx.QueryRow(ctx, pg.Statement("part.closed_concern"), pg.Tenant, delivery, replaced).Scan(&concerned); err != nil {
		return nil, false, fmt.Errorf("part.closed_concern: %w", err)
	}
	err = pg.Query(ctx, tx, "part.settled_deliveries", func(rows pgx.Rows) error {
		var id ledger.ID
		err := rows.Scan(&id)
		settled = append(settled, id)
		return err
	}, pg.Tenant, delivery)
	return settled, concerned, err
}

// adjust turns the staged parts of charges of closed periods into what rule 13.5
// makes of them: lines that did not change keep their final parts, those that
// are gone or changed are reversed, new ones are posted in the open period.
func adjust(ctx context.Context, tx pgx.Tx, delivery ledger.ID, settled []ledger.ID) error {
	for _, step := range []struct {
		name string
		args []any
	}{
		{"adjust.create_charges", nil},
		{"adjust.find_charges", []any{pg.Tenant, settled}},
		{"adjust.analyze", nil},
		{"adjust.keep_frozen", nil},
		{"adjust.post_fresh", nil},
		{"adjust.reverse", []any{pg.Tenant, settled}},
		{"adjust.pair_lines", []any{pg.Tenant, delivery}},
		{"adjust.pair_parts", []any{pg.Tenant, settled}},
	} {
		if _, err := pg.Exec(ctx, tx, step.name, step.args...); err != nil {
			return err
		}
	}
	return nil
}
