package truth

import (
	"math/big"

	"gpuledger/internal/fleetsim/world"
)

// anyPick are labels that do not select a GPU model.
var anyPick = map[string]bool{"nodeselector_kubernetes_io_arch": true, "nodeselector_nvidia_com_gpu_present": true}

// picksNothing reports whether the pod accepts any GPU model.
func picksNothing(p *world.Pod) bool {
	for _, l := range p.Selectors() {
		if !anyPick[l.Key] {
			return false
		}
	}
	return p.Life == nil
}

// modelHour is a GPU model in an hour, in a currency.
type modelHour struct {
	model, currency string
	hour            int64
}

// unpicked finds workloads that got a dearer model than the cheapest of the cluster without having selected one.
func (w *wasteTruth) unpicked() {
	model := map[string]string{} // of machines that were in the cluster
	for _, n := range w.machines() {
		if n.Joined {
			model[n.InstanceID] = n.Type.Model
		}
	}
	hours, money, models := map[modelHour]*big.Rat{}, map[modelHour]*big.Rat{}, map[string]bool{}
	for k, row := range w.rows {
		if model[k.Instance] == "" {
			continue
		}
		for currency, cost := range row.cost {
			at := modelHour{model[k.Instance], currency, k.Hour}
			if models[at.model] = true; hours[at] == nil {
				hours[at], money[at] = new(big.Rat), new(big.Rat)
			}
			hours[at].Add(hours[at], row.hours)
			money[at].Add(money[at], cost)
		}
	}
	perHour := func(at modelHour) *big.Rat {
		if hours[at] == nil || hours[at].Sign() <= 0 || money[at].Sign() <= 0 {
			return nil
		}
		return new(big.Rat).Quo(money[at], hours[at])
	}
	// beyond is the extra cost of an hour of the model compared with the cheapest.
	beyond := func(at modelHour) *big.Rat {
		mine, most := perHour(at), new(big.Rat)
		for other := range models {
			if r := perHour(modelHour{other, at.currency, at.hour}); mine != nil && r != nil {
				if d := new(big.Rat).Sub(mine, r); d.Cmp(most) > 0 {
					most = d
				}
			}
		}
		return most
	}
	by := map[string][]*hold{}
	for _, h := range w.held {
		for _, x := range h.holds {
			if x.slice == world.WholeDevice && picksNothing(h.p) {
				by[w.workload(h.p)] = append(by[w.workload(h.p)], x)
			}
		}
	}
	for name, holds := range by {
		dear := func(s *stretch) map[string]*big.Rat {
			out := map[string]*big.Rat{}
			for currency := range w.rows[s.key].cost {
				if d := beyond(modelHour{model[s.key.Instance], currency, s.key.Hour}); d.Sign() > 0 {
					out[currency] = d
				}
			}
			return out
		}
		var list []world.Span
		for _, x := range holds {
			for _, s := range w.lives[x] {
				if w.rows[s.key] != nil && len(dear(s)) > 0 {
					list = append(list, world.Span{From: s.from, To: s.to})
				}
			}
		}
		for _, g := range groups(list, 6*3600) {
			if g.seconds < 3600 {
				continue
			}
			f := w.risk("no_product_selector", name, g.From, g.To)
			f.instead = map[string]*big.Rat{}
			for _, x := range holds {
				for _, s := range w.lives[x] {
					row := w.rows[s.key]
					if row == nil || row.seconds == 0 || s.from < g.From || s.to > g.To {
						continue
					}
					for currency, d := range dear(s) {
						part := new(big.Rat).Mul(row.hours, big.NewRat(s.to-s.from, row.seconds))
						if f.instead[currency] == nil {
							f.instead[currency] = new(big.Rat)
						}
						f.instead[currency].Add(f.instead[currency], part.Mul(part, d))
					}
					if len(dear(s)) > 0 {
						f.addSeconds(s.key, s.to-s.from)
						f.met = append(f.met, world.Span{From: s.from, To: s.to})
					}
				}
			}
		}
	}
}
