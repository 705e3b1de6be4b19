package book

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation/part"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// ReplaceParts replaces the stored parts of a delivery, records the fleet digest they were cut with, drops the parts of
// deliveries that are no longer current or no longer book, and marks every (node, day) whose parts changed. If a newer
// delivery repeats a part unchanged, the part moves to that delivery without a mark. Parts may arrive in any order;
// their hours are inside the charge periods of the delivery.
func (s *Book) ReplaceParts(ctx context.Context, delivery ledger.ID, fleetDigest string,
	parts iter.Seq2[*ledger.Part, error],
) error {
	months := pg.MonthsOf()
	reached, err := pg.Values[period.Second](ctx, s.Pool, "part.reached_months",
		pg.Tenant, delivery, int64(part.Longest), ledger.LinePrepaid)
	if err != nil {
		return fmt.Errorf("replace parts of delivery %s: %w", delivery, err)
	}
	for _, at := range reached {
		months.Add(at)
	}
	if err := s.EnsureMonths(ctx, "parts", months); err != nil {
		return err
	}
	return s.InTx(ctx, fmt.Sprintf("replace parts of delivery %s", delivery), func(tx pgx.Tx) error {
		if _, err := pg.Exec(ctx, tx, "part.create_touched"); err != nil {
			return err
		}
		if err := s.swapParts(ctx, tx, delivery, parts); err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "part.forget_superseded", pg.Tenant, delivery); err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "part.record_cut", pg.Tenant, delivery, fleetDigest); err != nil {
			return err
		}
		return pg.Mark(ctx, tx, "part.mark")
	})
}

// swapParts replaces the parts of the delivery, and of those that no longer count, with the given ones and fills
// touched_parts.
func (s *Book) swapParts(ctx context.Context, tx pgx.Tx, delivery ledger.ID,
	parts iter.Seq2[*ledger.Part, error],
) error {
	month, err := s.deliveryMonths(ctx, tx, delivery)
	if err != nil {
		return err
	}
	var replaced []ledger.ID
	stored := false
	err = pg.Each(ctx, tx, "part.replaced_deliveries", func(r struct {
		DeliveryID ledger.ID
		Stored     bool
	}) error {
		replaced, stored = append(replaced, r.DeliveryID), stored || r.Stored
		return nil
	}, pg.Tenant, delivery)
	if err != nil {
		return err
	}
	settled, concerned, err := settle(ctx, tx, delivery, replaced)
	if err != nil {
		return err
	}
	if !stored && !concerned { // no stored parts to compare with
		if err := copyParts(ctx, tx, "parts", delivery, month, parts); err != nil {
			return err
		}
		_, err = pg.Exec(ctx, tx, "part.touch_new", pg.Tenant, delivery)
		return err
	}
	if _, err := pg.Exec(ctx, tx, "part.create_stage"); err != nil {
		return err
	}
	if err := copyParts(ctx, tx, "next_parts", delivery, month, parts); err != nil {
		return err
	}
	if _, err := pg.Exec(ctx, tx, "part.analyze_stage"); err != nil {
		return err
	}
	if concerned {
		if err := adjust(ctx, tx, delivery, settled); err != nil {
			return err
		}
	}
	if _, err := pg.Exec(ctx, tx, "part.delete_changed", pg.Tenant, replaced, settled); err != nil {
		return err
	}
	if _, err := pg.Exec(ctx, tx, "part.take_over", pg.Tenant, delivery, replaced, settled); err != nil {
		return err
	}
	if concerned {
		if _, err := pg.Exec(ctx, tx, "part.take_over_final", pg.Tenant, delivery, settled); err != nil {
			return err
		}
	}
	_, err = pg.Exec(ctx, tx, "part.insert_changed", pg.Tenant)
	return err
}

// deliveryMonths returns a function from a charge to its billing period. A delivery with one period (the usual case)
// needs no look-up by charge.
func (s *Book) deliveryMonths(ctx context.Context, tx pgx.Tx, delivery ledger.ID) (func(ledger.ID) string, error) {
	months, err := pg.Values[string](ctx, tx, "part.months", pg.Tenant, delivery)
	if err != nil {
		return nil, err
	}
	if len(months) == 0 {
		return func(ledger.ID) string { return "" }, nil
	}
	if len(months) == 1 {
		return func(ledger.ID) string { return months[0] }, nil
	}
	// With several periods, nearly all lines belong to one.
	of, err := pg.Map[ledger.ID, string](ctx, tx, "part.charge_months", pg.Tenant, delivery, months[0])
	return func(id ledger.ID) string {
		if m, ok := of[id]; ok {
			return m
		}
		return months[0]
	}, err
}

func copyParts(ctx context.Context, tx pgx.Tx, into string, delivery ledger.ID, month func(ledger.ID) string,
	parts iter.Seq2[*ledger.Part, error],
) error {
	next, stop := iter.Pull2(parts)
	defer stop()
	_, err := pg.CopyRows(ctx, tx, partRow.Copy(into), func(r *pg.Row) (bool, error) {
		p, err, ok := next()
		if !ok || err != nil {
			return false, err
		}
		partRow.Begin(r)
		encodePart(r, p, delivery, month(p.ChargeID))
		r.Text(string(cmp.Or(p.PostingKind, ledger.Direct)))
		return true, nil
	})
	return err
}

// partRow is a part. Provisional parts are all direct, so no chunk digest covers the kind of posting.
var partRow = pg.Write("parts", func(r *pg.Row) { encodePart(r, &ledger.Part{}, ledger.ID{}, "") }, "posting_kind")

func encodePart(r *pg.Row, p *ledger.Part, delivery ledger.ID, month string) {
	r.Col("delivery_id").Ref(delivery)
	r.Col("billing_period").Name(month)
	r.Col("part_id").ID(p.ID)
	r.Col("charge_id").Ref(p.ChargeID)
	r.Col("rate_id").Ref(p.RateID)
	r.Col("number").Int4(p.Number)
	r.Col("kind").Text(string(p.Kind))
	r.Col("node_id").Ref(p.NodeID)
	r.Col("hour").At(p.Hour)
	r.Col("currency").Text(p.Currency)
	r.Costs(&p.Costs)
	r.Col("usage_seconds").Count(p.UsageSeconds)
	r.Col("method").Text(p.Method)
	r.Col("quality").Text(string(p.Quality))
	r.Col("owner_id").Ref(p.OwnerID)
	r.Col("billing_account").Name(p.BillingAccount)
}
