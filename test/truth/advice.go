package truth

import (
	"cmp"
	"math/big"
	"strings"

	"gpuledger/internal/fleetsim"
)

// AdviceKey names a recommendation: the action, its subject, the GPUs in the driver's naming (empty: several), and the
// currency.
type AdviceKey struct{ Kind, Subject, Model, Currency string }

// Advice is the evidence of a recommendation.
type Advice struct {
	Cost     *big.Rat       // of the subject, in the window of the evidence
	Saving   *big.Rat       // in that window
	Monthly  *big.Rat       // saving in 730 hours; nil: the fleet is younger than 7 days, or its subject than 3
	There    map[int64]bool // hours in which its subject existed
	Hours    int64          // from the first of them on
	Machines int64          // to commit to
	Stranded *big.Rat       // of a commitment in 730 hours, with a fifth less demand
}

// advised are the kinds of findings that lead to a recommendation, and whether it would save their cost
// (docs/figures.md, 19.1).
var advised = map[string]struct {
	kind  string
	saves bool
}{
	"hoarding": {"stop_idle", true}, "preprovisioned": {"stop_idle", true},
	"crashed_job": {"stop_idle", true}, "forgotten_notebook": {"stop_idle", true},
	"crash_loop": {"stop_idle", true}, "orphaned_node": {"stop_idle", true},
	"overprovisioned_service": {"fewer_replicas", true},
	"no_checkpoint":           {"add_checkpoints", false}, "untainted_gpu_node": {"taint_nodes", false},
	"checkpoint_interval": {"add_checkpoints", false}, "not_restartable": {"allow_retries", false},
	"mixed_on_shared_card": {"separate_work", false}, "no_product_selector": {"select_model", false},
}

// Advices lists the recommendations that follow from findings, from how steady demand is, and from what workloads need,
// except those on their size. It is for fleets that are younger than the 28 days of evidence.
func Advices(f *fleetsim.Fleet, demands map[DemandKey]*Demand, sizes map[SizeKey]*Size) map[AdviceKey]*Advice {
	out := map[AdviceKey]*Advice{}
	type evidence struct {
		n    int
		open bool
	}
	seen := map[AdviceKey]evidence{}
	since, until := Evidence(f)
	hours := (until - since) / 3600
	for _, t := range truths(f) {
		w := t.wasteLog()
		end := t.seenUntil()
		about := w.subjects()
		for _, x := range w.found {
			to, ok := advised[x.Kind]
			if !ok {
				continue
			}
			who := about[x.Subject]
			costs := x.Cost
			if len(costs) == 0 {
				costs = map[string]*big.Rat{"": new(big.Rat)}
			}
			for currency, cost := range costs {
				k := AdviceKey{to.kind, who.name, who.model, currency}
				if out[k] == nil {
					out[k] = &Advice{Cost: new(big.Rat), Monthly: new(big.Rat)}
				}
				out[k].Cost.Add(out[k].Cost, cost)
				if to.saves {
					out[k].Monthly.Add(out[k].Monthly, cost)
				}
				e := seen[k]
				seen[k] = evidence{e.n + 1, e.open || x.To > end-7200 && !who.ended}
			}
		}
	}
	for k, e := range seen {
		if !e.open && e.n < 2 { // once and over
			delete(out, k)
		}
	}
	there := presenceOf(f)
	together(sizes, out, there, until)
	for _, t := range truths(f) {
		t.toSpot(out)
	}
	_, packed := Layouts(f)
	recut(packed, out)
	committed(f, demands, since, out)
	for k, a := range out {
		if a.There == nil {
			a.There = there.of(k)
		}
		if a.Hours == 0 {
			a.Hours = (until - max(since, first(a.There))) / 3600
		}
		days := map[int64]bool{}
		for h := range a.There {
			days[h/aDay] = true
		}
		if a.Saving, a.Monthly = a.Monthly, nil; hours < 7*24 {
			continue
		}
		if a.Saving.Sign() == 0 {
			a.Monthly = new(big.Rat)
		} else if len(days) >= 3 {
			a.Monthly = new(big.Rat).Mul(a.Saving, big.NewRat(730, a.Hours))
		}
	}
	return out
}

// Evidence is the time that advice covers: from the first hour of usage on the first day with any holder to the last
// hour of all.
func Evidence(f *fleetsim.Fleet) (from, to int64) {
	var day int64
	all := truths(f)
	for _, t := range all {
		for i := range t.out.Usage {
			if u := &t.out.Usage[i]; u.PodUID != "" && (day == 0 || u.Hour < day) {
				day = u.Hour / aDay * aDay
			}
		}
	}
	for _, t := range all {
		for i := range t.out.Usage {
			if h := t.out.Usage[i].Hour; h >= day {
				if from == 0 || h < from {
					from = h
				}
				to = max(to, h+3600)
			}
		}
	}
	return from, to
}

// adviceSubject is the owner who would act on findings of a subject.
type adviceSubject struct {
	name, model string
	ended       bool
}

// subjects are the root workloads of holders, and the other subjects of findings.
func (w *wasteTruth) subjects() map[string]adviceSubject {
	out := map[string]adviceSubject{}
	for _, n := range w.World.Nodes {
		for _, name := range []string{w.machine(n), n.InstanceID} {
			out[name] = adviceSubject{name, n.Type.Model, false}
		}
	}
	for _, h := range w.held {
		if len(h.holds) == 0 {
			continue
		}
		model := h.p.Node.Type.Model
		out[w.holder(h)] = adviceSubject{w.workload(h.p), model, h.outcome != "running"}
		for _, x := range h.holds {
			out[w.card(x.dev)] = adviceSubject{w.card(x.dev), model, false}
		}
		if classOf(h.p) == "service" || picksNothing(h.p) {
			out[w.workload(h.p)] = adviceSubject{w.workload(h.p), model, false}
		}
		if h.runID != "" {
			other, ok := out[h.runID] // for any model; over when all of it is
			out[h.runID] = adviceSubject{w.workload(h.p), "", h.outcome != "running" && (other.ended || !ok)}
		}
	}
	return out
}

// seenUntil is the end of the machines' observation.
func (t *truth) seenUntil() int64 {
	var end int64
	for _, nt := range t.nodes {
		end = max(end, nt.gone)
	}
	return end
}

// WorkloadDay names the cost of a root workload, named as in findings, on a day.
type WorkloadDay struct {
	Subject  string
	Day      int64
	Currency string
}

// WorkloadCosts is the cost of root workloads' pods on GPU slots.
func WorkloadCosts(f *fleetsim.Fleet) map[WorkloadDay]*big.Rat {
	out := map[WorkloadDay]*big.Rat{}
	for _, t := range truths(f) {
		roots := map[string]string{}
		for _, h := range t.held {
			roots[h.p.UID] = strings.Join([]string{t.Config.Cluster, h.p.NS, h.p.RootKind, h.p.RootName}, "/")
		}
		for i := range t.out.Postings {
			p := &t.out.Postings[i]
			if p.PodUID == "" || p.Effective == nil {
				continue
			}
			k := WorkloadDay{roots[p.PodUID], p.Hour / aDay * aDay, cmp.Or(p.Currency, t.Site.Currency)}
			if out[k] == nil {
				out[k] = new(big.Rat)
			}
			out[k].Add(out[k], p.Effective)
		}
	}
	return out
}
