package advice

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// MostReplicas is the most replicas that a card is time-sliced into.
const MostReplicas = 4

// OnOneCard advises to time-slice cards between interactive workloads on whole cards of one model and cluster: as many
// per card as their largest memory (P99 with headroom) allows, if on average at least two of them ran at once. One
// recommendation per cluster and model, in the order of demands.
func OnOneCard(demands []Demand, headroom int64) []Recommendation {
	type pool struct{ cluster, model, currency string }
	var order []pool
	groups := map[pool][]Demand{}
	for _, d := range demands {
		p := pool{d.Subject.Cluster, d.GPUModel, d.Currency}
		if !d.mayShare() || d.Profile != "" || !d.believable() {
			continue
		}
		if groups[p] == nil {
			order = append(order, p)
		}
		groups[p] = append(groups[p], d)
	}
	var list []Recommendation
	for _, p := range order {
		if r, ok := onOneCard(p.cluster, groups[p], headroom); ok {
			list = append(list, r)
		}
	}
	return list
}

// mayShare reports whether a workload may have its card time-sliced: notebooks without a label for isolation. A service
// has users who wait, so at any objective it gets MIG slices, which neighbours cannot slow down.
func (d *Demand) mayShare() bool { return d.Class == "interactive" && !d.Isolated }

// Isolated reports whether a label asks for isolation: its key, without its prefix and in any spelling, ends in
// "isolation", and its value is not a negation.
func Isolated(key, value string) bool {
	switch strings.ToLower(value) {
	case "", "none", "no", "false", "off", "shared":
		return false
	}
	return strings.HasSuffix(strings.ToLower(key), "isolation")
}

func onOneCard(cluster string, group []Demand, headroom int64) (Recommendation, bool) {
	first := group[0]
	replicas, held, days, largest := int64(MostReplicas), new(big.Rat), first.Days, int64(0)
	there := Presence{}
	var cost money.Amount
	for _, d := range group {
		memory, _ := d.need(headroom)
		largest = max(largest, memory)
		replicas = min(replicas, d.CardMemory/max(memory, 1))
		held.Add(held, d.GPUHours)
		days = min(days, d.Days)
		there.Merge(d.There)
		cost = cost.Add(d.Cost)
		if d.OwnerID != first.OwnerID { // several owners: not one owner's alone
			first.OwnerID = ledger.ID{}
		}
		first.Window.From, first.Window.To = min(first.Window.From, d.Window.From), max(first.Window.To, d.Window.To)
	}
	life := there.In(first.Window)
	hours := big.NewRat(life.Hours(), 1)
	if replicas < 2 || hours.Sign() <= 0 || held.Cmp(new(big.Rat).Mul(hours, big.NewRat(2, 1))) < 0 {
		return Recommendation{}, false
	}
	// On average this many run at once; they fill cards of this many.
	together := new(big.Rat).Quo(held, hours)
	whole := new(big.Int).Quo(together.Num(), together.Denom()).Int64()
	replicas = min(replicas, whole)
	names := make([]string, len(group))
	for i, d := range group {
		names[i] = d.Subject.Namespace + "/" + d.Subject.Name
	}
	slices.Sort(names)
	life.Days = min(life.Days, days)
	return Recommendation{
		Kind: ShareCards, Subject: Subject{Cluster: cluster, Kind: "notebooks", Name: first.GPUModel},
		OwnerID: first.OwnerID, GPUModel: first.GPUModel, Window: first.Window,
		Proposal: fmt.Sprintf("Time-slice each %s into %d for notebooks, such as %s.", first.GPUModel, replicas, names[0]),
		Facts: []Fact{
			{"notebooks at once, on average", together.FloatString(1), "", "at least 2"},
			{"largest memory, P99 with headroom", gib(largest), "GiB", gib(first.CardMemory) + " GiB per card"},
		},
		Cost: cost, Saving: cost.MulRat(big.NewRat(replicas-1, replicas)), Currency: first.Currency,
		State: first.State, Life: life, Confidence: confidence(life.Days),
	}, true
}
