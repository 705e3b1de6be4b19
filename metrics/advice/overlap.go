package advice

import (
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// Claim is time that a recommendation would save on: a part of one holder's time on one type of machine at one price.
// Two recommendations overlap if they share a claim.
type Claim string

// Parts of a holder's time. Advice on size, sharing and commitments leaves out idle time, and advice on size leaves out
// the saving of fewer replicas.
const (
	Idle     = "idle"     // causes held_idle and overhead
	Replicas = "replicas" // surplus replicas
	Working  = "working"  // all else
)

// claims are the parts that each kind of advice would save on.
var claims = map[string][]string{
	StopIdle: {Idle}, FewerReplicas: {Replicas}, SmallerSlice: {Working}, SmallerCard: {Working}, ShareCards: {Working},
	Commit: {Working, Replicas}, MoveToSpot: {Idle, Working}, Repartition: {Idle, Working, Replicas},
}

// Holder is a holder of machines of one type at one price, with the attributes that separate claims.
type Holder struct {
	Subject                                           Subject
	GPUModel, Profile, PriceClass, Type, Region, Team string
	Class                                             string // run, service, interactive, system
}

// ClaimOf sets the claims of every recommendation, by the holders.
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

// about reports whether a recommendation would save on a holder's time.
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

// Saver is the part of an open or accepted recommendation that still holds which adding up needs.
type Saver struct {
	ID       ledger.ID
	Currency string
	Saving   money.Amount // per month
	Claims   []Claim
}

// Overlaps adds savings up without counting the same time twice: the largest saving first, each counts unless it shares
// a claim with one that counts. It returns the recommendations that do not count, each with the one that counts
// instead.
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
