package truth

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

// RunFigures is section 15 of docs/figures.md for one run, computed from the true ledger. Money is exact; nil if
// unknown.
type RunFigures struct {
	RunID                              string
	Effective, Used, Overhead          *big.Rat
	GPUHours, ActiveGPUHours           *big.Rat // of time that has a cost
	RestartOverhead, GangWait          *big.Rat
	OnDemand, NetSpotSavings           *big.Rat
	TimeToTrain                        int64    // seconds; -1: not completed
	BurnRate, Projected                *big.Rat // per hour; of running runs
	RunsOutAt                          int64    // 0: not known
	Steps                              int64    // postings, each of which an engine may have rounded
	onDemandUnknown, onSpot, spotKnown bool
}

// describe sets the attributes of a run apart from its attempts.
func (t *truth) describe(r *Run, attempts []Attempt, pods []*heldPod) {
	r.Model, r.Budget = world.FirstLabel(pods[0].p.Labels, "label_model"),
		world.FirstLabel(pods[0].p.Labels, "label_max_cost_per_run")
	r.Created, r.Started = t.runCreated(pods), attempts[0].StartedAt
	instants := map[int64]bool{}
	for i := range attempts {
		a := &attempts[i]
		r.Started, r.Ended = min(r.Started, a.StartedAt), max(r.Ended, a.EndAt)
		r.GPUs = max(r.GPUs, slotsAtOnce(a, pods))
		for _, h := range pods {
			if !slices.Contains(a.PodUIDs, h.p.UID) {
				continue
			}
			for at := world.CeilTo(max(h.p.Started, t.World.From),
				world.CheckpointSecond); at < min(h.p.End, t.World.To); at += 60 {
				if v := fleetsim.GaugeAt(h.p, at); v > a.StartedAt && v <= a.EndAt {
					instants[v] = true
				}
			}
		}
	}
	r.Checkpoints = len(instants)
	if r.Status == "running" {
		r.Ended = 0
	}
}

// slotsAtOnce is the most slots that an attempt held in any second.
func slotsAtOnce(a *Attempt, pods []*heldPod) int {
	most := 0
	for _, begin := range pods {
		for _, s := range begin.segments {
			if s.attempt == nil || s.attempt.key() != a.key() {
				continue
			}
			slots := map[string]bool{}
			for _, h := range pods {
				if o := h.segmentAt(s.from); o.attempt == nil || o.attempt.key() != a.key() || s.from < h.from || s.from >= h.to {
					continue
				}
				for _, x := range h.holds {
					slots[fmt.Sprint(h.nt.n.InstanceID, "/", x.dev.Index)] = true
				}
				if len(h.holds) == 0 { // it could not be placed: its request
					for n := range h.asked() {
						slots[fmt.Sprint(h.p.UID, "/", n)] = true
					}
				}
			}
			most = max(most, len(slots))
		}
	}
	return most
}

// asked is how many GPUs or parts of them a pod requests.
func (h *heldPod) asked() (n int64) {
	for _, r := range h.p.Requests {
		if strings.HasPrefix(r.Resource, "nvidia_com_") {
			n += r.N
		}
	}
	return n
}

// onDemandPrice is the on-demand cost of a run's posting; nil if unknown.
type onDemandPrice func(p *Posting) *big.Rat

// RunFiguresOf computes the figures of every run. Rates are those of the fleet's price book.
func RunFiguresOf(f *fleetsim.Fleet, l *Ledger) map[string]*RunFigures {
	var now int64
	spot := map[string]bool{}
	for _, n := range l.Nodes {
		now = max(now, n.GoneAt)
		spot[n.Instance] = n.PriceClass == "spot"
	}
	price := onDemandPricesOf(f)
	out := map[string]*RunFigures{}
	for i := range l.Runs {
		out[l.Runs[i].ID] = newRunFigures(&l.Runs[i])
	}
	tries := map[string]*Attempt{}
	for i := range l.Attempts {
		tries[l.Attempts[i].key()] = &l.Attempts[i]
	}
	waits := gangWaits(l)
	priced, paid := map[Key]bool{}, map[Key]string{} // usage rows with a price; the run of those that fees pay for
	hours := map[string]map[int64]*big.Rat{}         // cost by run and hour
	held := map[string]map[int64]bool{}
	for i := range l.Postings {
		p := &l.Postings[i]
		r := out[p.RunID]
		if r == nil {
			continue
		}
		r.onSpot = r.onSpot || spot[p.Instance] && p.Slot >= 0
		if p.Effective == nil {
			continue
		}
		r.add(p, tries, spot[p.Instance] && p.Slot >= 0, price)
		if p.Kind == "amortise" {
			paid[p.Key] = p.RunID
		} else if p.List != nil {
			priced[p.Key] = true
		}
		if w := waits[waitKey(&p.Key)]; p.Cause == "overhead" && w.overhead > 0 {
			r.GangWait.Add(r.GangWait, new(big.Rat).Mul(p.Effective, big.NewRat(w.waiting, w.overhead)))
		}
		if hours[p.RunID] == nil {
			hours[p.RunID], held[p.RunID] = map[int64]*big.Rat{}, map[int64]bool{}
		}
		if hours[p.RunID][p.Hour] == nil {
			hours[p.RunID][p.Hour] = new(big.Rat)
		}
		hours[p.RunID][p.Hour].Add(hours[p.RunID][p.Hour], p.Effective)
		if p.GPUHours != nil && p.GPUHours.Sign() > 0 {
			held[p.RunID][p.Hour] = true
		}
	}
	for row, run := range paid { // time in a capacity block: no line lists it
		if !priced[row] {
			out[run].onDemandUnknown = true
		}
	}
	for i := range l.Postings { // it is paid for nonetheless
		if p := &l.Postings[i]; p.Effective == nil && p.GPUHours != nil && paid[p.Key] != "" {
			r := out[p.RunID]
			r.GPUHours.Add(r.GPUHours, p.GPUHours)
			r.ActiveGPUHours.Add(r.ActiveGPUHours, p.ActiveGPUHours)
		}
	}
	for i := range l.Runs {
		run := &l.Runs[i]
		r := out[run.ID]
		if r.onDemandUnknown {
			r.OnDemand = nil
		}
		if r.onSpot && !r.spotKnown {
			r.NetSpotSavings = nil
		}
		if run.Status == "running" {
			r.outlook(run, l.Runs, now, hours[run.ID], held[run.ID])
		}
	}
	return out
}

