package truth

import (
	"math/big"
	"slices"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

// mostUnsaved is the policy's longest interval between checkpoints, 2 h.
const mostUnsaved = 7200

// seldomSaved finds training that saves rarely: for at least half of its seconds, the stretch without a checkpoint
// around them is longer than allowed.
func (w *wasteTruth) seldomSaved() {
	for _, r := range w.out.Runs {
		if r.Kind != "training" && r.Kind != "fine_tuning" {
			continue
		}
		var all, within, beyond int64
		var long []world.Span
		saves := false
		tries, life := w.tries(r.ID)
		for _, a := range tries {
			all += a.EndAt - a.StartedAt
			edges := append(w.savedIn(a), a.StartedAt, a.EndAt)
			saves = saves || len(edges) > 2
			slices.Sort(edges)
			for k := 1; k < len(edges); k++ {
				if d := edges[k] - edges[k-1]; d > mostUnsaved {
					beyond += d - mostUnsaved
					long = append(long, world.Span{From: edges[k-1], To: edges[k]})
				} else {
					within += d
				}
			}
		}
		if !saves || 2*(all-within) < all || beyond == 0 {
			continue
		}
		f := w.risk("checkpoint_interval", r.ID, life.From, life.To)
		f.met = long
		for _, h := range w.held {
			if h.runID != r.ID {
				continue
			}
			for _, x := range h.holds {
				for _, s := range w.lives[x] {
					f.add(s.key, big.NewRat((s.to-s.from)*beyond, all))
				}
			}
		}
	}
}

// tries are the attempts of a run, and its life from the first start to the last end.
func (w *wasteTruth) tries(id string) (list []*Attempt, life world.Span) {
	for i := range w.out.Attempts {
		a := &w.out.Attempts[i]
		if a.RunID != id {
			continue
		}
		if len(list) == 0 || a.StartedAt < life.From {
			life.From = a.StartedAt
		}
		life.To = max(life.To, a.EndAt)
		list = append(list, a)
	}
	return list, life
}

// savedIn lists the checkpoints of an attempt that scrapes saw (rule 6.9).
func (w *wasteTruth) savedIn(a *Attempt) (out []int64) {
	for _, h := range w.held {
		if !slices.Contains(a.PodUIDs, h.p.UID) {
			continue
		}
		for at := world.CeilTo(max(h.p.Started, w.truth.World.From),
			world.CheckpointSecond); at < min(h.p.End, w.truth.World.To); at += 60 {
			if v := fleetsim.GaugeAt(h.p, at); v > a.StartedAt && v <= a.EndAt && !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	return out
}

// onlyOnce finds runs that are not restarted and saved nothing, on spot or where spot is advised. Only bare pods are
// certain not to be restarted.
func (w *wasteTruth) onlyOnce() {
	moves := map[AdviceKey]*Advice{}
	w.toSpot(moves)
	advised := map[string]bool{}
	for k := range moves {
		advised[k.Subject] = true
	}
	for _, r := range w.out.Runs {
		if r.RootKind != "Pod" || !slices.Contains([]string{"training", "fine_tuning", "evaluation", "batch"}, r.Kind) {
			continue
		}
		tries, life := w.tries(r.ID)
		safe := slices.ContainsFunc(tries, func(a *Attempt) bool { return a.Number > 1 || a.LastCheckpoint != 0 })
		var pods []*heldPod
		exposed := false
		for _, h := range w.held {
			if h.runID != r.ID {
				continue
			}
			pods = append(pods, h)
			switch class := w.PriceClass(h.p.Node); class {
			case "spot":
				exposed = true
			case "on_demand":
				exposed = exposed || advised[w.Config.Cluster+"/"+h.p.Node.Type.Name+"/"+h.team]
			}
		}
		if safe || !exposed {
			continue
		}
		f := w.risk("not_restartable", r.ID, life.From, life.To)
		for _, h := range pods {
			w.allOf(f, h)
		}
	}
}
