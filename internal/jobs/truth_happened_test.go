package jobs_test

import (
	"maps"
	"slices"
	"testing"

	"gpuledger/allocation"
	"gpuledger/internal/fleetsim"
	"gpuledger/internal/jobs"
	"gpuledger/internal/ledger"
)

// without removes the events that a fault does not see.
func without(what ...ledger.WorkloadEventKind) func(*jobs.World) {
	return func(w *jobs.World) {
		w.WorkloadEvents = slices.DeleteFunc(w.WorkloadEvents, func(e ledger.WorkloadEvent) bool { return slices.Contains(what, e.What) })
	}
}

// eachJob changes the workloads of Slurm.
func eachJob(change func(*ledger.WorkloadFact)) func(*jobs.World) {
	return func(w *jobs.World) {
		for i := range w.Pods {
			if p := &w.Pods[i]; p.System == ledger.SystemSlurm {
				p.Labels = maps.Clone(p.Labels)
				change(p)
			}
		}
	}
}

// happenedFaults are faults in what is known of workloads, attempts, events
// and energy.
var happenedFaults = []fault{
	{name: "a container that begins anew is nothing", world: without(ledger.WorkloadRestarted)},
	{name: "nobody sees that a job was suspended", world: without(ledger.WorkloadSuspended)},
	{name: "Google and Azure announce nothing", world: func(w *jobs.World) {
		w.Events = slices.DeleteFunc(w.Events, func(e ledger.InstanceEvent) bool { return e.Provider != "aws" })
	}},
	{name: "the lives of a requeued job are one attempt", world: eachJob(func(p *ledger.WorkloadFact) { delete(p.Labels, ledger.LabelAttempt) })},
	{name: "how a Slurm job ended is not believed", world: eachJob(func(p *ledger.WorkloadFact) { p.Outcome, p.Reason = ledger.Succeeded, "" })},
	{name: "a job holds until it is last seen, and a step more", world: eachJob(func(p *ledger.WorkloadFact) { p.Completed = 0 })},
	{name: "jobs ask for no GPUs", world: eachJob(func(p *ledger.WorkloadFact) { p.Requests = nil })},
	{name: "the account of a job pays nothing", world: func(w *jobs.World) {
		w.Objects = slices.DeleteFunc(w.Objects, func(o ledger.ObjectFact) bool { return o.Kind == ledger.KindSlurmJob })
	}},
	{name: "accounting observes nothing", day: func(in *allocation.DayInput) {
		in.Sources = slices.DeleteFunc(slices.Clone(in.Sources), func(h ledger.SourceHour) bool { return h.Cluster == "hpc-lyon" })
	}},
	{name: "joules are taken for millijoules", day: func(in *allocation.DayInput) {
		for i := range in.Samples {
			if v, ok := in.Samples[i].Vectors[ledger.SignalEnergy]; ok {
				for m := range v.Value {
					v.Value[m] /= 1000
				}
				in.Samples[i].Vectors[ledger.SignalEnergy] = v
			}
		}
	}},
	{name: "a counter that begins anew went up", day: func(in *allocation.DayInput) {
		for i := range in.Samples {
			v, ok := in.Samples[i].Vectors[ledger.SignalEnergy]
			if !ok {
				continue
			}
			for m := 1; m < len(v.Value); m++ {
				if v.Known&(1<<m) != 0 && v.Known&(1<<(m-1)) != 0 && v.Value[m] < v.Value[m-1] {
					v.Value[m] = v.Value[m-1] + 1000
				}
			}
			in.Samples[i].Vectors[ledger.SignalEnergy] = v
		}
	}},
}

func TestTheTruthNoticesFaultsInWhatHappened(t *testing.T) {
	w := simulate(t, fleetsim.Preset(fleetsim.Small).Everywhere())
	w.loadFolder()
	w.notices(happenedFaults)
}
