package attempt

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// fullWeight is the weight of a segment whose attempt has the pod to itself, in ppm.
const fullWeight = 1_000_000

// finish makes the ledger's attempt of a try.
func (t *try) finish(run *ledger.Run, saved []period.Second, pol policy.Policy) ledger.Attempt {
	a := ledger.Attempt{
		ID: ledger.NewID("attempt", run.ID, t.task, strconv.Itoa(t.number)), RunID: run.ID, Number: t.number, Task: t.task,
		Span: t.span, Running: t.outcome == ledger.Running, Outcome: t.outcome, Reason: t.reason, GangComplete: t.complete,
		Pricing: t.pricing(), Nodes: t.nodes(), GPUs: t.gpus(), LastCheckpoint: t.savedWithin(t.span, saved),
	}
	if a.Reason == "" {
		a.Reason = t.lastLost()
	}
	switch {
	case !losing(run.Kind):
	case a.Outcome == ledger.OutcomeUnknown:
		a.MayLoseFrom = cmp.Or(a.LastCheckpoint, t.span.From)
	case loses(a.Outcome, pol):
		a.LossBasis, a.LossFrom = ledger.LossNone, t.span.From
		if a.LastCheckpoint != 0 {
			a.LossBasis, a.LossFrom = ledger.LossCheckpoint, a.LastCheckpoint
		}
	}
	t.loseMembers(&a, run, saved, pol)
	a.Segments = t.weighed()
	return a
}

// loses reports whether an attempt with this outcome loses its work (rule 6.10).
func loses(o ledger.Outcome, pol policy.Policy) bool {
	return o.Loses() || o == ledger.Cancelled && pol.LoseCancelled
}

// weighed lists the attempt's part of each workload, by start and workload: full weight if it has the workload to
// itself, else one share per segment.
func (t *try) weighed() []ledger.Segment {
	var out []ledger.Segment
	shared := false
	for i := range t.pieces {
		p := &t.pieces[i]
		if !p.shared {
			out = append(out, ledger.Segment{
				Workload: p.pod.id, From: p.from, To: p.to, Weight: fullWeight, LossBasis: p.lossBasis, LossFrom: p.lossFrom,
			})
			continue
		}
		shared = true
		p.pod.load.cut(p.from, p.to, func(i period.Interval, by int) {
			out = append(out, ledger.Segment{Workload: p.pod.id, From: i.From, To: i.To, Weight: fullWeight / int64(max(by, 1))})
		})
	}
	if shared {
		out = joined(out)
	}
	slices.SortFunc(out, func(x, y ledger.Segment) int {
		return cmp.Or(cmp.Compare(x.From, y.From), bytes.Compare(x.Workload[:], y.Workload[:]))
	})
	return out
}

// joined adds up equal stretches of one workload and joins neighbours of equal weight.
func joined(list []ledger.Segment) []ledger.Segment {
	slices.SortFunc(list, func(x, y ledger.Segment) int {
		return cmp.Or(bytes.Compare(x.Workload[:], y.Workload[:]), cmp.Compare(x.From, y.From))
	})
	added := list[:0]
	for _, s := range list { // stretches of one workload are equal or disjoint
		if n := len(added); n > 0 && added[n-1].Workload == s.Workload && added[n-1].From == s.From {
			added[n-1].Weight += s.Weight
			continue
		}
		added = append(added, s)
	}
	out := added[:0]
	for _, s := range added {
		if n := len(out); n > 0 && out[n-1].Workload == s.Workload && out[n-1].To == s.From && out[n-1].Weight == s.Weight {
			out[n-1].To = s.To
			continue
		}
		out = append(out, s)
	}
	return out
}

// lastWithin applies rule 6.9 to one list of checkpoints in order of time; 0 if there is none.
func lastWithin(saved []period.Second, span period.Interval) period.Second {
	i, found := slices.BinarySearch(saved, span.To)
	if found {
		i++
	}
	if i == 0 || saved[i-1] <= span.From {
		return 0
	}
	return saved[i-1]
}

// pricing is the price class of most of the held seconds; on a tie the first by name.
func (t *try) pricing() ledger.PriceClass {
	seconds := map[ledger.PriceClass]int64{}
	for i := range t.pieces {
		p := &t.pieces[i]
		if c := p.pod.priceClass(); c != ledger.UnknownRate {
			seconds[c] += int64(p.to - p.from)
		}
	}
	var best ledger.PriceClass
	for c, n := range seconds {
		if best == "" || n > seconds[best] || n == seconds[best] && c < best {
			best = c
		}
	}
	return best
}

// priceClass is the class of the pod's machine, else the one that its source gives.
func (p *pod) priceClass() ledger.PriceClass {
	if p.node.PriceClass != ledger.UnknownRate {
		return p.node.PriceClass
	}
	switch c := ledger.PriceClass(p.labels.get("gpuledgeriopricing")); c {
	case ledger.Spot, ledger.OnDemand, ledger.Reserved, ledger.SavingsPlan:
		return c
	}
	return ledger.UnknownRate
}

// nodes counts machines; unknown machines count by name.
func (t *try) nodes() int {
	type name struct {
		id            ledger.ID
		cluster, name string
	}
	seen := map[name]bool{}
	for i := range t.pieces {
		p := t.pieces[i].pod
		switch {
		case !p.node.ID.IsZero():
			seen[name{id: p.node.ID}] = true
		case p.Node != "" && p.System != ledger.SystemKubernetes:
			seen[name{cluster: p.Cluster, name: p.Node}] = true
		}
	}
	return len(seen)
}

// gpus is the largest number of GPU slots held at once.
func (t *try) gpus() int {
	type change struct {
		at period.Second
		by int64
	}
	changes := make([]change, 0, 2*len(t.pieces))
	for i := range t.pieces {
		p := &t.pieces[i]
		n := p.pod.slots()
		changes = append(changes, change{p.from, n}, change{p.to, -n})
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) })
	var now, most int64
	for _, c := range changes {
		now += c.by
		most = max(most, now)
	}
	return int(most)
}
