package posting_test

import (
	"maps"
	"slices"
	"testing"

	"gpuledger/allocation"
	"gpuledger/internal/fleetsim"
	"gpuledger/internal/ledger"
	"gpuledger/internal/posting"
	"gpuledger/test/tier"
)

// eachJob changes the workloads of Slurm.
func eachJob(change func(*ledger.WorkloadFact)) func(*posting.World) {
	return func(w *posting.World) {
		for i := range w.Pods {
			if p := &w.Pods[i]; p.System == ledger.SystemSlurm {
				p.Labels = maps.Clone(p.Labels)
				change(p)
			}
		}
	}
}

// happenedFaults are faults in the data of workloads, attempts, events and energy.
var happenedFaults = []fault{
	{name: "a container that begins anew is nothing", world: func(w *posting.World) {
		w.WorkloadEvents = slices.DeleteFunc(w.WorkloadEvents, func(e ledger.WorkloadEvent) bool {
			return e.What == ledger.WorkloadRestarted
		})
	}},
	{name: "what was suspended is lost", derived: func(d *posting.Derived) {
		for i := range d.Attempts {
			if a := &d.Attempts[i]; a.Outcome == ledger.Suspended {
				a.LossFrom = a.Span.From
			}
		}
	}},
	{name: "a job that was requeued is another job", world: eachJob(func(p *ledger.WorkloadFact) {
		if n := p.Labels[ledger.LabelAttempt]; n != "" && n != "1" {
			p.Name, p.OwnerName = p.Name+"/"+n, p.OwnerName+"/"+n
		}
	})},
	{
		name:  "how a Slurm job ended is not believed",
		world: eachJob(func(p *ledger.WorkloadFact) { p.Outcome, p.Reason = ledger.Succeeded, "" }),
	},
	{
		name:  "a job holds until it is last seen, and a step more",
		world: eachJob(func(p *ledger.WorkloadFact) { p.Completed = 0 }),
	},
	{name: "the account of a job pays nothing", world: func(w *posting.World) {
		w.Objects = slices.DeleteFunc(w.Objects, func(o ledger.ObjectFact) bool { return o.Kind == ledger.KindSlurmJob })
	}},
	{name: "accounting observes nothing", day: func(in *allocation.DayInput) {
		in.Sources = slices.DeleteFunc(slices.Clone(in.Sources),
			func(h ledger.SourceHour) bool { return h.Cluster == "hpc-lyon" })
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
	t.Parallel()
	tier.OnlyInFull(t, "faults of another fleet")
	cfg := fleetsim.Preset(fleetsim.Small).Everywhere()
	cfg.Seed = 3 // has a suspended Job
	w := simulate(t, cfg)
	w.loadFolder()
	w.notices(happenedFaults)
}
