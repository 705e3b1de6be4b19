package analysis

import (
	"cmp"
	"context"
	"math/big"
	"slices"

	"gpuledger/allocation/owner"
	"gpuledger/internal/catalog"
	"gpuledger/internal/catalog/mig"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics/advice"
	"gpuledger/metrics/waste"
)

// adviceDays is how many whole days of evidence count, up to the newest.
const adviceDays = 28

// DemandSum is the demand of a root workload over several days, in one currency.
type DemandSum struct {
	DayDemand
	Cost     money.Amount
	Currency string
	State    ledger.State
}

// AdviceStore reads the evidence of recommendations and stores them.
type AdviceStore interface {
	// DemandWindow is the span of the newest stored days of demand, days long at most.
	DemandWindow(ctx context.Context, days int) (period.Interval, error)
	// DemandSums adds up days, ordered by key and currency.
	DemandSums(ctx context.Context, window period.Interval) ([]DemandSum, error)
	// AdviceFindings lists the findings that overlap a window.
	AdviceFindings(ctx context.Context, window period.Interval) ([]advice.Finding, error)
	// Interruptibles lists on-demand jobs that write checkpoints, with the measurements of spot machines of the same
	// type.
	Interruptibles(ctx context.Context, window period.Interval) ([]advice.Interruptible, error)
	// AdvisedRuns are the runs that moves to spot concern, without their shares, and all subjects whose findings they
	// replace.
	AdvisedRuns(ctx context.Context, within period.Interval,
		moves []advice.Recommendation) ([]WasteSubject, []waste.RunFacts, error)
	LevelStore
	// CardPools lists MIG cards with the fewest cards that could have held the same.
	CardPools(ctx context.Context, window period.Interval) ([]advice.Cards, error)
	// Isolated lists root workloads that ask for isolation.
	Isolated(ctx context.Context, window period.Interval) (map[advice.Subject]bool, error)
	// Teams lists the teams of owners.
	Teams(ctx context.Context) (map[ledger.ID]string, error)
	// SaveOwners adds missing owners.
	SaveOwners(ctx context.Context, owners []ledger.Owner) error
	// SaveRecommendations replaces undecided recommendations, marks which of the others still hold, and measures the
	// savings of those that are done.
	SaveRecommendations(ctx context.Context, window period.Interval, list []advice.Recommendation) (int64, error)
}

// advise makes recommendations from the last days.
func advise(ctx context.Context, a *Analyst) (int64, error) {
	window, err := a.Store.DemandWindow(ctx, adviceDays)
	if err != nil || window.Empty() {
		return 0, err
	}
	latest, err := a.Store.DemandWindow(ctx, adviceDays+1) // one more day: the newest is seldom complete
	if err != nil {
		return 0, err
	}
	latest.From = max(latest.From, latest.To-adviceDays*period.Day)
	sums, err := a.Store.DemandSums(ctx, window)
	if err != nil {
		return 0, err
	}
	teams, err := a.Store.Teams(ctx)
	if err != nil {
		return 0, err
	}
	there := thereOf(sums, teams)
	moves, err := a.movesToSpot(ctx, window, there)
	if err != nil {
		return 0, err
	}
	findings, err := a.Store.AdviceFindings(ctx, window)
	if err != nil {
		return 0, err
	}
	for i := range findings {
		if hours := there.workload(findings[i].Subject, findings[i].GPUModel); hours != nil {
			findings[i].There = hours
		}
	}
	list := advice.FromFindings(findings, window)
	demands := demandsOf(sums, window, list, there)
	isolated, err := a.Store.Isolated(ctx, window)
	if err != nil {
		return 0, err
	}
	unknown := 0
	for i := range demands {
		demands[i].Isolated = isolated[demands[i].Subject]
		if demands[i].CardMemory == 0 {
			unknown++
		}
	}
	if unknown > 0 {
		a.Log.Info("no size advised: neither catalogue nor telemetry has the card's memory size", "workloads", unknown)
	}
	offers, err := a.offers(ctx)
	if err != nil {
		return 0, err
	}
	list = append(list, sizes(demands, offers)...)
	list = append(list, moves...)
	bought, err := a.commitments(ctx, latest)
	if err != nil {
		return 0, err
	}
	list = append(list, bought...)
	pools, err := a.Store.CardPools(ctx, window)
	if err != nil {
		return 0, err
	}
	for i := range pools {
		pools[i].There = there.cards[[2]string{pools[i].Cluster, pools[i].GPUModel}]
		if r, ok := pools[i].ToLayout(); ok {
			list = append(list, r)
		}
	}
	if err := a.Store.SaveOwners(ctx, ofTeams(list)); err != nil {
		return 0, err
	}
	advice.Sort(list)
	list = advice.Distinct(list)
	advice.ClaimOf(list, holders(sums, teams))
	return a.Store.SaveRecommendations(ctx, window, list)
}

