package analysis

import (
	"cmp"

	"gpuledger/allocation/owner"
	"gpuledger/internal/ledger"
	"gpuledger/metrics/advice"
)

// present has the hours in which the subjects of advice held a GPU.
type present struct {
	workloads map[workloadModel]advice.Presence // model empty: of all models
	cards     map[[2]string]advice.Presence     // slices of cards, by cluster and model
	jobs      map[[3]string]advice.Presence     // on demand, by cluster, instance type and team
}

type workloadModel struct {
	subject advice.Subject
	model   string
}

// thereOf adds up the hours of demand. Rows of one key in two currencies have the same hours.
func thereOf(sums []DemandSum, teams map[ledger.ID]string) *present {
	p := &present{
		workloads: map[workloadModel]advice.Presence{},
		cards:     map[[2]string]advice.Presence{}, jobs: map[[3]string]advice.Presence{},
	}
	for i := range sums {
		k := &sums[i].Key
		of := subjectOf(&sums[i])
		merge(p.workloads, workloadModel{of, k.GPUModel}, sums[i].Held)
		merge(p.workloads, workloadModel{of, ""}, sums[i].Held)
		if k.Profile != "" {
			merge(p.cards, [2]string{k.Cluster, k.GPUModel}, sums[i].Held)
		}
		if k.Class == "run" && k.PriceClass == string(ledger.OnDemand) {
			merge(p.jobs, [3]string{k.Cluster, k.InstanceType, cmp.Or(teams[k.OwnerID], owner.Unowned)}, sums[i].Held)
		}
	}
	return p
}

func merge[K comparable](into map[K]advice.Presence, at K, hours advice.Presence) {
	if into[at] == nil {
		into[at] = advice.Presence{}
	}
	into[at].Merge(hours)
}

// workload are the hours of a root workload on a model, else on any; nil: none.
func (p *present) workload(of advice.Subject, model string) advice.Presence {
	if hours := p.workloads[workloadModel{of, model}]; hours != nil {
		return hours
	}
	return p.workloads[workloadModel{of, ""}]
}
