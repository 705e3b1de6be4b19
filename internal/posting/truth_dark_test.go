package posting_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gpuledger/allocation/fleet"
	"gpuledger/allocation/policy"
	sim "gpuledger/internal/fleetsim/world"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/test/tier"
	"gpuledger/test/truth"
)

// Engine and oracle end lives at the same seconds, for any observations of a machine, however far apart (rule 2.11):
// samples in stretches, jobs, a creation without observation.
func TestDarkTimeAgreesWithTheTruth(t *testing.T) {
	tier.Check(t, 2000, func(r *rapid.T) {
		name := fleet.Name{Cluster: "c", Node: "n"}
		at := period.Second(1262304000 + rapid.Int64Range(0, 3*period.Day).Draw(r, "start")).Floor(period.Minute)
		pause := rapid.OneOf(rapid.Int64Range(1, 3*24*60), rapid.Int64Range(6*24*60, 10*24*60),
			rapid.Int64Range(25*24*60, 50*24*60), rapid.Int64Range(300*24*60, 500*24*60))
		in := fleet.Input{Samples: map[fleet.Name]period.Interval{}, Stretches: map[fleet.Name][]period.Interval{},
			Held: map[fleet.Name]fleet.Held{}, Holds: map[fleet.Name][]fleet.Hold{},
			Devices: map[fleet.Name][]ledger.Device{name: {{UUID: "GPU-1"}}}}
		var seen []sim.Span
		created := period.Second(0)
		if rapid.Bool().Draw(r, "created") {
			created, at = at, at+period.Second(60*pause.Draw(r, "since"))
		}
		first := at
		for range rapid.IntRange(1, 6).Draw(r, "stretches") {
			to := at + period.Second(rapid.Int64Range(1, 3*period.Day).Draw(r, "lasts"))
			in.Stretches[name] = append(in.Stretches[name], period.Interval{From: at, To: to})
			seen = append(seen, sim.Span{From: int64(at), To: int64(to) + 59})
			at = to.Floor(period.Minute) + period.Second(60*pause.Draw(r, "pause"))
		}
		last := in.Stretches[name][len(in.Stretches[name])-1].To
		in.Samples[name] = period.Interval{From: first, To: last}
		if rapid.Bool().Draw(r, "held") {
			from := first + period.Second(rapid.Int64Range(0, int64(last-first)).Draw(r, "from"))
			to := from + period.Second(rapid.Int64Range(0, int64(last-from)).Draw(r, "to"))
			pod, days := rapid.Bool().Draw(r, "pod"), int64(366)
			if pod {
				days = 31
			}
			in.Holds[name] = []fleet.Hold{{Interval: period.Interval{From: from, To: to}, Pod: pod}}
			seen = append(seen, sim.Span{From: max(int64(from), int64(to)-days*period.Day), To: int64(to)})
		}
		life := sim.Span{From: int64(first), To: int64(last) + 59}
		if created != 0 {
			in.Facts = []ledger.NodeFact{{Cluster: "c", Name: "n", Created: created}}
			life.From = int64(created)
			seen = append(seen, sim.Span{From: max(life.From, int64(first)-31*period.Day), To: int64(first)})
		}
		machines := fleet.Resolve(in, policy.Default())
		if len(machines) != 1 {
			t.Fatalf("%d machines", len(machines))
		}
		m := &machines[0]
		if want := (period.Interval{From: period.Second(life.From), To: period.Second(life.To)}); m.Life != want {
			t.Fatalf("the life is %s, want %s", m.Life, want)
		}
		slices.Reverse(seen)
		var want []period.Interval
		for _, d := range truth.Dark(life, seen) {
			want = append(want, period.Interval{From: period.Second(d.From), To: period.Second(d.To)})
		}
		if diff := cmp.Diff(want, m.Dark); diff != "" {
			t.Fatal(diff)
		}
		// No day overlaps two stretches, and all stretches together are the life without the dark.
		var lit int64
		for day := m.Life.From.Floor(period.Day); day < m.Life.To; day += period.Day {
			lit += m.LifeOn(period.DayOf(day)).Intersect(period.DayOf(day)).Seconds()
		}
		for _, d := range m.Dark {
			lit += d.Seconds()
		}
		if lit != m.Life.Seconds() {
			t.Fatalf("stretches and dark are %d seconds, the life %d", lit, m.Life.Seconds())
		}
	})
}
