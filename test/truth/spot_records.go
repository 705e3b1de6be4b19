package truth

import (
	"cmp"
	"math/big"
)

// spotRecords is the teams' cost of spot machines and the part lost to interruptions, by team and currency; all teams
// under the empty name.
type spotRecords map[[2]string]*spotRecord

type spotRecord struct{ cost, lost *big.Rat }

// spotRecordsOf sums postings of the teams' holds on spot machines, and of the lost work and repeated starts that
// interruptions caused anywhere.
func spotRecordsOf(all []*truth) spotRecords {
	out := spotRecords{}
	for _, t := range all {
		spot, ended := map[string]bool{}, map[string]string{}
		for i, n := range t.World.Nodes {
			spot[n.InstanceID] = t.out.Nodes[i].PriceClass == "spot"
		}
		for i := range t.out.Attempts {
			ended[t.out.Attempts[i].key()] = t.out.Attempts[i].Reason
		}
		for i := range t.out.Postings {
			p := &t.out.Postings[i]
			if p.Effective == nil || p.Slot < 0 || p.Team == "" || p.Team == "unowned" {
				continue
			}
			try := Attempt{RunID: p.RunID, Task: p.Task, Number: p.Attempt}
			if p.Cause == "overhead" { // by the end of the try before
				try.Number--
			}
			taken := (p.Cause == "lost" || p.Cause == "overhead") && ended[try.key()] == "spot_interruption"
			for _, team := range []string{p.Team, ""} {
				r := out.of(team, cmp.Or(p.Currency, t.Site.Currency))
				if spot[p.Instance] {
					r.cost.Add(r.cost, p.Effective)
				}
				if taken {
					r.lost.Add(r.lost, p.Effective)
				}
			}
		}
	}
	return out
}

func (s spotRecords) of(team, currency string) *spotRecord {
	k := [2]string{team, currency}
	if s[k] == nil {
		s[k] = &spotRecord{new(big.Rat), new(big.Rat)}
	}
	return s[k]
}

// dear is the cost on spot per cost that was kept: of the team, else of all. Nil if it is unknown, or no cost was kept.
func (s spotRecords) dear(team, currency string) *big.Rat {
	for _, name := range []string{team, ""} {
		r := s.of(name, currency)
		if r.cost.Sign() <= 0 {
			continue
		}
		if kept := new(big.Rat).Sub(r.cost, r.lost); kept.Sign() > 0 {
			return kept.Quo(r.cost, kept)
		}
		return nil
	}
	return nil
}
