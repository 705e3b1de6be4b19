package facts

import (
	"context"
	"math/bits"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// shift is by how much a cluster's lives are later as read before: of the earliest life and of the latest one. The two
// differ across a change of the clock.
type shift struct {
	Cluster     string
	Early, Late period.Second
}

// uncover removes covered minutes of accounting that was read in another time zone: the minutes that this import
// covers, shifted like its lives, except those it covers itself. If coverage continues beyond them, it keeps them,
// because another import covers them too.
func (t *telemetryStage) uncover(ctx context.Context, clocks []string, created []period.Second) error {
	moved, err := pg.List[shift](ctx, t.tx, "telemetry.moved_sources", pg.Tenant, clocks, created)
	if err != nil || !t.staged["next_sources"] {
		return err
	}
	for _, s := range moved {
		var first, last period.Second // minutes
		covered, err := pg.List[struct {
			Hour    period.Second
			Minutes uint64
		}](ctx, t.tx, "telemetry.staged_sources", pg.Tenant, s.Cluster, ledger.SourceSlurm)
		if err != nil {
			return err
		}
		for _, h := range covered {
			if h.Minutes == 0 {
				continue
			}
			if first == 0 {
				first = h.Hour + period.Second(bits.TrailingZeros64(h.Minutes))*period.Minute
			}
			last = h.Hour + period.Second(63-bits.LeadingZeros64(h.Minutes))*period.Minute
		}
		if first == 0 {
			continue
		}
		if s.Late > 0 {
			if err := t.clear(ctx, s.Cluster, last+period.Minute, last+s.Late, last+s.Late+period.Minute); err != nil {
				return err
			}
		}
		if s.Early < 0 {
			if err := t.clear(ctx, s.Cluster, first+s.Early, first-period.Minute, first+s.Early-period.Minute); err != nil {
				return err
			}
		}
	}
	return nil
}

// clear uncovers the minutes from through to, unless minute next is covered.
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
	_, err := pg.Exec(ctx, t.tx, "telemetry.uncover", pg.Tenant, cluster, ledger.SourceSlurm, hours, masks, beyond,
		int64(1)<<((next-beyond)/period.Minute))
	return err
}
