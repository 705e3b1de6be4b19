package posting

import (
	"context"
	"fmt"

	"gpuledger/allocation/fleet"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// doubles finds machines that may be in the ledger twice, and the part of their cost that may be double (rule 2.10).
func (r *run) doubles(ctx context.Context, s *scene, w *World, billers map[string][]string) error {
	in := fleet.Doubtful{
		Machines: s.machines, Devices: s.devices, Billed: billedOf(w), Billers: billers, Step: r.policies.World().ScrapeStep,
	}
	var ids []ledger.ID
	_, unbilled := fleet.Unmet(in.Machines, in.Billed)
	for _, m := range unbilled {
		ids = append(ids, m.ID)
	}
	if len(ids) > 0 {
		var err error
		if in.Provisional, err = r.Store.ProvisionalHours(ctx, ids); err != nil {
			return fmt.Errorf("read hours with provisional cost: %w", err)
		}
	}
	if err := r.Store.SaveDoubles(ctx, fleet.Doubles(in)); err != nil {
		return fmt.Errorf("save machines that may be duplicates: %w", err)
	}
	return nil
}

// billedOf converts the book's data of machines for the fleet.
func billedOf(w *World) []fleet.Billed {
	out := make([]fleet.Billed, 0, len(w.Billed))
	for _, b := range w.Billed {
		out = append(out, fleet.Billed{
			InstanceID: b.InstanceID, Line: b.Line, InstanceType: b.InstanceType, Region: b.Region, Zone: b.Zone,
			PriceClass: b.PriceClass, Account: b.Account, Tags: b.Tags, Period: b.Period,
		})
	}
	return out
}

// DoubleStore stores machines that may be in the ledger twice.
type DoubleStore interface {
	// ProvisionalHours are the first to the last hour in which nodes carry provisional cost, or hours that may be
	// billed; nodes without either are left out.
	ProvisionalHours(ctx context.Context, nodes []ledger.ID) (map[ledger.ID]period.Interval, error)
	// SaveDoubles replaces all suspected duplicates. It adds the cost that may be double, per currency, and leaves
	// out pairs that never overlapped and have neither provisional cost nor hours that may be billed.
	SaveDoubles(ctx context.Context, found []fleet.Double) error
}
