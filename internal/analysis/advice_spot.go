package analysis

import (
	"context"
	"math/big"
	"slices"

	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics/advice"
	"gpuledger/metrics/waste"
)

// movesToSpot advises on-demand work to move to spot, and finds the runs among it that an interruption would cost
// entirely.
func (a *Analyst) movesToSpot(
	ctx context.Context, window period.Interval, there *present,
) (moves []advice.Recommendation, err error) {
	work, err := a.Store.Interruptibles(ctx, window)
	if err != nil {
		return nil, err
	}
	public, err := a.Store.PublicPrices(ctx)
	if err != nil {
		return nil, err
	}
	for i := range work {
		w := &work[i]
		w.Window, w.There = window, there.jobs[[3]string{w.Subject.Cluster, w.InstanceType, w.Subject.Name}]
		if work[i].SpotShare == nil {
			work[i].SpotShare, work[i].SpotSource = listedSpotShare(public, work[i].InstanceType)
		}
		if r, ok := work[i].ToSpot(); ok {
			moves = append(moves, r)
		}
	}
	of, runs, err := a.Store.AdvisedRuns(ctx, window, moves)
	if err != nil {
		return nil, err
	}
	return moves, a.judgeAdvised(ctx, of, runs)
}

// judgeAdvised replaces the findings of runs that are advised to move to spot.
func (a *Analyst) judgeAdvised(ctx context.Context, of []WasteSubject, runs []waste.RunFacts) error {
	limits, err := a.Store.WasteLimits(ctx)
	if err != nil {
		return err
	}
	end, err := a.Store.WasteEnd(ctx)
	if err != nil {
		return err
	}
	runs = slices.DeleteFunc(runs, func(r waste.RunFacts) bool { return len(r.JudgeAdvised()) == 0 })
	var names []string
	for i := range runs {
		names = append(names, runs[i].Where.RunID)
	}
	shares, err := a.Store.RunShares(ctx, names)
	if err != nil {
		return err
	}
	var found []waste.Finding
	for i := range runs {
		runs[i].Share = shares[names[i]]
		found = append(found, runs[i].JudgeAdvised()...)
	}
	return a.Store.SaveFindings(ctx, of, limits.Lasting(found), end)
}

// listedSpotShare is the catalogue's spot price of a type as a share of its on-demand price, from the first region
// that has both; nil without one.
func listedSpotShare(public *catalog.PriceList, instanceType string) (*big.Rat, string) {
	for _, p := range public.All() {
		if p.InstanceType != instanceType || p.PriceClass != ledger.Spot {
			continue
		}
		if od, ok := public.OnDemand(p.InstanceType, p.Region); ok && od.Hourly.Sign() > 0 {
			return new(big.Rat).Quo(p.Hourly.Rat(), od.Hourly.Rat()), "catalogue, " + p.Region
		}
	}
	return nil, ""
}
