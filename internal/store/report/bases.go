package report

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/metrics"
)

// base says what the rows of a dataset are read from, beside the statement that bears
// its name: which roll-ups can answer it, and of what time they are read.
type base struct {
	costs  func(q metrics.Query) metrics.Query // the report of costs that it is made of; nil: it is of facts of its own
	tables []addedTable                        // the roll-ups of those
	clean  string                              // the statement that lists the days they are as new as the ledger of

	// posted bases have no rows but of postings and usage: none before and after those.
	posted bool
	// allTime bases are read of all time, whatever the window; latest ones from what was
	// last added up, also of days that have changed since.
	allTime, latest bool
	// apart are instants that separate rows: no day or month that contains one is read as a
	// whole. Days are kept by stretches of stretch seconds.
	apart   func(ctx context.Context, tx pgx.Tx, q metrics.Query) ([]period.Second, error)
	stretch int64

	// many is the column of which there are far more values than are shown: those are
	// found first. sought bases are then read of them alone.
	many   string
	sought bool

	// lives have rows of the whole lives of runs: of those that the statement runs lists,
	// less what the filter says of keys that are the same in all rows of a run.
	lives bool
	runs  string
	same  []string
}

// addedTable is a roll-up that can answer a dataset.
type addedTable struct {
	name    string
	keys    []string
	missing func(q metrics.Query) []string // keys of q that it does not know
}

// bases are those of which more has to be said than what facts say themselves. They are
// made by init: what they are read from is compiled, which asks for bases.
var bases map[string]base

func init() {
	reports := base{posted: true, costs: func(q metrics.Query) metrics.Query { return q }}
	owned := []addedTable{byDay(&star.Commitment, "commitment", ownerKeysOf), byDay(&star.Commitment, "commitment_owner", noneMissing)}
	lives := base{tables: []addedTable{byDay(&star.Run, "run", noneMissing)}, posted: true, allTime: true, apart: ends, lives: true, runs: "report.known_runs"}
	run, attempt, group, interruption := lives, lives, lives, lives
	run.tables = append(run.tables, byDay(&star.RunSignal, "run_signal", noneMissing))
	run.many, run.sought = "run_id", true
	run.same = slices.Concat(metrics.OwnerKeys, []string{"run_id", "group_id", "group", "cluster", "namespace", "workload_kind", "run_kind"})
	attempt = run
	run.same = append(run.same, "name", "kind", "status")
	group.runs = "report.known_groups"
	interruption.lives, interruption.runs = false, ""

	bases = map[string]base{
		"costs":             reports,
		"chargeback":        reports,
		"owner_coverage":    {costs: coverageCosts, posted: true},
		"commitment_demand": {posted: true, tables: append(slices.Clone(owned), byDay(&star.Held, "held", noneMissing))},
		"commitments":       {posted: true, tables: owned, apart: middle, stretch: period.Day / 2},
		"queue":             {posted: true, tables: []addedTable{byDay(&star.Gang, "gang", noneMissing)}, allTime: true},
		"reconciliation":    {tables: []addedTable{byDay(&star.Posted, "posted", noneMissing)}, allTime: true},
		"spot":              {posted: true, tables: []addedTable{byDay(&star.Spot, "spot", spotMissing)}},
		"inference": {clean: "serving.clean", tables: []addedTable{
			{"services by day", serviceKeys, beyond(serviceKeys)}, {"services by month and place", slices.Concat(serviceKeys, placeKeys), beyond(serviceKeys, placeKeys)}}},
		"devices": {latest: true, many: "device", sought: true, tables: []addedTable{
			byDay(&star.Device, "device_place", unknownToPlaces), byDay(&star.Device, "device_holder_place", unknownToHolders),
			byDay(&star.Device, "device", unknownToDevices), byDay(&star.Device, "device_holder", noneMissing),
			byDay(&star.DeviceSignal, "device_signal_place", unknownToPlaces), byDay(&star.DeviceSignal, "device_signal_holder_place", unknownToHolders),
			byDay(&star.DeviceSignal, "device_signal", unknownToDevices), byDay(&star.DeviceSignal, "device_signal_holder", noneMissing)}},
		"workloads":     {latest: true, tables: []addedTable{byDay(&star.WorkloadSignal, "workload_signal", noneMissing)}},
		"waste":         {many: "finding_id"},
		"charges":       {many: "charge_id", sought: true},
		"runs":          run,
		"attempts":      attempt,
		"groups":        group,
		"scaling":       lives,
		"experiments":   lives,
		"interruptions": interruption,
	}
}

// baseOf says what a dataset is read from: as bases say, else from the roll-ups of the
// facts that it is answered from.
func baseOf(d *metrics.Dataset) base {
	b := bases[d.Name]
	if b.clean == "" {
		b.clean = "rollup.clean"
	}
	if b.stretch == 0 {
		b.stretch = period.Day
	}
	if b.costs != nil || len(b.tables) > 0 {
		return b
	}
	for _, f := range star.Facts {
		if slices.Contains(f.Reads, d.Name) {
			for i := range f.Rollups {
				b.tables = append(b.tables, byDay(f, f.Rollups[i].Name, noneMissing))
			}
		}
	}
	return b
}

// rolledUp reports whether a base is read from roll-ups at all.
func (b base) rolledUp() bool { return b.costs != nil || len(b.tables) > 0 }

// answers reports whether a roll-up of its own facts knows all that q asks.
func (b base) answers(q metrics.Query) bool {
	return slices.ContainsFunc(b.tables, func(t addedTable) bool { return len(t.missing(q)) == 0 })
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
