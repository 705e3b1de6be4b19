package serving

import (
	"strings"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Replica is a workload that held GPU time on the day.
type Replica struct {
	ID                       ledger.ID
	Cluster, Namespace, Name string
	Kind, OwnerName          string
	Service                  string // empty: not a service
	OwnerModel               string
	Hold                     period.Interval
	Policy                   policy.Serving
	Hours                    map[period.Second]*Held
}

// Held is an hour of a workload in the ledger.
type Held struct {
	GPUHours, UsedGPUHours, ActiveGPUHours money.Amount
	Held                                   bool    // it has usage; false: only money
	Activity                               []int64 // of its cards' minutes, packed (internal/sketch)
	Money                                  []Money
}

// Money is an hour's cost of one currency and state.
type Money struct {
	Currency, State string
	GPUHours        money.Amount // GPU-hours of the postings
	Causes          []CauseCost
}

// CauseCost is cost by cause; nil is unknown.
type CauseCost struct {
	Cause                               ledger.Cause
	Effective, Billed, List, Contracted *money.Amount
}

// Process is a source of counters: a model that a server serves in a pod.
type Process struct{ Cluster, Namespace, Pod, Server, Model, Engine string }

// Hour is an hour of a process' counters.
type Hour struct {
	Hour     period.Second
	Counters map[string]ledger.Minutes
}

// kindOfGroups is the kind with pods that form replicas in groups: NAME-3 leads NAME-3-1.
const kindOfGroups = "LeaderWorkerSet"

// replica is the name of the replica that the workload is or belongs to.
func (r *Replica) replica() string {
	if rest, ok := strings.CutPrefix(r.Name, r.OwnerName+"-"); ok && r.Kind == kindOfGroups {
		group, _, _ := strings.Cut(rest, "-")
		return r.OwnerName + "-" + group
	}
	return r.Name
}

// service is the service of the replica.
func (r *Replica) service() service {
	name := r.Service
	if name == "" {
		name = r.OwnerName
	}
	return service{r.Cluster, r.Namespace, name}
}

type service struct{ cluster, namespace, name string }
