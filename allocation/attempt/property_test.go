package attempt

import (
	"math/rand"
	"slices"
	"strconv"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// anyStory draws pods and jobs of all kinds, with numbers, restarts, evictions
// and segments that contradict each other.
func anyStory(t *rapid.T) *story {
	s := newStory().node("n1").node("n2", func(n *Node) { n.Life.To, n.Gone = at(200), true })
	owners := rapid.SampledFrom([]string{
		job, "Job/j", "Job/k", "Deployment/d", "RayCluster/r-1", "RayCluster/r-2", "Workflow/w",
	})
	ends := rapid.SampledFrom([]func(*ledger.WorkloadFact){
		succeeded, failed("Error"), deleted, func(*ledger.WorkloadFact) {},
	})
	extra := rapid.SampledFrom([]func(*ledger.WorkloadFact){
		func(*ledger.WorkloadFact) {}, func(*ledger.WorkloadFact) {}, label(ledger.LabelAttempt, "2"),
		label(ledger.LabelAttempt, "5"), label(ledger.LabelRunID, "mine"),
		labelled("ray.io/originated-from-cr-name", "job"), label(ledger.LabelTask, "x"),
		label("gpuledger.io/resumed-from", strconv.Itoa(int(at(50)))),
		func(p *ledger.WorkloadFact) { p.Outcome = ledger.Preempted },
	})
	for i := range rapid.IntRange(1, 12).Draw(t, "pods") {
		uid := string(rune('a' + i))
		from := rapid.IntRange(0, 300).Draw(t, "from")
		to := from + rapid.IntRange(1, 200).Draw(t, "long")
		node := rapid.SampledFrom([]string{"n1", "n2", ""}).Draw(t, "node")
		if rapid.IntRange(0, 2).Draw(t, "slurm") == 0 {
			s.life(rapid.SampledFrom([]string{"7", "8"}).Draw(t, "job"), node, from-rapid.IntRange(0, 50).Draw(t, "waited"),
				from, to,
				rapid.SampledFrom([]ledger.Outcome{
					ledger.Succeeded, ledger.Failed, ledger.NodeFailure, ledger.Running,
				}).Draw(t, "state"), extra.Draw(t, "extra"))
			s.in.Pods[len(s.in.Pods)-1].UID = uid
		} else {
			s.pod(uid, owners.Draw(t, "owner"), from, to, ends.Draw(t, "end"), worker(rapid.IntRange(0, 2).Draw(t, "worker")),
				on(node), extra.Draw(t, "extra"))
		}
		s.saved(uid, rapid.IntRange(from, to).Draw(t, "saved"))
		for range rapid.IntRange(0, 2).Draw(t, "events") {
			what := rapid.SampledFrom([]ledger.WorkloadEventKind{
				ledger.WorkloadRestarted, ledger.WorkloadRestarted,
				ledger.WorkloadSuspended, ledger.WorkloadEvicted, ledger.WorkloadPreempted,
			})
			kind := rapid.SampledFrom([][2]string{{"Pod", uid}, {"PyTorchJob", "train"}, {"Job", "j"}}).Draw(t, "of")
			s.happened(kind[0], kind[1], what.Draw(t, "what"), rapid.IntRange(from, to+5).Draw(t, "at"),
				rapid.SampledFrom([]string{"", "Error", "OOMKilled"}).Draw(t, "why"))
		}
		for range rapid.IntRange(0, 2).Draw(t, "segments") {
			begin := rapid.IntRange(from-10, to).Draw(t, "begin")
			s.segment(uid, rapid.SampledFrom([]string{"s1", "s2", "mine"}).Draw(t, "run"),
				int32(rapid.IntRange(0, 2).Draw(t, "number")),
				begin, rapid.SampledFrom([]int{-1, begin + 5, begin + 40}).Draw(t, "finish"),
				rapid.SampledFrom([]ledger.Outcome{"", ledger.Failed, ledger.Succeeded}).Draw(t, "outcome"))
		}
	}
	return s.warning("n2", 195).observedUntil(rapid.IntRange(0, 400).Draw(t, "observed")).
		object(ledger.ObjectFact{
			Kind: "Job", Name: "j", Created: t0, Attrs: map[string]string{"completions": "2", "parallelism": "2"},
		}).
		object(ledger.ObjectFact{
			Kind: "Job", Name: "j", Created: at(100), Attrs: map[string]string{"completions": "2", "parallelism": "2"},
		})
}

func TestOrderOfFactsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyStory(t)
		want := s.build()
		checkSegments(t, want)
		r := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		shuffle(r, s.in.Pods)
		shuffle(r, s.in.Objects)
		shuffle(r, s.in.Checkpoints)
		shuffle(r, s.in.Sources)
		shuffle(r, s.in.Events)
		shuffle(r, s.in.Happened)
		shuffle(r, s.in.Segments)
		if diff := gocmp.Diff(want, s.build()); diff != "" {
			t.Fatal(diff)
		}
	})
}

func shuffle[T any](r *rand.Rand, list []T) {
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

// checkSegments fails when attempts claim more than all of a workload in any
// second, when those of a run do not have all of its hold, or when a row would
// be stored twice.
func checkSegments(t *rapid.T, r Result) {
	type key struct {
		attempt, workload ledger.ID
		from              period.Second
	}
	rows, ids := map[key]bool{}, map[ledger.ID]bool{}
	held := map[ledger.ID][]ledger.Segment{}
	for _, a := range r.Attempts {
		if ids[a.ID] || a.Number < 1 {
			t.Fatalf("attempt %s#%d of %s twice", a.Task, a.Number, a.RunID)
		}
		ids[a.ID] = true
		if a.LossFrom != 0 && (a.LossFrom < a.Span.From || a.LossFrom > a.Span.To) {
			t.Fatalf("lost from %s outside %s", a.LossFrom, a.Span)
		}
		loses := a.LossFrom != 0
		for _, g := range a.Segments {
			if g.From < a.Span.From || g.To > a.Span.To || g.From >= g.To || g.Weight <= 0 {
				t.Fatalf("segment %+v outside its attempt %+v", g, a.Span)
			}
			if rows[key{a.ID, g.Workload, g.From}] {
				t.Fatalf("segment %+v twice", g)
			}
			if g.LossFrom != 0 && (g.LossFrom < g.From || g.LossFrom >= g.To || g.LossBasis == "") {
				t.Fatalf("segment %+v loses what it does not have", g)
			}
			loses = loses || g.LossFrom != 0
			rows[key{a.ID, g.Workload, g.From}] = true
			held[g.Workload] = append(held[g.Workload], g)
		}
		if loses != (a.LossBasis != "") {
			t.Fatalf("a loss without a basis, or a basis without a loss: %+v", a)
		}
	}
	for _, w := range r.Workloads {
		var cuts []period.Second
		for _, g := range held[w.ID] {
			cuts = append(cuts, g.From, g.To)
		}
		slices.Sort(cuts)
		for _, at := range slices.Compact(append(cuts, w.Hold.From)) {
			var sum int64
			for _, g := range held[w.ID] {
				if g.From <= at && at < g.To {
					sum += g.Weight
				}
			}
			if sum > fullWeight || sum < fullWeight-10 && w.RunID != "" && w.Hold.Contains(at) {
				t.Fatalf("%s of run %q has %d of a million at %s: %v", w.UID, w.RunID, sum, at, held[w.ID])
			}
		}
	}
}
