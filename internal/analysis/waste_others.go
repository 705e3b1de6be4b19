package analysis

import (
	"context"
	"maps"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics/waste"
)

// judgePools replaces the findings about free capacity on days.
func (a *Analyst) judgePools(
	ctx context.Context, days map[period.Second]bool, end period.Second, limits waste.Limits,
) (rows int64, err error) {
	for _, day := range slices.Sorted(maps.Keys(days)) {
		machines, err := a.Store.WasteMachines(ctx, day)
		if err != nil {
			return rows, err
		}
		orphans, err := a.Store.Orphaned(ctx, nil, period.DayOf(day))
		if err != nil {
			return rows, err
		}
		of := map[ledger.ID][]period.Interval{}
		for _, o := range orphans {
			of[o.Node] = append(of[o.Node], o.Interval)
		}
		pools := map[[3]string]*waste.Pool{}
		var order [][3]string
		for _, t := range machines {
			if t.Machine == nil {
				continue
			}
			k := [3]string{t.Machine.Where.Cluster, t.Machine.Where.InstanceType, t.Machine.Team}
			if pools[k] == nil {
				pools[k] = &waste.Pool{Day: day, Orphaned: of}
				order = append(order, k)
			}
			pools[k].Machines = append(pools[k].Machines, t.Machine)
		}
		var found []waste.Finding
		for _, k := range order {
			if f, ok := pools[k].Judge(end); ok {
				found = append(found, f)
			}
		}
		found = limits.Lasting(found)
		if err := a.Store.SaveFreeCapacity(ctx, day, found, end); err != nil {
			return rows, err
		}
		rows += int64(len(found))
	}
	return rows, nil
}

// judgeRuns replaces the findings of runs, judged by their checkpoints. It reads the shares of runs only if there are
// any.
func (a *Analyst) judgeRuns(
	ctx context.Context, within period.Interval, end period.Second, limits waste.Limits,
) (int64, error) {
	of, runs, err := a.Store.LosableRuns(ctx, within)
	if err != nil {
		return 0, err
	}
	runs = slices.DeleteFunc(runs, func(r waste.RunFacts) bool { return len(r.Judge(limits)) == 0 })
	names := make([]string, len(runs))
	for i := range runs {
		names[i] = runs[i].Where.RunID
	}
	shares, err := a.Store.RunShares(ctx, names)
	if err != nil {
		return 0, err
	}
	var found []waste.Finding
	for i := range runs {
		runs[i].Share = shares[names[i]]
		found = append(found, runs[i].Judge(limits)...)
	}
	found = limits.Lasting(found)
	return int64(len(found)), a.Store.SaveFindings(ctx, of, found, end)
}

// judgeMachines replaces the findings about machines' pods and taints.
func (a *Analyst) judgeMachines(
	ctx context.Context, within period.Interval, end period.Second, limits waste.Limits,
) (int64, error) {
	machines, err := a.Store.MachineFacts(ctx, within)
	if err != nil {
		return 0, err
	}
	var of []WasteSubject
	var found []waste.Finding
	for i := range machines {
		m := &machines[i]
		of = append(of, WasteSubject{waste.OfMachine, m.Key().ID()})
		found = append(found, limits.Lasting(m.Judge(end))...)
	}
	return int64(len(found)), a.Store.SaveFindings(ctx, of, found, end)
}