// holders lists holders and their slices, with their teams.
func holders(sums []DemandSum, teams map[ledger.ID]string) []advice.Holder {
	var list []advice.Holder
	for i := range sums {
		k := &sums[i].Key
		list = append(list, advice.Holder{Subject: subjectOf(&sums[i]), GPUModel: k.GPUModel, Profile: k.Profile,
			PriceClass: k.PriceClass, Type: k.InstanceType,
			Region: sums[i].Region, Team: cmp.Or(teams[k.OwnerID], owner.Unowned), Class: k.Class})
	}
	return list
}

// ofTeams assigns recommendations for a whole team's work to an owner that has only that team, and returns these
// owners.
func ofTeams(list []advice.Recommendation) []ledger.Owner {
	var owners []ledger.Owner
	for i := range list {
		r := &list[i]
		if r.Kind != advice.MoveToSpot {
			continue
		}
		var labels owner.Labels
		if team := r.Subject.Name; team != owner.Unowned {
			labels.Pod = map[string]string{"team": team}
		}
		o, _ := owner.Resolve(labels)
		r.OwnerID = o.ID
		owners = append(owners, o)
	}
	return owners
}

// sizes advises on size: per workload the size that saves most; notebooks on cards that cannot be partitioned share
// them.
func sizes(demands []advice.Demand, offers map[string][]advice.Offer) []advice.Recommendation {
	var list []advice.Recommendation
	shared := advice.OnOneCard(uncut(demands), advice.DefaultHeadroom)
	together := map[[3]string]bool{}
	for _, r := range shared {
		together[[3]string{r.Subject.Cluster, r.GPUModel, r.Currency}] = true
	}
	for i := range demands {
		d := &demands[i]
		if d.Class == "interactive" && d.Profile == "" && together[[3]string{d.Subject.Cluster, d.GPUModel, d.Currency}] {
			continue
		}
		best, ok := d.ToSlice(advice.DefaultHeadroom)
		regional := offers[d.Region]
		at := slices.IndexFunc(regional, func(o advice.Offer) bool {
			return o.InstanceType == d.InstanceType && o.Currency == d.Currency
		})
		if at >= 0 {
			if r, fits := d.ToCard(regional[at], regional, advice.DefaultHeadroom); fits &&
				(!ok || r.Saving.Cmp(best.Saving) > 0) {
				best, ok = r, true
			}
		}
		if ok {
			list = append(list, best)
		}
	}
	return append(list, shared...)
}

// uncut are the demands on cards without MIG.
func uncut(demands []advice.Demand) []advice.Demand {
	return slices.DeleteFunc(slices.Clone(demands), func(d advice.Demand) bool { return d.Cuttable() })
}

