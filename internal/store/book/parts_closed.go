package book

import (
	"context"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// settle lists the deliveries whose final parts the cut of delivery decides about: those of the same export and
// partition, and those whose partition has no current delivery that is book. concerned reports whether closed periods
// have lines of delivery or of the replaced ones.
func settle(
	ctx context.Context, tx pgx.Tx, delivery ledger.ID, replaced []ledger.ID,
) (settled []ledger.ID, concerned bool, err error) {
	if concerned, err = pg.Value[bool](ctx, tx, "part.closed_concern", pg.Tenant, delivery, replaced); err != nil {
		return nil, false, err
	}
	settled, err = pg.Values[ledger.ID](ctx, tx, "part.settled_deliveries", pg.Tenant, delivery)
	return append([]ledger.ID{}, settled...), concerned, err
}

// adjust applies rule 13.5 to the staged parts of charges of closed periods: unchanged lines keep their final parts,
// removed and changed lines are reversed, and new ones are posted in the open period.
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
