package store

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// ReplaceParts swaps the stored parts of a delivery, records the fleet digest
// they were cut with, drops the parts of deliveries that are not current or
// not book any more, and marks every (node, day) whose parts changed. A part
// that a newer delivery brings again unchanged changes hands and marks nothing.
// Parts may arrive in any order; their hours lie inside the charge periods of
// the delivery.
func (s *Store) ReplaceParts(ctx context.Context, delivery ledger.ID, fleetDigest string, parts iter.Seq2[*ledger.Part, error]) error {
	var span period.Interval
	if err := s.pool.QueryRow(ctx, statement("part.extent"), tenant, delivery).Scan(&span.From, &span.To); err != nil {
		return fmt.Errorf("replace parts of delivery %s: %w", delivery, err)
	}
	if span.From != 0 {
		// A billing month's charges may end at the next month's first hour.
		if err := s.ensureMonths(ctx, "parts", span.From, span.To); err != nil {
			return err
		}
	}
	return s.inTx(ctx, fmt.Sprintf("replace parts of delivery %s", delivery), func(tx pgx.Tx) error {
		if _, err := exec(ctx, tx, "part.create_touched"); err != nil {
			return err
		}
		if err := s.swapParts(ctx, tx, delivery, parts); err != nil {
			return err
		}
		if _, err := exec(ctx, tx, "part.forget_superseded", tenant, delivery); err != nil {
			return err
		}
		if _, err := exec(ctx, tx, "part.record_cut", tenant, delivery, fleetDigest); err != nil {
			return err
		}
		if _, err := exec(ctx, tx, "dirty.lock_marks", tenant); err != nil {
			return err
		}
		_, err := exec(ctx, tx, "part.mark", tenant)
		return err
	})
}

// swapParts replaces the parts of the delivery and of those that do not count
// any more by the given ones, and fills touched_parts.
func (s *Store) swapParts(ctx context.Context, tx pgx.Tx, delivery ledger.ID, parts iter.Seq2[*ledger.Part, error]) error {
	month, err := s.deliveryMonths(ctx, tx, delivery)
	if err != nil {
		return err
	}
	var replaced []ledger.ID
	stored := false
	err = query(ctx, tx, "part.replaced_deliveries", func(rows pgx.Rows) error {
		var id ledger.ID
		var any bool
		err := rows.Scan(&id, &any)
		replaced, stored = append(replaced, id), stored || any
		return err
	}, tenant, delivery)
	if err != nil {
		return err
	}
	settled, concerned, err := settle(ctx, tx, delivery, replaced)
	if err != nil {
		return err
	}
	if !stored && !concerned { // nothing to compare with
		if err := copyParts(ctx, tx, "part.copy", delivery, month, parts); err != nil {
			return err
		}
		_, err = exec(ctx, tx, "part.touch_new", tenant, delivery)
		return err
	}
	if _, err := exec(ctx, tx, "part.create_stage"); err != nil {
		return err
	}
	if err := copyParts(ctx, tx, "part.copy_stage", delivery, month, parts); err != nil {
		return err
	}
	if _, err := exec(ctx, tx, "part.analyze_stage"); err != nil {
		return err
	}
	if concerned {
		if err := adjust(ctx, tx, delivery, settled); err != nil {
			return err
		}
	}
	if _, err := exec(ctx, tx, "part.delete_changed", tenant, replaced, settled); err != nil {
		return err
	}
	if _, err := exec(ctx, tx, "part.take_over", tenant, delivery, replaced, settled); err != nil {
		return err
	}
	if concerned {
		if _, err := exec(ctx, tx, "part.take_over_final", tenant, delivery, settled); err != nil {
			return err
		}
	}
	_, err = exec(ctx, tx, "part.insert_changed", tenant)
	return err
}

// deliveryMonths returns how to find a charge's billing period: a delivery of
// one period (the usual case) needs no look-up by charge.
func (s *Store) deliveryMonths(ctx context.Context, tx pgx.Tx, delivery ledger.ID) (func(ledger.ID) string, error) {
	var months []string
	err := query(ctx, tx, "part.months", func(rows pgx.Rows) error {
		var m string
		err := rows.Scan(&m)
		months = append(months, m)
		return err
	}, tenant, delivery)
	if err != nil {
		return nil, err
	}
	if len(months) == 0 {
		return func(ledger.ID) string { return "" }, nil
	}
	if len(months) == 1 {
		return func(ledger.ID) string { return months[0] }, nil
	}
	// Of several periods nearly all lines belong to one.
	of := map[ledger.ID]string{}
	err = query(ctx, tx, "part.charge_months", func(rows pgx.Rows) error {
		var id ledger.ID
		var m string
		err := rows.Scan(&id, &m)
		of[id] = m
		return err
	}, tenant, delivery, months[0])
	return func(id ledger.ID) string {
		if m, ok := of[id]; ok {
			return m
		}
		return months[0]
	}, err
}

func copyParts(ctx context.Context, tx pgx.Tx, name string, delivery ledger.ID, month func(ledger.ID) string, parts iter.Seq2[*ledger.Part, error]) error {
	next, stop := iter.Pull2(parts)
	defer stop()
	_, err := copyRows(ctx, tx, statement(name), func(r *row) (bool, error) {
		p, err, ok := next()
		if !ok || err != nil {
			return false, err
		}
		r.begin(partFields + 1)
		encodePart(r, p, delivery, month(p.ChargeID))
		r.text(string(cmp.Or(p.PostingKind, ledger.Direct)))
		return true, nil
	})
	return err
}

// partFields is how many columns encodePart fills: those of every part. What
// amortises says so in one more.
const partFields = 20

func encodePart(r *row, p *ledger.Part, delivery ledger.ID, month string) {
	r.int4(tenant)
	r.ref(delivery)
	r.name(month)
	r.id(p.ID)
	r.ref(p.ChargeID)
	r.ref(p.RateID)
	r.int4(p.Number)
	r.text(string(p.Kind))
	r.ref(p.NodeID)
	r.at(p.Hour)
	r.text(p.Currency)
	r.costs(&p.Costs)
	if p.UsageSeconds == nil {
		r.null()
	} else {
		r.int8(*p.UsageSeconds)
	}
	r.text(p.Method)
	r.text(string(p.Quality))
	r.ref(p.OwnerID)
	r.name(p.BillingAccount)
}