// demandsOf turns sums into demands. Cost that other advice already stops cannot be saved again by a smaller size; if
// a workload has several sizes, each bears its part of that cost, in proportion to its own. A workload's life has all
// hours in which it held the model, in any size: advice on its size is scaled by the same life as all other advice on
// it.
func demandsOf(
	sums []DemandSum, window period.Interval, stopped []advice.Recommendation, there *present,
) []advice.Demand {
	type about struct {
		subject         advice.Subject
		model, currency string
	}
	gone := map[about]money.Amount{}
	for _, r := range stopped {
		if r.Saving.Sign() > 0 {
			k := about{r.Subject, r.GPUModel, r.Currency}
			gone[k] = gone[k].Add(r.Saving)
		}
	}
	total := map[about]money.Amount{}
	for i := range sums {
		k := about{subjectOf(&sums[i]), sums[i].Key.GPUModel, sums[i].Currency}
		total[k] = total[k].Add(sums[i].Cost)
	}
	var list []advice.Demand
	for i := range sums {
		s := &sums[i]
		d := advice.Demand{Subject: subjectOf(s),
			Class: s.Key.Class, OwnerID: s.Key.OwnerID, Window: window,
			Device: s.Device, GPUModel: s.Key.GPUModel, Profile: s.Key.Profile,
			InstanceType: s.Key.InstanceType, Provider: s.Provider, Region: s.Region,
			CardsEach: s.Slices, Hours: int64(s.Hours), Days: int64(s.Days),
			There:    there.workload(subjectOf(s), s.Key.GPUModel),
			GPUHours: s.GPUHours.Rat(), Cost: s.Cost, Currency: s.Currency, State: s.State}
		d.CardMemory = cardMemory(s)
		d.MemoryP99, _ = s.Memory.Quantile(99)
		d.ActivityP95, _ = s.Activity.Quantile(95)
		k := about{d.Subject, d.GPUModel, d.Currency}
		if saved, ok := gone[k]; ok && total[k].Sign() > 0 {
			d.Cost = d.Cost.Sub(saved.MulRat(new(big.Rat).Quo(d.Cost.Rat(), total[k].Rat())))
		}
		list = append(list, d)
	}
	return list
}

// cardMemory is the memory of a whole card: from the catalogue's entry of the machine, else the used plus free memory
// of the card or its slice, else that of other catalogue machines with the model; 0: unknown.
func cardMemory(s *DemandSum) int64 {
	if t, ok := catalog.Lookup(s.Key.InstanceType); ok && t.MemoryMiB > 0 {
		return t.MemoryMiB << 20
	}
	card := mig.CardOf(s.Device)
	switch shape := card.ShapeOf(s.Key.Profile); {
	case s.SliceMemory > 0 && s.Key.Profile == "":
		return s.SliceMemory
	case s.SliceMemory > 0 && shape.Memory > 0:
		return s.SliceMemory * int64(card.Memory) / int64(shape.Memory)
	}
	return catalog.ModelMemory(s.Key.GPUModel) << 20
}

func subjectOf(s *DemandSum) advice.Subject {
	return advice.Subject{Cluster: s.Key.Cluster, Namespace: s.Key.Namespace, Kind: s.Key.Kind, Name: s.Key.Name}
}

// offers lists the on-demand prices of whole GPUs by region, from the catalogue.
func (a *Analyst) offers(ctx context.Context) (map[string][]advice.Offer, error) {
	public, err := a.Store.PublicPrices(ctx)
	if err != nil {
		return nil, err
	}
	offers := map[string][]advice.Offer{}
	for _, p := range public.All() {
		t, ok := catalog.LookupAt(p.Provider, p.InstanceType)
		if !ok || p.PriceClass != ledger.OnDemand || t.MemoryMiB == 0 || t.GPUs.Cmp(big.NewRat(1, 1)) < 0 {
			continue
		}
		offers[p.Region] = append(offers[p.Region],
			advice.Offer{InstanceType: p.InstanceType, GPUModel: t.GPUModel, Memory: t.MemoryMiB << 20,
				PerGPUHour: p.Hourly.MulRat(new(big.Rat).Inv(t.GPUs)), Currency: p.Currency})
	}
	return offers, nil
}
