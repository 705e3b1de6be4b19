package truth

import (
	"math/big"
	"slices"
	"strconv"
)

// placeOf names a slot of a machine.
func placeOf(instance string, slot int) string { return instance + "/" + strconv.Itoa(slot) }

// fragmentation is FGD at every full hour (docs/figures.md, 17.6).
func (p *packingTruth) fragmentation() {
	tasks := p.tasks()
	for _, n := range p.World.Nodes {
		nt := p.nodes[n]
		if nt.appeared == 0 {
			continue
		}
		for h := (nt.appeared + 3599) / 3600 * 3600; h < nt.gone; h += 3600 {
			free := p.freeAt(nt, h)
			if len(free) == 0 {
				continue
			}
			g := p.of(h/aDay*aDay, n.Type.Model)
			sum := new(big.Rat)
			for _, r := range free {
				sum.Add(sum, r)
			}
			for _, t := range tasks[dayAndModel{h / aDay * aDay, n.Type.Model}] {
				g.Stuck.Add(g.Stuck, fgdOf(free, t))
				g.Free.Add(g.Free, sum)
			}
		}
	}
}

// freeAt is the free part of each slot of a machine at a full hour.
func (p *packingTruth) freeAt(nt *nodeTruth, hour int64) []*big.Rat {
	type place struct {
		slot  int
		slice int32
	}
	type mean struct {
		weight  *big.Rat
		seconds int64
	}
	rows := map[place]*mean{} // of the hour
	for _, r := range p.rows[nodeHour{nt.n, hour}] {
		if r.Cause == "free" && r.PodUID == "" {
			k := place{r.Slot, r.Slice}
			if rows[k] == nil {
				rows[k] = &mean{new(big.Rat), 0}
			}
			rows[k].weight.Add(rows[k].weight, r.Weight)
			rows[k].seconds += r.Seconds
		}
	}
	if len(rows) == 0 {
		return nil
	}
	var out []*big.Rat
	for _, d := range nt.n.Devices {
		now := map[Key]*usageRow{}
		p.slot(now, nt, d, hour, hour+1)
		sum, counted := new(big.Rat), map[place]bool{}
		for k := range now {
			m := rows[place{k.Slot, k.Slice}]
			if k.Cause == "free" && k.PodUID == "" && m != nil && !counted[place{k.Slot, k.Slice}] {
				counted[place{k.Slot, k.Slice}] = true
				sum.Add(sum, new(big.Rat).Quo(m.weight, big.NewRat(m.seconds, 1)))
			}
		}
		if sum.Cmp(big.NewRat(1, 1)) > 0 {
			sum.SetInt64(1)
		}
		if sum.Sign() > 0 {
			out = append(out, sum)
		}
	}
	return out
}

// dayAndModel names the GPUs of a model on a UTC day.
type dayAndModel struct {
	day   int64
	model string
}

// tasks are the workloads that held on a day, by the number of their GPUs.
func (p *packingTruth) tasks() map[dayAndModel][]*big.Rat {
	type place struct {
		dayAndModel
		pod, instance string
		slot          int
		slice         int32
	}
	type holder struct {
		dayAndModel
		pod string
	}
	weight, seconds := map[place]*big.Rat{}, map[place]int64{}
	models := map[string]string{}
	for _, n := range p.World.Nodes {
		models[n.InstanceID] = n.Type.Model
	}
	for i := range p.out.Usage {
		u := &p.out.Usage[i]
		if u.PodUID == "" {
			continue
		}
		k := place{dayAndModel{u.Hour / aDay * aDay, models[u.Instance]}, u.PodUID, u.Instance, u.Slot, u.Slice}
		if weight[k] == nil {
			weight[k] = new(big.Rat)
		}
		weight[k].Add(weight[k], u.Weight)
		seconds[k] += u.Seconds
	}
	had := map[holder]*big.Rat{}
	for k, w := range weight {
		h := holder{k.dayAndModel, k.pod}
		if had[h] == nil {
			had[h] = new(big.Rat)
		}
		had[h].Add(had[h], new(big.Rat).Quo(w, big.NewRat(seconds[k], 1)))
	}
	out := map[dayAndModel][]*big.Rat{}
	for h, gpus := range had {
		out[h.dayAndModel] = append(out[h.dayAndModel], gpus)
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b *big.Rat) int { return a.Cmp(b) })
	}
	return out
}
