package advice

import (
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// Claim is time that a recommendation would save on: of one holder on one type
// of machine at one price, a part of it. Two recommendations overlap where they
// claim the same.
type Claim string

// The parts of what a holder has. Advice on size, sharing and commitments leaves
// out what idles, and advice on size what fewer replicas would save.
const (
	Idle     = "idle"     // causes held_idle and overhead
	Replicas = "replicas" // more of them than needed
	Working  = "working"  // all else
)

// claims are the parts that each kind of advice would save on.
var claims = map[string][]string{
	StopIdle: {Idle}, FewerReplicas: {Replicas}, SmallerSlice: {Working}, SmallerCard: {Working}, ShareCards: {Working},
	Commit: {Working, Replicas}, MoveToSpot: {Idle, Working}, Repartition: {Idle, Working, Replicas},
}

// Holder is who holds machines of one type at one price, as far as claims tell
// them apart.
type Holder struct {
	Subject                                           Subject
	GPUModel, Profile, PriceClass, Type, Region, Team string
	Class                                             string // run, service, interactive, system
}

// ClaimOf says what every recommendation would save on, by who holds what.
func ClaimOf(list []Recommendation, holders []Holder) {
	for i := range list {
		r := &list[i]
		r.Claims = nil
		for _, h := range holders {
			if !r.about(&h) {
				continue
			}
			for _, part := range claims[r.Kind] {
				r.Claims = append(r.Claims,
					Claim(h.Subject.String()+"|"+h.Type+"|"+h.Region+"|"+h.PriceClass+"|"+h.Profile+"|"+part))
			}
		}
		slices.Sort(r.Claims)
		r.Claims = slices.Compact(r.Claims)
	}
}

// about reports whether a recommendation would save on what a holder has.
func (r *Recommendation) about(h *Holder) bool {
	switch r.Kind {
	case Commit:
		return h.PriceClass == string(ledger.OnDemand) && h.Type == r.Subject.Kind && h.Region == r.Region &&
			h.Class == map[string]string{"training": "run", "serving": "service"}[r.Subject.Name]
	case MoveToSpot:
		return h.PriceClass == string(ledger.OnDemand) && h.Class == "run" && h.Subject.Cluster == r.Subject.Cluster &&
			h.Type == r.Subject.Kind && h.Team == r.Subject.Name
	case Repartition:
		return h.Profile != "" && h.Subject.Cluster == r.Subject.Cluster && h.GPUModel == r.GPUModel
	case ShareCards:
		return h.Class == "interactive" && h.Profile == "" && h.Subject.Cluster == r.Subject.Cluster &&
			h.GPUModel == r.GPUModel
	}
	return h.Subject == r.Subject && h.GPUModel == r.GPUModel
}

// Saver is a recommendation that is open or accepted and holds, as far as adding
// up needs it.
type Saver struct {
	ID       ledger.ID
	Currency string
	Saving   money.Amount // per month
	Claims   []Claim
}

// Overlaps adds savings up without counting the same time twice: in order of
// saving, the largest first, each counts unless it claims something of one that
// counts. It returns those that do not count, with the one that does instead.
func Overlaps(list []Saver) map[ledger.ID]ledger.ID {
	type claimed struct {
		Claim
		currency string
	}
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Saver) int {
		return cmp.Or(b.Saving.Cmp(a.Saving), cmp.Compare(a.ID.String(), b.ID.String()))
	})
	taken, out := map[claimed]ledger.ID{}, map[ledger.ID]ledger.ID{}
	for _, s := range list {
		if s.Saving.Sign() <= 0 {
			continue
		}
		for _, c := range s.Claims {
			if by, ok := taken[claimed{c, s.Currency}]; ok {
				out[s.ID] = by
				break
			}
		}
		if _, not := out[s.ID]; not {
			continue
		}
		for _, c := range s.Claims {
			taken[claimed{c, s.Currency}] = s.ID
		}
	}
	return out
}
