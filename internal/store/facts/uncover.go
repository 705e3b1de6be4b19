package facts

import (
	"context"
	"math/bits"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// shift is by how much the lives of a cluster are later as they were read before: the
// earliest and the latest of them, which differ over a change of the clock.
type shift struct {
	cluster     string
	early, late period.Second
}

// uncover takes back which minutes accounting covers that was read in another zone: what
// this import covers, moved by as much as its lives are, beyond what it covers itself. It
// stays where it goes on, as another import covers it, too.
func (t *telemetryStage) uncover(ctx context.Context, clocks []string, created []period.Second) error {
	var moved []shift
	err := pg.Query(ctx, t.tx, "telemetry.moved_sources", func(rows pgx.Rows) error {
		var s shift
		var early, late int64
		err := rows.Scan(&s.cluster, &early, &late)
		s.early, s.late = period.Second(early), period.Second(late)
		moved = append(moved, s)
		return err
	}, pg.Tenant, clocks, created)
	if err != nil || !t.staged["next_sources"] {
		return err
	}
	for _, s := range moved {
		var first, last period.Second // minutes
		err := pg.Query(ctx, t.tx, "telemetry.staged_sources", func(rows pgx.Rows) error {
			var hour period.Second
			var covered int64
			if err := rows.Scan(&hour, &covered); err != nil || covered == 0 {
				return err
			}
			if first == 0 {
				first = hour + period.Second(bits.TrailingZeros64(uint64(covered)))*period.Minute
			}
			last = hour + period.Second(63-bits.LeadingZeros64(uint64(covered)))*period.Minute
			return nil
		}, pg.Tenant, s.cluster, ledger.SourceSlurm)
		if err != nil {
			return err
		}
		if first == 0 {
			continue
		}
		if s.late > 0 {
			if err := t.clear(ctx, s.cluster, last+period.Minute, last+s.late, last+s.late+period.Minute); err != nil {
				return err
			}
		}
		if s.early < 0 {
			if err := t.clear(ctx, s.cluster, first+s.early, first-period.Minute, first+s.early-period.Minute); err != nil {
				return err
			}
		}
	}
	return nil
}

// clear uncovers the minutes from one to another, unless the next one is covered.
func (t *telemetryStage) clear(ctx context.Context, cluster string, from, to, next period.Second) error {
	var hours []period.Second
	var masks []int64
	for at := from; at <= to; at += period.Minute {
		hour := at.Floor(period.Hour)
		if len(hours) == 0 || hours[len(hours)-1] != hour {
			hours, masks = append(hours, hour), append(masks, 0)
		}
		masks[len(masks)-1] |= 1 << ((at - hour) / period.Minute)
	}
	beyond := next.Floor(period.Hour)
	_, err := pg.Exec(ctx, t.tx, "telemetry.uncover", pg.Tenant, cluster, ledger.SourceSlurm, hours, masks, beyond, int64(1)<<((next-beyond)/period.Minute))
	return err
}
