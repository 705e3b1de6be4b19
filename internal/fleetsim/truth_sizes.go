package fleetsim

import (
	"cmp"
	"math/big"
	"slices"
	"strings"
)

// SizeKey names what a root workload, as findings write it, holds: the model as
// drivers call it, the profile of its slices, empty: whole cards. Pods of one
// workload differ in their owner by the environment only.
type SizeKey struct{ Subject, Model, Profile, Environment, Currency string }

// TruthSize is what it needed of slices of one kind.
type TruthSize struct {
	Type, Profile    string // of the machine; of the slices, empty: whole cards
	Mixed            bool   // several kinds: the rest is of all of them
	Cluster, Class   string
	CardMiB          int64    // memory of a whole card
	Held             *big.Rat // GPU-hours
	Each             int      // most slices of one pod in an hour
	Hours            int      // of slices that it had to itself, with telemetry
	Memory, Activity []int64  // of their minutes, MiB and ppm, ascending
	Cost             *big.Rat
	ListPrice        *big.Rat // of a card with its share of the machine, on demand
}

// TruthSizes works out what workloads needed of the cards that they held
// (docs/figures.md, 19.2).
func (f *Fleet) TruthSizes() map[SizeKey]*TruthSize {
	out := map[SizeKey]*TruthSize{}
	for _, t := range f.truths() {
		t.sizes(out)
	}
	for _, x := range out {
		slices.Sort(x.Memory)
		slices.Sort(x.Activity)
	}
	return out
}

func (t *truth) sizes(out map[SizeKey]*TruthSize) {
	w := &wasteTruth{truth: t, signal: map[deviceDay]map[int32]*signals{}}
	type place struct {
		hour     int64
		instance string
		slot     int
		slice    int32
	}
	type podHour struct {
		hour int64
		pod  string
	}
	type podPlace struct {
		place
		pod string
	}
	gpuHours := map[podPlace]*big.Rat{}
	seconds, slots := map[place]map[string]int64{}, map[podHour]int{}
	pods, machines := map[string]*heldPod{}, map[string]*nodeTruth{}
	for _, h := range t.held {
		pods[h.p.uid] = h
	}
	for _, nt := range t.nodes {
		machines[nt.n.instanceID] = nt
	}
	for i := range t.out.Usage {
		u := &t.out.Usage[i]
		if u.PodUID == "" {
			continue
		}
		k := place{u.Hour, u.Instance, u.Slot, u.Slice}
		if seconds[k] == nil {
			seconds[k] = map[string]int64{}
		}
		if seconds[k][u.PodUID] == 0 {
			slots[podHour{u.Hour, u.PodUID}]++
		}
		seconds[k][u.PodUID] += u.Seconds
		gpuHours[podPlace{k, u.PodUID}] = sum(gpuHours[podPlace{k, u.PodUID}], u.GPUHours)
	}
	of := func(uid string, k place) *TruthSize {
		nt, profile := machines[k.instance], ""
		for _, s := range layoutOf(nt.layouts[nt.n.devices[k.slot]], max(k.hour, pods[uid].from)) {
			if s.id == k.slice {
				profile = s.profile
			}
		}
		typ := nt.n.typ
		key := SizeKey{w.workload(pods[uid].p), typ.model, profile, w.environment(pods[uid]), t.site.currency}
		if out[key] == nil {
			out[key] = &TruthSize{Type: typ.name, Profile: profile, Cluster: t.cfg.Cluster, Class: pods[uid].p.class(), CardMiB: typ.memMiB, Held: new(big.Rat), Cost: new(big.Rat), ListPrice: new(big.Rat).Quo(decimal(typ.onDemand), big.NewRat(int64(typ.gpus), 1))}
		}
		return out[key]
	}
	for k, holders := range seconds {
		nt := machines[k.instance]
		d := nt.n.devices[k.slot]
		for uid, held := range holders {
			x := of(uid, k)
			x.Held.Add(x.Held, gpuHours[podPlace{k, uid}])
			x.Each = max(x.Each, slots[podHour{k.hour, uid}])
			if len(holders) > 1 || held < 3000 {
				continue
			}
			memory := w.sampled(nt, d, k.slice, k.hour, 1, func(s *signals, m int) int64 { return int64(s.fb[m]) })
			activity := w.activities(nt, d, k.slice, k.hour)
			if len(memory) == 0 || len(activity) == 0 {
				continue
			}
			x.Hours++
			x.Memory, x.Activity = append(x.Memory, memory...), append(x.Activity, activity...)
		}
	}
	for i := range t.out.Postings {
		if p := &t.out.Postings[i]; p.PodUID != "" && p.Effective != nil && cmp.Or(p.Currency, t.site.currency) == t.site.currency {
			x := of(p.PodUID, place{p.Hour, p.Instance, p.Slot, p.Slice})
			x.Cost.Add(x.Cost, p.Effective)
		}
	}
}

// Smallest is the smallest MIG profile of the workload's A100 that holds what it
// needed and so many percent more, and the part that it is of the present
// slice; empty: nothing is smaller.
func (x *TruthSize) Smallest(percent int64) (profile string, part *big.Rat) {
	if !strings.HasPrefix(x.Type, "p4d.") || len(x.Memory) == 0 {
		return "", nil
	}
	card := int64(typeOf(x.Type).memMiB)
	memory, activity := Rank(x.Memory, 99)*percent/100, Rank(x.Activity, 95)*percent/100
	now, compute := big.NewRat(1, 1), int64(cardCompute)
	if p := profileOf(x.Profile); p != nil {
		now, compute = p.rawWeight(""), p.compute
	}
	var best *migProfile
	for i := range a100Profiles {
		p := &a100Profiles[i]
		if p.rawWeight("").Cmp(now) >= 0 || card/cardMemory*p.memory < memory || p.compute*1_000_000 < activity*compute {
			continue
		}
		if best == nil || p.rawWeight("").Cmp(best.rawWeight("")) < 0 {
			best = p
		}
	}
	if best == nil {
		return "", nil
	}
	return best.name, new(big.Rat).Quo(best.rawWeight(""), now)
}