func newRunFigures(run *Run) *RunFigures {
	zero := func() *big.Rat { return new(big.Rat) }
	r := &RunFigures{RunID: run.ID, Effective: zero(), Used: zero(), Overhead: zero(), GPUHours: zero(),
		ActiveGPUHours:  zero(),
		RestartOverhead: zero(), GangWait: zero(), OnDemand: zero(), NetSpotSavings: zero(), TimeToTrain: -1}
	if run.Status == "succeeded" {
		r.TimeToTrain = run.Ended - run.Created
	}
	return r
}

// add is 15.2 and 15.4 for one posting.
func (r *RunFigures) add(p *Posting, tries map[string]*Attempt, onSpot bool, priceOf onDemandPrice) {
	r.Steps++
	r.Effective.Add(r.Effective, p.Effective)
	if p.GPUHours != nil {
		r.GPUHours.Add(r.GPUHours, p.GPUHours)
		r.ActiveGPUHours.Add(r.ActiveGPUHours, p.ActiveGPUHours)
	}
	try := Attempt{RunID: p.RunID, Task: p.Task, Number: p.Attempt}
	ended := func(number int) string {
		try.Number = number
		if a := tries[try.key()]; a != nil {
			return a.Reason
		}
		return ""
	}
	interrupted := false
	switch p.Cause {
	case "used":
		r.Used.Add(r.Used, p.Effective)
	case "overhead":
		r.Overhead.Add(r.Overhead, p.Effective)
		if p.Attempt > 1 {
			r.RestartOverhead.Add(r.RestartOverhead, p.Effective)
		}
		interrupted = ended(p.Attempt-1) == "spot_interruption"
	case "lost":
		interrupted = ended(p.Attempt) == "spot_interruption"
	}
	if interrupted {
		r.NetSpotSavings.Sub(r.NetSpotSavings, p.Effective)
	}
	price := priceOf(p)
	if price == nil {
		r.onDemandUnknown = r.onDemandUnknown || p.GPUHours != nil
		return
	}
	r.OnDemand.Add(r.OnDemand, price)
	if onSpot {
		r.spotKnown = true
		r.NetSpotSavings.Add(r.NetSpotSavings, new(big.Rat).Sub(price, p.Effective))
	}
}

type wait struct{ waiting, overhead int64 }

// waitKey names a workload's cost on a slice in an hour for one attempt.
func waitKey(k *Key) Key {
	key := *k
	key.Cause, key.Activity = "", ""
	return key
}

// gangWaits are the seconds of overhead, and of those the seconds before gangs were complete.
func gangWaits(l *Ledger) map[Key]wait {
	out := map[Key]wait{}
	for i := range l.Usage {
		u := &l.Usage[i]
		if u.Cause == "overhead" {
			w := out[waitKey(&u.Key)]
			out[waitKey(&u.Key)] = wait{w.waiting + u.GangWait, w.overhead + u.Seconds}
		}
	}
	return out
}

// outlook is 15.5.
func (r *RunFigures) outlook(run *Run, all []Run, now int64, cost map[int64]*big.Rat, held map[int64]bool) {
	last := now / 3600 * 3600
	sum, n := new(big.Rat), int64(0)
	for h := last - 6*3600; h < last; h += 3600 {
		if cost[h] != nil {
			sum.Add(sum, cost[h])
		}
		if held[h] {
			n++
		}
	}
	if n == 0 || sum.Sign() <= 0 {
		return
	}
	r.BurnRate = sum.Quo(sum, big.NewRat(n, 1))
	if run.Budget != "" {
		limit := world.Decimal(run.Budget)
		left := new(big.Rat).Sub(limit, r.Effective)
		if left.Sign() > 0 {
			seconds := left.Quo(left.Mul(left, big.NewRat(3600, 1)), r.BurnRate)
			r.RunsOutAt = now + new(big.Int).Quo(seconds.Num(), seconds.Denom()).Int64()
		} else {
			spent := new(big.Rat)
			for h := run.Started / 3600 * 3600; r.RunsOutAt == 0; h += 3600 {
				if cost[h] != nil {
					spent.Add(spent, cost[h])
				}
				if spent.Cmp(limit) >= 0 {
					r.RunsOutAt = h + 3600
				}
			}
		}
	}
	var usual []int64
	for _, o := range all {
		if o.Status == "succeeded" && o.Team == run.Team && o.Kind == run.Kind && o.Model == run.Model && o.GPUs == run.GPUs {
			usual = append(usual, o.Ended-o.Started)
		}
	}
	if len(usual) == 0 {
		return
	}
	slices.Sort(usual)
	more := max(0, usual[(len(usual)-1)/2]-(now-run.Started))
	r.Projected = new(big.Rat).Mul(r.BurnRate, big.NewRat(more, 3600))
	r.Projected.Add(r.Projected, r.Effective)
}
