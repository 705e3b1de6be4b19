package ingest

import (
	"cmp"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// days is the time from the first to the last fact of an import.
type days struct{ from, to period.Second }

// see extends the days by a period; 0 is no time, and to may be 0 or before from.
func (d *days) see(from, to period.Second) {
	if from == 0 {
		return
	}
	if d.from == 0 || from < d.from {
		d.from = from
	}
	d.to = max(d.to, to, from+1)
}

// longestUse bounds the period of use on a bill's line: fees cover years to come.
const longestUse = 31 * period.Day

// charges adds the usage periods of charges.
func (d *days) charges(list []ledger.Charge) {
	for i := range list {
		p := list[i].Period
		d.see(p.From, min(p.To, p.From+longestUse))
	}
}

// telemetry adds the times of events and samples, but not the start of things that existed
// before.
func (d *days) telemetry(t *ledger.Telemetry) {
	hour := func(at period.Second) { d.see(at, at+period.Hour) }
	for i := range t.Samples {
		hour(t.Samples[i].Hour)
	}
	for i := range t.Counters {
		hour(t.Counters[i].Hour)
	}
	for i := range t.NodeStates {
		hour(t.NodeStates[i].Hour)
	}
	for i := range t.Workloads {
		w := &t.Workloads[i]
		d.see(cmp.Or(w.Started, w.Scheduled, w.Created), cmp.Or(w.Completed, w.TerminalAt, w.LastSeen))
	}
	for i := range t.Events {
		d.see(t.Events[i].At, 0)
	}
}

// String is the days in UTC, empty without any time.
func (d *days) String() string {
	if d.from == 0 {
		return ""
	}
	first, last := d.from.Time().Format("2006-01-02"), (d.to - 1).Time().Format("2006-01-02")
	if first == last {
		return first
	}
	return first + " to " + last
}
