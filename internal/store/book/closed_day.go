package book

import (
	"context"
	"fmt"
	"math"
	"math/big"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// closedDays reads what closed periods have made final on the given days: usage rows, and postings of parts that others
// reverse or replace.
func (s *Book) closedDays(ctx context.Context, n *ledger.Node, list []allocation.DayInput) error {
	batch := &pgx.Batch{}
	for i := range list {
		in := &list[i]
		final := false
		var wanted []ledger.ID
		for k := range in.Parts {
			p := &in.Parts[k]
			final = final || p.Final
			for _, id := range []ledger.ID{p.Reverses, p.Replaces} {
				if !id.IsZero() {
					wanted = append(wanted, id)
				}
			}
		}
		if final && n != nil {
			batch.Queue(pg.Statement("day.final_usage"), pg.Tenant, n.ID, in.Day.From,
				in.Day.To).Query(pg.Collect(&in.Frozen, scanUsage))
		}
		if len(wanted) > 0 {
			in.Finals = map[ledger.ID][]ledger.Posting{}
			batch.Queue(pg.Statement("day.final_postings"), pg.Tenant, in.Day.From, in.Day.To,
				wanted).Query(func(rows pgx.Rows) error {
				var all []ledger.Posting
				if err := pg.Collect(&all, scanPosting)(rows); err != nil {
					return err
				}
				for _, p := range all {
					in.Finals[p.PartID] = append(in.Finals[p.PartID], p)
				}
				return nil
			})
		}
	}
	if batch.Len() == 0 {
		return nil
	}
	return s.Pool.SendBatch(ctx, batch).Close()
}

// scanUsage reads the columns of a stored usage row that the engine needs.
func scanUsage(rows pgx.Rows, u *ledger.Usage) error {
	var device, profile, run *string
	var slice *int32
	var num, den string
	err := rows.Scan(&u.ID, &u.Hour, &u.NodeID, &u.Slot, &device, &slice, &profile, &u.WorkloadID, &run, &u.AttemptID,
		&u.Cause, &u.Activity, &u.OwnerID, &u.Quality, &u.Method, &u.Seconds, &u.ActiveSeconds, &num, &den, &u.Held)
	if err != nil {
		return err
	}
	u.Device, u.Profile, u.RunID, u.SliceID = pg.OrEmpty(device), pg.OrEmpty(profile), pg.OrEmpty(run), sliceOf(slice)
	weight, ok := new(big.Rat).SetString(num + "/" + den)
	if !ok {
		return fmt.Errorf("usage row %s weighs %s/%s", u.ID, num, den)
	}
	u.Weight = weight
	return nil
}

// scanPosting reads a stored posting without its quantities.
func scanPosting(rows pgx.Rows, p *ledger.Posting) error {
	var activity, device, profile, run *string
	var slot, slice *int32
	err := rows.Scan(&p.ID, &p.Hour, &p.PartID, &p.ChargeID, &p.RateID, &p.Part, &p.UsageID, &p.Cause, &activity, &p.Kind,
		&p.Adjusts,
		&p.OwnerID, &p.Method, &p.Quality, &p.Policy, &p.Currency, &p.State, &p.Effective, &p.Billed, &p.List, &p.Contracted,
		&p.NodeID, &slot, &device, &slice, &profile, &p.WorkloadID, &run, &p.AttemptID)
	if err != nil {
		return err
	}
	p.Activity, p.Device, p.Profile, p.RunID, p.SliceID = ledger.Activity(pg.OrEmpty(activity)), pg.OrEmpty(device),
		pg.OrEmpty(profile), pg.OrEmpty(run), sliceOf(slice)
	p.Slot = -1
	if slot != nil {
		p.Slot = *slot
	}
	return nil
}

func sliceOf(id *int32) int32 {
	if id == nil {
		return ledger.WholeDevice
	}
	return *id
}

// countLate records how many usage rows of closed hours differ from current telemetry (rule 13.6).
func countLate(ctx context.Context, tx pgx.Tx, chunks []*allocation.Chunk, claimed map[period.Second]bool) error {
	var hours []period.Second
	var late []int32
	for _, c := range chunks {
		if !claimed[c.Day.From] {
			continue
		}
		for _, h := range c.Frozen {
			hours, late = append(hours, h.Hour), append(late, int32(min(h.LateRows, math.MaxInt32)))
		}
	}
	if len(hours) == 0 {
		return nil
	}
	_, err := pg.Exec(ctx, tx, "chunk.count_late", pg.Tenant, chunks[0].NodeID, hours, late)
	return err
}
