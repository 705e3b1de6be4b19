package truth

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

// SizeKey names a root workload's hold: the workload as in findings, the model in the driver's naming, the profile of
// its slices, empty for whole cards. Owners of pods of one workload differ only by the environment.
type SizeKey struct{ Subject, Model, Profile, Environment, Currency string }

// Size is its need for slices of one kind.
type Size struct {
	Type, Profile    string // of the machine; of the slices, empty: whole cards
	Mixed            bool   // several kinds: the other fields cover all of them
	Cluster, Class   string
	CardMiB          int64    // memory of a whole card
	Held             *big.Rat // GPU-hours
	Each             int      // most slices of one pod in an hour
	Hours            int      // hours in which it had a slice to itself, with telemetry
	Memory, Activity []int64  // of their minutes, MiB and ppm, ascending
	Cost             *big.Rat
	ListPrice        *big.Rat // of a card with its share of the machine, on demand
}

// Sizes computes how much workloads needed of the cards that they held (docs/figures.md, 19.2).
func Sizes(f *fleetsim.Fleet) map[SizeKey]*Size {
	out := map[SizeKey]*Size{}
	for _, t := range truths(f) {
		t.sizes(out)
	}
	for _, x := range out {
		slices.Sort(x.Memory)
		slices.Sort(x.Activity)
	}
	return out
}

func (t *truth) sizes(out map[SizeKey]*Size) {
	w := &wasteTruth{truth: t, signal: map[deviceDay]map[int32]*fleetsim.Signals{}}
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
		pods[h.p.UID] = h
	}
	for _, nt := range t.nodes {
		machines[nt.n.InstanceID] = nt
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
	of := func(uid string, k place) *Size {
		nt, profile := machines[k.instance], ""
		for _, s := range layoutOf(nt.layouts[nt.n.Devices[k.slot]], max(k.hour, pods[uid].from)) {
			if s.ID == k.slice {
				profile = s.Profile
			}
		}
		typ := nt.n.Type
		key := SizeKey{w.workload(pods[uid].p), typ.Model, profile, w.environment(pods[uid]), t.Site.Currency}
		if out[key] == nil {
			out[key] = &Size{
				Type: typ.Name, Profile: profile, Cluster: t.Config.Cluster, Class: classOf(pods[uid].p),
				CardMiB: typ.MemMiB, Held: new(big.Rat), Cost: new(big.Rat),
				ListPrice: new(big.Rat).Quo(world.Decimal(typ.OnDemand), big.NewRat(int64(typ.GPUs), 1)),
			}
		}
		return out[key]
	}
	for k, holders := range seconds {
		nt := machines[k.instance]
		d := nt.n.Devices[k.slot]
		for uid, held := range holders {
			x := of(uid, k)
			x.Held.Add(x.Held, gpuHours[podPlace{k, uid}])
			x.Each = max(x.Each, slots[podHour{k.hour, uid}])
			if len(holders) > 1 || held < 3000 {
				continue
			}
			memory := w.sampled(nt, d, k.slice, k.hour, 1, func(s *fleetsim.Signals, m int) int64 { return int64(s.FB[m]) })
			activity := w.activities(nt, d, k.slice, k.hour)
			if len(memory) == 0 || len(activity) == 0 {
				continue
			}
			x.Hours++
			x.Memory, x.Activity = append(x.Memory, memory...), append(x.Activity, activity...)
		}
	}
	for i := range t.out.Postings {
		if p := &t.out.Postings[i]; p.PodUID != "" && p.Effective != nil &&
			cmp.Or(p.Currency, t.Site.Currency) == t.Site.Currency {
			x := of(p.PodUID, place{p.Hour, p.Instance, p.Slot, p.Slice})
			x.Cost.Add(x.Cost, p.Effective)
		}
	}
}

// Smallest is the smallest MIG profile of the workload's A100 that holds its need plus percent, and its size relative
// to the present slice; empty: no profile is smaller.
func (x *Size) Smallest(percent int64) (profile string, part *big.Rat) {
	if !strings.HasPrefix(x.Type, "p4d.") || len(x.Memory) == 0 {
		return "", nil
	}
	card := int64(world.TypeOf(x.Type).MemMiB)
	memory, activity := Rank(x.Memory, 99)*percent/100, Rank(x.Activity, 95)*percent/100
	now, compute := big.NewRat(1, 1), int64(cardCompute)
	if p := world.ProfileOf(x.Profile); p != nil {
		now, compute = p.RawWeight(""), p.Compute
	}
	var best *world.MIGProfile
	for i := range world.A100Profiles {
		p := &world.A100Profiles[i]
		if p.RawWeight("").Cmp(now) >= 0 || card/cardMemory*p.Memory < memory || p.Compute*1_000_000 < activity*compute {
			continue
		}
		if best == nil || p.RawWeight("").Cmp(best.RawWeight("")) < 0 {
			best = p
		}
	}
	if best == nil {
		return "", nil
	}
	return best.Name, new(big.Rat).Quo(best.RawWeight(""), now)
}
