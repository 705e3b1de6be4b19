package analysis

import (
	"context"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics/waste"
)

// wasteName is the name of the step.
const wasteName = "waste"

// wasteStep computes findings: the traces of each day's subjects, then the findings from all days of a subject. The
// days stay marked until all of it is done, so a process that dies in between leaves no partial findings.
var wasteStep = Step{Name: wasteName, Reads: []Mark{Ledger}, After: findWaste}

// WasteSubject is a subject whose findings are replaced together.
type WasteSubject struct {
	Scope waste.Scope
	ID    ledger.ID // of its waste.Key
}

// Orphan is a stretch in which a machine was not used.
type Orphan struct {
	Subject ledger.ID
	Node    ledger.ID
	period.Interval
}

// WasteStore is the database access of step waste.
type WasteStore interface {
	// TraceWaste computes the traces of a day, and returns the subjects with traces before or after.
	TraceWaste(ctx context.Context, day period.Second) (map[WasteSubject]bool, error)
	// WasteSubjects adds the subjects whose findings lie inside within or are open.
	WasteSubjects(ctx context.Context, within period.Interval, into map[WasteSubject]bool) error
	// WasteLimits are the thresholds that the policy in force sets.
	WasteLimits(ctx context.Context) (waste.Limits, error)
	// WasteEnd is the end of the ledger's data; 0 if it is empty.
	WasteEnd(ctx context.Context) (period.Second, error)
	WasteTraces(ctx context.Context, of []WasteSubject) (map[WasteSubject][]*waste.Trace, error)
	WasteMachines(ctx context.Context, day period.Second) ([]*waste.Trace, error)
	// Orphaned are the stretches of the given subjects, and those that overlap within.
	Orphaned(ctx context.Context, of []WasteSubject, within period.Interval) ([]Orphan, error)
	SaveFindings(ctx context.Context, of []WasteSubject, findings []waste.Finding, end period.Second) error
	SaveFreeCapacity(ctx context.Context, day period.Second, findings []waste.Finding, end period.Second) error
	// LosableRuns are runs inside within whose work can be lost, without their shares, and all run subjects whose
	// findings they replace.
	LosableRuns(ctx context.Context, within period.Interval) ([]WasteSubject, []waste.RunFacts, error)
	// RunShares are the usage and cost of runs.
	RunShares(ctx context.Context, runs []string) (map[string]waste.Share, error)
	// MachineFacts are the machines that existed inside within, with their pods that need no GPU, and whether they
	// lack a taint for GPUs, if taints are known.
	MachineFacts(ctx context.Context, within period.Interval) ([]waste.MachineFacts, error)
}

// wasteBatch is how many subjects are judged at once.
const wasteBatch = 500

func findWaste(ctx context.Context, a *Analyst) (rows int64, err error) {
	days, err := a.Store.AnalysisDays(ctx, wasteName)
	if err != nil || len(days) == 0 {
		return 0, err
	}
	touched := map[WasteSubject]bool{}
	for i, day := range days {
		a.tell(wasteName, i, len(days))
		of, err := a.Store.TraceWaste(ctx, day)
		if err != nil {
			return rows, err
		}
		for v := range of {
			touched[v] = true
		}
	}
	within := period.Interval{From: days[0], To: days[len(days)-1] + period.Day}
	if err := a.Store.WasteSubjects(ctx, within, touched); err != nil {
		return rows, err
	}
	end, err := a.Store.WasteEnd(ctx)
	if err != nil {
		return rows, err
	}
	limits, err := a.Store.WasteLimits(ctx)
	if err != nil {
		return rows, err
	}
	pools := map[period.Second]bool{}
	for _, day := range days {
		pools[day] = true
	}
	if rows, err = a.judge(ctx, touched, end, limits, pools); err != nil {
		return rows, err
	}
	for _, find := range []func() (int64, error){
		func() (int64, error) { return a.judgePools(ctx, pools, end, limits) },
		func() (int64, error) { return a.judgeRuns(ctx, within, end, limits) },
		func() (int64, error) { return a.judgeMachines(ctx, within, end, limits) },
	} {
		n, err := find()
		if rows += n; err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// judge replaces the findings of subjects, and adds to pools the days on which machines became orphaned, or stopped
// being so.
func (a *Analyst) judge(ctx context.Context, touched map[WasteSubject]bool, end period.Second, limits waste.Limits,
	pools map[period.Second]bool) (rows int64, err error) {
	all := sortedSubjects(touched)
	for batch := range slices.Chunk(all, wasteBatch) {
		before, err := a.Store.Orphaned(ctx, batch, period.Interval{})
		if err != nil {
			return rows, err
		}
		traces, err := a.Store.WasteTraces(ctx, batch)
		if err != nil {
			return rows, err
		}
		var found []waste.Finding
		after := []Orphan{}
		for _, v := range batch {
			if len(traces[v]) == 0 {
				continue
			}
			for _, f := range limits.Lasting(waste.Judge(traces[v][0].Key, traces[v], end)) {
				found = append(found, f)
				if f.Kind == waste.OrphanedNode {
					after = append(after, Orphan{v.ID, f.Where.NodeID, period.Interval{From: f.From, To: f.To}})
				}
			}
		}
		if err := a.Store.SaveFindings(ctx, batch, found, end); err != nil {
			return rows, err
		}
		rows += int64(len(found))
		changedDays(before, after, pools)
	}
	return rows, nil
}

// changedDays adds the days that are in only one of the two.
func changedDays(before, after []Orphan, days map[period.Second]bool) {
	type nodeDay struct {
		node ledger.ID
		day  period.Second
	}
	covered := func(list []Orphan) map[nodeDay]period.Interval {
		out := map[nodeDay]period.Interval{}
		for _, o := range list {
			for day := o.From.Floor(period.Day); day < o.To; day += period.Day {
				out[nodeDay{o.Node, day}] = o.Intersect(period.DayOf(day))
			}
		}
		return out
	}
	was, is := covered(before), covered(after)
	for k, v := range was {
		if is[k] != v {
			days[k.day] = true
		}
	}
	for k, v := range is {
		if was[k] != v {
			days[k.day] = true
		}
	}
}

func sortedSubjects(of map[WasteSubject]bool) []WasteSubject {
	list := make([]WasteSubject, 0, len(of))
	for v := range of {
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b WasteSubject) int {
		if a.Scope != b.Scope {
			if a.Scope < b.Scope {
				return -1
			}
			return 1
		}
		return slices.Compare(a.ID[:], b.ID[:])
	})
	return list
}
