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
// its name: which facts it reads, and of what time.
type base struct {
	reads []read

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

// bases are those of all datasets. They are made by init: what they are read from is
// compiled, which asks for bases.
var bases map[string]base

// special are those of which more has to be said than what facts say themselves.
func special() map[string]base {
	lives := base{posted: true, allTime: true, apart: ends, lives: true, runs: "report.known_runs"}
	run, attempt, group, interruption := lives, lives, lives, lives
	run.many, run.sought = "run_id", true
	run.same = slices.Concat(metrics.OwnerKeys,
		[]string{"run_id", "group_id", "group", "cluster", "namespace", "workload_kind", "run_kind"})
	attempt = run
	run.same = append(run.same, "name", "kind", "status")
	group.runs = "report.known_groups"
	interruption.lives, interruption.runs = false, ""

	owned := readOf(&star.Cost)
	owned.by = append(slices.Clone(owned.by), ownerID, "quality")
	device, signal := readOf(&star.Device), readOf(&star.DeviceSignal)
	device.counts = []string{"device"}
	signal.also = map[string][]string{"cause": {"device"}} // which signals have none of: their rows stand alone
	answered := readAs("serving", &star.Serving, star.Serving.Rollup("serving_owner"))
	spotHour := readAs("spot_hour", &star.Spot, star.Spot.Rollup("spot_hour"))
	spotHour.added, spotHour.when = true, func(q metrics.Query) bool { return slices.Contains(spotGroupKeys(q), "hour") }
	spotNode := readAs("spot_node", &star.Spot, star.Spot.Rollup("spot_node"))
	spotNode.added, spotNode.unasked = true, true

	return map[string]base{
		"costs":             {posted: true},
		"chargeback":        {posted: true},
		"owner_coverage":    {posted: true, reads: []read{owned}},
		"commitment_demand": {posted: true},
		"commitments":       {posted: true, apart: middle, stretch: period.Day / 2},
		"models":            {reads: []read{answered}},
		"queue":             {posted: true, allTime: true},
		"reconciliation":    {allTime: true},
		"spot":              {posted: true, reads: []read{spotHour, spotNode}},
		"devices":           {latest: true, many: "device", sought: true, reads: []read{device, signal}},
		"workloads":         {latest: true},
		"waste":             {many: "finding_id"},
		"charges":           {many: "charge_id", sought: true},
		"runs":              run,
		"attempts":          attempt,
		"groups":            group,
		"scaling":           lives,
		"experiments":       lives,
		"interruptions":     interruption,
	}
}

func init() {
	bases = special()
	for _, d := range metrics.Datasets {
		b := bases[d.Name]
		if b.stretch == 0 {
			b.stretch = period.Day
		}
		for _, f := range star.Facts {
			if _, said := b.read(f.Name); slices.Contains(f.Reads, d.Name) && !said {
				b.reads = append(b.reads, readOf(f))
			}
		}
		bases[d.Name] = b
	}
}

// baseOf says what a dataset is read from.
func baseOf(d *metrics.Dataset) base {
	if d == nil {
		return base{}
	}
	return bases[d.Name]
}

// read is what the base reads under a name.
func (b base) read(name string) (read, bool) {
	i := slices.IndexFunc(b.reads, func(rd read) bool { return rd.name == name })
	if i < 0 {
		return read{}, false
	}
	return b.reads[i], true
}

// rolledUp reports whether a base is read from roll-ups at all.
func (b base) rolledUp() bool { return len(b.reads) > 0 }

// answers reports whether roll-ups have all that q needs, and whether by the hour.
func (b base) answers(q metrics.Query, sees shape) (hours, all bool) {
	if q.AsOf != 0 || !q.Statement.IsZero() { // they say what the ledger is now
		return false, false
	}
	all = len(b.reads) > 0
	hours = len(b.reads) > 0
	for _, rd := range b.reads {
		if rd.when != nil && !rd.when(q) {
			continue
		}
		chosen := rd.choose(q, sees)
		all = all && len(chosen) > 0
		hours = hours && !slices.ContainsFunc(chosen, func(r *star.Rollup) bool { return !r.By(star.Hours) })
	}
	return hours, all
}
