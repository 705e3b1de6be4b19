package report

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/metrics"
)

// base defines what the rows of a dataset are read from, in addition to the statement of its name: the facts, and
// their time.
type base struct {
	reads []read

	// posted bases have rows of postings and usage only, none before or after those.
	posted bool
	// allTime bases are read of all time, whatever the window. latest bases are read from roll-ups as last built,
	// including days that have changed since.
	allTime, latest bool
	// apart are instants that separate rows: no day or month that contains one is read whole, except that days are
	// kept by stretches of stretch seconds.
	apart   func(ctx context.Context, tx pgx.Tx, q metrics.Query) ([]period.Second, error)
	stretch int64

	// steps is the column with the hour, or the period, on which alone a row depends: see step.
	steps string

	// many is the column with far more values than are shown, so that the shown values are found first. The rest of a
	// sought base is then read for those values alone.
	many   string
	sought bool

	// leads are the keys of the statement's rows through which an export looks names up.
	leads []string

	// lives have rows of the whole lives of runs: of those that the statement runs lists, restricted by the filter's
	// terms on keys that are the same in all rows of a run.
	lives bool
	runs  string
	same  []string
}

// bases are those of all datasets. They are set by init, because compiling their statements reads bases.
var bases map[string]base

// special are the bases that facts alone do not define.
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
	signal.also = map[string][]string{"cause": {"device"}} // signals have no causes, so device finds their rows
	answered := readAs("serving", &star.Serving, star.Serving.Rollup("serving_owner"))
	spotHour := readAs("spot_hour", &star.Spot, star.Spot.Rollup("spot_hour"))
	spotHour.added, spotHour.when = true, func(q metrics.Query) bool { return slices.Contains(spotGroupKeys(q), "hour") }
	spotNode := readAs("spot_node", &star.Spot, star.Spot.Rollup("spot_node"))
	spotNode.added, spotNode.unasked = true, true

	return map[string]base{
		"costs":                {posted: true, steps: "period_start"},
		"chargeback":           {posted: true, steps: "period_start"},
		"samples":              {steps: "hour"},
		"owner_coverage":       {posted: true, reads: []read{owned}},
		"commitment_demand":    {posted: true},
		"commitments":          {posted: true, apart: middle, stretch: period.Day / 2},
		"models":               {reads: []read{answered}},
		"queue":                {posted: true, allTime: true},
		"reconciliation":       {allTime: true},
		"provisional_accuracy": {posted: true},
		"spot":                 {posted: true, reads: []read{spotHour, spotNode}},
		"devices":              {latest: true, many: "device", sought: true, reads: []read{device, signal}},
		"workloads":            {latest: true},
		"waste":                {many: "finding_id"},
		"postings":             {steps: "hour", leads: []string{"terms_id", "owner_id", "node_id", "workload_id"}},
		"usage":                {steps: "hour", leads: []string{"owner_id", "node_id", "workload_id", "attempt_id"}},
		"charges":              {many: "charge_id", sought: true},
		"runs":                 run,
		"attempts":             attempt,
		"groups":               group,
		"scaling":              lives,
		"experiments":          lives,
		"interruptions":        interruption,
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

func baseOf(d *metrics.Dataset) base {
	if d == nil {
		return base{}
	}
	return bases[d.Name]
}

// read is what the base reads as @NAME_rows.
func (b base) read(name string) (read, bool) {
	i := slices.IndexFunc(b.reads, func(rd read) bool { return rd.name == name })
	if i < 0 {
		return read{}, false
	}
	return b.reads[i], true
}

// rolledUp reports whether a base reads roll-ups at all.
func (b base) rolledUp() bool { return len(b.reads) > 0 }

// answers reports whether roll-ups have all that q needs, and whether by hour.
func (b base) answers(q metrics.Query, sees shape) (hours, all bool) {
	if q.AsOf != 0 || !q.Statement.IsZero() { // roll-ups hold the current ledger only
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
