package report

import (
	"slices"

	"gpuledger/internal/star"
	"gpuledger/metrics"
)

// addedDataset says how a dataset with rows of its own is read from what was added
// up.
type addedDataset struct {
	plan   planner
	tables []addedTable
}

// addedTable is a roll-up that can answer a dataset.
type addedTable struct {
	name    string
	keys    []string
	missing func(q metrics.Query) []string // keys of q that it does not know
}

// addedUp are those of which more has to be said than what facts say themselves.
// Costs have a planner of their own.
var addedUp = map[string]addedDataset{
	"commitment_demand": {planDays, []addedTable{byDay(&star.Commitment, "commitment", ownerKeysOf), byDay(&star.Commitment, "commitment_owner", noneMissing), byDay(&star.Held, "held", noneMissing)}},
	"commitments":       {planCommitments, []addedTable{byDay(&star.Commitment, "commitment", ownerKeysOf), byDay(&star.Commitment, "commitment_owner", noneMissing)}},
	"queue":             {planAllTime, []addedTable{byDay(&star.Gang, "gang", noneMissing)}},
	"reconciliation":    {planAllTime, []addedTable{byDay(&star.Posted, "posted", noneMissing)}},
	"spot":              {planSpot, []addedTable{byDay(&star.Spot, "spot", spotMissing)}},
	"owner_coverage":    {planCoverage, nil}, // of costs
	"inference":         {planServing, []addedTable{{"services by day", serviceKeys, beyond(serviceKeys)}, {"services by month and place", slices.Concat(serviceKeys, placeKeys), beyond(serviceKeys, placeKeys)}}},
	"devices": {planDevices, []addedTable{
		byDay(&star.Device, "device_place", unknownToPlaces), byDay(&star.Device, "device_holder_place", unknownToHolders),
		byDay(&star.Device, "device", unknownToDevices), byDay(&star.Device, "device_holder", noneMissing),
		byDay(&star.DeviceSignal, "device_signal_place", unknownToPlaces), byDay(&star.DeviceSignal, "device_signal_holder_place", unknownToHolders),
		byDay(&star.DeviceSignal, "device_signal", unknownToDevices), byDay(&star.DeviceSignal, "device_signal_holder", noneMissing),
	}},
	"workloads":     {planDevices, []addedTable{byDay(&star.WorkloadSignal, "workload_signal", noneMissing)}},
	"interruptions": ofRunDays,
	"runs":          ofRunsHeld,
	"attempts":      ofRunsHeld,
	"groups":        ofRunDays,
	"scaling":       ofRunDays,
	"experiments":   ofRunDays,
}

var (
	ofRunDays  = addedDataset{planRuns, []addedTable{byDay(&star.Run, "run", noneMissing)}}
	ofRunsHeld = addedDataset{planRuns, []addedTable{byDay(&star.Run, "run", noneMissing), byDay(&star.RunSignal, "run_signal", noneMissing)}}
)

// addedUpOf says how a dataset is read from what was added up: as addedUp says, else
// from the roll-ups of the facts that it is answered from. ok is false where there
// are none.
func addedUpOf(d *metrics.Dataset) (a addedDataset, ok bool) {
	if a, ok = addedUp[d.Name]; ok {
		return a, true
	}
	if a.plan = planDays; d.Stepped {
		a.plan = planSteps
	}
	for _, f := range star.Facts {
		if !d.Grouped && slices.Contains(f.Reads, d.Name) {
			for i := range f.Rollups {
				a.tables = append(a.tables, byDay(f, f.Rollups[i].Name, noneMissing))
			}
		}
	}
	return a, len(a.tables) > 0
}

// readInPart reports whether who sees a part is answered from what was added up: each row
// of all that a question may be read from is his or not; anywhere, where his scope is of
// no cluster.
func readInPart(q metrics.Query, anywhere bool) bool {
	return q.Dataset.Grouped || !slices.ContainsFunc(star.Facts, func(f *star.Fact) bool {
		return slices.Contains(f.Reads, q.Dataset.Name) &&
			slices.ContainsFunc(f.Rollups, func(r star.Rollup) bool {
				// Another roll-up has the same by owner, and answers him.
				another := !r.Has(ownerID) && (f == &star.Device || f == &star.DeviceSignal || r.Name == "spot_hour")
				return !f.InScopes(&r, false, anywhere) && !another
			})
	})
}

func byDay(f *star.Fact, rollup string, missing func(metrics.Query) []string) addedTable {
	return addedTable{rollup + " by day", f.Rollup(rollup).Keys, missing}
}

// noneMissing is of roll-ups that know all that can be asked.
func noneMissing(metrics.Query) []string { return nil }

// beyond are the keys that a question names besides the known ones.
func beyond(known ...[]string) func(metrics.Query) []string {
	all := slices.Concat(known...)
	return func(q metrics.Query) []string {
		return slices.DeleteFunc(slices.Clone(askedNames(q)), func(name string) bool { return slices.Contains(all, name) })
	}
}

// ownerKeysOf are the owner keys that q names besides the team.
func ownerKeysOf(q metrics.Query) (names []string) {
	for _, k := range costKeys(q) {
		if k.Name != "team" && slices.Contains(metrics.OwnerKeys, k.Name) {
			names = append(names, k.Name)
		}
	}
	return names
}
