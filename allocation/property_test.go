package allocation

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/test/tier"

	"pgregory.net/rapid"
)

// anyStory draws a node-day: whole, partitioned and shared cards, gaps, pods
// with and without evidence, attempts, states, several parts per hour.
func anyStory(t *rapid.T) *story {
	gpus := rapid.IntRange(1, 3).Draw(t, "gpus")
	s := newStory(t, gpus)
	s.node.Node.Replicas = rapid.SampledFrom([]int{1, 1, 1, 3}).Draw(t, "replicas")
	if s.node.Node.InSource = rapid.IntRange(0, 9).Draw(t, "in source") > 0; !s.node.Node.InSource {
		s.node.Node.Seen = ledger.SeenSampled
	}
	clock := func(label string) period.Second {
		return theDay + period.Second(rapid.IntRange(-3600, 90_000).Draw(t, label))
	}
	span := func(label string) period.Interval {
		a, b := clock(label+" from"), clock(label+" to")
		return period.Interval{From: min(a, b), To: max(a, b) + 1}
	}
	s.node.Node.Life = span("life")
	if rapid.Bool().Draw(t, "all day") {
		s.node.Node.Life = period.Interval{From: theDay - 7200, To: theDay + 90_000}
	}
	layouts := [][]string{
		nil, {"7g.40gb"}, {"3g.20gb", "3g.20gb"}, {"4g.20gb", "3g.20gb"},
		{"3g.20gb", "2g.10gb", "1g.5gb"}, {"1g.5gb", "1g.10gb"}, {"2g.99gb"},
	}
	for slot := range gpus {
		for n := range rapid.IntRange(0, 3).Draw(t, "stretches") {
			i := span(fmt.Sprint("stretch ", n)).Intersect(period.Interval{From: theDay - 3600, To: theDay + 90_000})
			level := rapid.SliceOfN(rapid.SampledFrom([]int64{0, 0, 50_000, 100_000, 700_000}), 1, 4).Draw(t, "levels")
			long := rapid.SampledFrom([]int{1, 5, 15, 40}).Draw(t, "minutes per level")
			value := func(m int) int64 { return level[m/long%len(level)] }
			device := fmt.Sprintf("GPU-%d", slot)
			layout := rapid.SampledFrom(layouts).Draw(t, "layout")
			if layout == nil {
				s.set(device, slot, ledger.WholeDevice, "", ledger.SignalGrEngine, i, value)
			}
			for id, profile := range layout {
				s.set(device, slot, int32(id), profile, ledger.SignalGrEngine, i, value)
			}
			if rapid.IntRange(0, 3).Draw(t, "MIG mode") == 0 {
				s.set(device, slot, ledger.WholeDevice, "", ledger.SignalMIGMode, i, func(m int) int64 { return int64(m / 7 % 2) })
			}
			s.set(device, slot, ledger.WholeDevice, "", ledger.SignalEnergy, i,
				func(m int) int64 { return int64(m) * 7_654_321 })
		}
	}
	for n := range rapid.IntRange(0, 5).Draw(t, "pods") {
		name := fmt.Sprint("pod-", n)
		w := s.pod(name, "0:00", "0:00", rapid.Int64Range(0, 3).Draw(t, "request"))
		w.Hold = span("hold")
		w.RunID = rapid.SampledFrom([]string{"", "r"}).Draw(t, "run")
		for range rapid.IntRange(0, 3).Draw(t, "evidence") {
			s.node.Evidence = append(s.node.Evidence,
				ledger.HoldEvidence{Device: fmt.Sprintf("GPU-%d", rapid.IntRange(0, gpus).Draw(t, "device")),
					SliceID: rapid.Int32Range(-1, 2).Draw(t, "slice"), Namespace: "ns",
					Pod: name, Hour: w.Hold.From.Floor(3600), Minutes: 1<<60 - 1})
		}
		if rapid.IntRange(0, 3).Draw(t, "slurm") == 0 {
			w.System = ledger.SystemSlurm
			w.Requests = map[string]int64{
				rapid.SampledFrom([]string{
					"nvidia_com_gpu", "nvidia_com_gpu_shared",
				}).Draw(t, "resource"): rapid.Int64Range(0, 3).Draw(t, "request"),
			}
			s.node.Evidence = append(s.node.Evidence,
				ledger.HoldEvidence{Device: fmt.Sprintf("GPU-%d", rapid.IntRange(0, gpus).Draw(t, "device")),
					SliceID: -1, Namespace: rapid.SampledFrom([]string{"", "hpc_job"}).Draw(t, "namespace"),
					Pod: name, Hour: w.Hold.From.Floor(3600), Minutes: 1<<60 - 1})
		}
		if rapid.IntRange(0, 5).Draw(t, "part") == 0 {
			w.Requests[rapid.SampledFrom([]string{ledger.ResourceGPUFraction, "nvidia_com_gpumem"}).Draw(t,
				"part of")] = rapid.Int64Range(1, 1_000_000).Draw(t, "ppm")
		}
		for range rapid.IntRange(0, 3).Draw(t, "placements") {
			share := rapid.SampledFrom([]int64{-1, -1, 0, 1, 300_000, 333_333, 1_000_000, 2_000_000})
			s.node.Placements = append(s.node.Placements, ledger.Placement{
				Device:   rapid.SampledFrom([]string{"GPU-0", "GPU-1", "#0", "#2", "GPU-9"}).Draw(t, "placed on"),
				SliceID:  rapid.Int32Range(-1, 1).Draw(t, "placed slice"),
				Workload: rapid.SampledFrom([]string{name, name, "nobody"}).Draw(t, "placed workload"),
				Evidence: rapid.SampledFrom([]ledger.PlacementEvidence{
					ledger.EvidenceClaim, ledger.EvidenceAnnotation, ledger.EvidenceIndex, ledger.EvidenceProcess,
				}).Draw(t, "placed by"),
				From:      rapid.SampledFrom([]period.Second{0, w.Hold.From + 100, clock("placed from")}).Draw(t, "from"),
				To:        rapid.SampledFrom([]period.Second{0, w.Hold.To - 100, clock("placed to")}).Draw(t, "to"),
				CoreShare: share.Draw(t, "cores"), MemoryShare: share.Draw(t, "memory"),
			})
		}
		if w.RunID != "" {
			a := s.attempt(n, rapid.SampledFrom([]string{"", "0"}).Draw(t, "task"), "0:00", "0:00", name)
			a.Span = span("attempt")
			a.Segments[0].From, a.Segments[0].To = a.Span.From, a.Span.To
			if rapid.Bool().Draw(t, "loses") {
				a.LossFrom, a.LossBasis = clock("loss"),
					rapid.SampledFrom([]ledger.LossBasis{ledger.LossNone, ledger.LossCheckpoint}).Draw(t, "basis")
			}
			a.GangComplete = clock("complete")
			if rapid.Bool().Draw(t, "second run") { // shares the pod for a while
				b := s.attempt(n+100, "", "0:00", "0:00", name)
				b.Span = span("second attempt")
				b.RunID = "second"
				b.Segments[0] = ledger.Segment{
					Workload: b.Segments[0].Workload, From: b.Span.From, To: b.Span.To,
					Weight: rapid.SampledFrom([]int64{1_000_000, 500_000, 333_333}).Draw(t, "weight"),
				}
			}
		}
		s.day.PodStates = append(s.day.PodStates, ledger.PodStateHour{
			UID: name, Hour: at("10:00"), Minutes: rapid.Uint64().Draw(t, "crash loop"),
		})
	}
	for h := range 24 {
		hour := fmt.Sprint(h, ":00")
		if h%5 == 0 {
			s.day.NodeStates = append(s.day.NodeStates, ledger.NodeStateHour{
				State: ledger.Cordoned, Hour: at(hour), Minutes: rapid.Uint64().Draw(t, "cordoned"),
			})
			s.day.Sources[h].Minutes = rapid.Uint64().Draw(t, "source")
		}
		for range rapid.IntRange(0, 2).Draw(t, "parts") {
			p := s.bill(hour, rapid.SampledFrom([]int64{0, 900, 3600, 4000}).Draw(t, "billed"), "0")
			amount := money.FromUnits(rapid.Int64Range(-1e15, 1e15).Draw(t, "amount"))
			if rapid.IntRange(0, 4).Draw(t, "dust") == 0 {
				amount = amount.Add(money.MustParse("0.0000000000000123"))
			}
			p.Effective, p.List = &amount, &amount
		}
	}
	s.day.CoveredUntil = clock("covered")
	if rapid.Bool().Draw(t, "rate") {
		s.day.Rate = &ledger.Rate{ID: ledger.NewID("rate"), Currency: "USD", Hourly: money.MustParse("32.7726")}
	}
	withPolicies(t, s)
	return s
}

func TestNothingIsLostOrCountedTwice(t *testing.T) {
	tier.Check(t, 1000, func(t *rapid.T) {
		s := anyStory(t)
		c := s.allocate()
		checkMoney(t, s, c)
		checkSeconds(t, s, c)
		checkQuantities(t, c)
		checkSpans(t, c)
	})
}

// checkMoney: Σ postings of a part = the part, metric by metric.
func checkMoney(t *rapid.T, s *story, c *Chunk) {
	sums := make(map[ledger.ID]*ledger.Costs)
	ids := make(map[ledger.ID]bool)
	for i := range c.Postings {
		p := &c.Postings[i]
		if ids[p.ID] {
			t.Fatalf("posting id %s twice", p.ID)
		}
		ids[p.ID] = true
		if sums[p.PartID] == nil {
			sums[p.PartID] = &ledger.Costs{}
		}
		for _, m := range ledger.Metrics {
			if a := p.Get(m); a != nil {
				total := *a
				if sum := sums[p.PartID].Get(m); sum != nil {
					total = sum.Add(*a)
				}
				sums[p.PartID].Set(m, &total)
			}
		}
	}
	for _, part := range append(slices.Clone(s.day.Parts), c.Parts...) {
		got := sums[part.ID]
		if got == nil {
			t.Fatalf("part %s of %s has no posting", part.ID, part.Hour)
		}
		for _, m := range ledger.Metrics {
			want, have := part.Get(m), got.Get(m)
			if (want == nil) != (have == nil) || want != nil && want.Cmp(*have) != 0 {
				t.Fatalf("part %s, %s: postings %v, part %v", part.Hour, m, have, want)
			}
		}
	}
}

// checkSeconds: the weights of an hour are its device-seconds, and no slot is
// held for more than its observed seconds.
func checkSeconds(t *rapid.T, s *story, c *Chunk) {
	billed := make(map[period.Second]int64)
	for _, p := range s.day.Parts {
		billed[p.Hour] += *p.UsageSeconds
	}
	type slotHour struct {
		slot int32
		hour period.Second
	}
	total, held := make(map[period.Second]*big.Rat), make(map[slotHour]*big.Rat)
	for i := range c.Usage {
		u := &c.Usage[i]
		if u.Cause == ledger.Host { // the machine's share, in addition to its GPUs
			continue
		}
		if total[u.Hour] == nil {
			total[u.Hour] = new(big.Rat)
		}
		total[u.Hour].Add(total[u.Hour], u.Weight)
		if u.Held {
			key := slotHour{u.Slot, u.Hour}
			if held[key] == nil {
				held[key] = new(big.Rat)
			}
			held[key].Add(held[key], u.Weight)
		}
		if u.ActiveSeconds > u.Seconds || u.Seconds <= 0 {
			t.Fatalf("row has %d seconds, %d of them active", u.Seconds, u.ActiveSeconds)
		}
	}
	for h := theDay; h < theDay+period.Day; h += period.Hour {
		observed := s.node.Node.Life.Intersect(period.HourOf(h)).Seconds()
		want := big.NewRat(int64(s.node.Node.GPUs)*max(billed[h], observed), 1)
		got := total[h]
		if got == nil {
			got = new(big.Rat)
		}
		if got.Cmp(want) != 0 {
			t.Fatalf("hour %s: weights %s, device-seconds %s", h, got, want)
		}
		for slot := range int32(s.node.Node.GPUs) {
			if w := held[slotHour{slot, h}]; w != nil && w.Cmp(big.NewRat(observed, 1)) > 0 {
				t.Fatalf("hour %s: slot %d is held for %s of %d s", h, slot, w, observed)
			}
		}
	}
}

// checkQuantities: the postings have the quantities that the usage rows measured.
func checkQuantities(t *rapid.T, c *Chunk) {
	var capacity, held, active, energy, wantHeld, wantCapacity, wantActive, wantEnergy money.Amount
	add := func(to *money.Amount, a *money.Amount) {
		if a != nil {
			*to = to.Add(*a)
		}
	}
	for i := range c.Postings {
		p := &c.Postings[i]
		add(&capacity, p.CapacityGPUHours)
		add(&held, p.GPUHours)
		add(&active, p.ActiveGPUHours)
		add(&energy, p.EnergyKWh)
	}
	for i := range c.Usage {
		u := &c.Usage[i]
		hours := u.GPUHours()
		add(&wantCapacity, &u.CapacityGPUHours)
		add(&wantHeld, &hours)
		add(&wantActive, &u.ActiveGPUHours)
		add(&wantEnergy, u.EnergyKWh)
	}
	if capacity.Cmp(wantCapacity) != 0 || held.Cmp(wantHeld) != 0 || active.Cmp(wantActive) != 0 ||
		energy.Cmp(wantEnergy) != 0 {
		t.Fatalf("postings carry %s %s %s %s, usage %s %s %s %s", capacity, held, active, energy, wantCapacity, wantHeld,
			wantActive, wantEnergy)
	}
}

// checkSpans: one holder has one cause at a time in each attempt that it serves.
func checkSpans(t *rapid.T, c *Chunk) {
	type holder struct {
		slot, slice int32
		workload    ledger.ID
		attempt     ledger.ID
	}
	ends := make(map[holder]period.Second)
	for _, s := range c.Spans {
		if s.From >= s.To {
			t.Fatalf("empty span %+v", s)
		}
		if s.WorkloadID.IsZero() {
			continue // a free and a stranded remainder lie side by side
		}
		key := holder{s.Slot, s.SliceID, s.WorkloadID, s.AttemptID}
		if s.From < ends[key] {
			t.Fatalf("two causes at once: %+v", s)
		}
		ends[key] = s.To
	}
}

// The same facts in another order, cut into more facts or repeated, give the same chunk, down to the last id.
func TestOrderAndCutOfTheFactsChangeNothing(t *testing.T) {
	tier.Check(t, 1000, func(t *rapid.T) {
		s := anyStory(t)
		in := s.dayInput()
		want := run(t, s, s.node, in)

		node := s.node
		node.Devices = rapid.Permutation(node.Devices).Draw(t, "devices")
		node.Workloads = rapid.Permutation(append(slices.Clone(node.Workloads), node.Workloads...)).Draw(t, "workloads")
		node.Attempts = slices.Clone(node.Attempts)
		for i := range node.Attempts {
			a := &node.Attempts[i]
			var cut []ledger.Segment
			for _, g := range a.Segments {
				middle := g.From + (g.To-g.From)/2
				cut = append(cut, ledger.Segment{Workload: g.Workload, From: middle, To: g.To, Weight: g.Weight},
					ledger.Segment{Workload: g.Workload, From: g.From, To: middle, Weight: g.Weight})
			}
			a.Segments = cut
		}
		node.Attempts = rapid.Permutation(node.Attempts).Draw(t, "attempts")
		node.Placements = rapid.Permutation(append(slices.Clone(node.Placements), node.Placements...)).Draw(t, "placements")
		evidence := node.Evidence
		node.Evidence = nil
		for _, e := range evidence {
			low, high := e, e
			low.Minutes &= 1<<30 - 1
			high.Minutes &^= 1<<30 - 1
			node.Evidence = append(node.Evidence, high, low, e)
		}
		samples := in.Samples
		in.Samples = nil
		for _, row := range samples {
			low, high := cutRow(row, rapid.Uint64().Draw(t, "cut"))
			in.Samples = append(in.Samples, high, low)
		}
		in.Samples = rapid.Permutation(in.Samples).Draw(t, "samples")
		in.Parts = rapid.Permutation(in.Parts).Draw(t, "parts order")
		in.Sources = rapid.Permutation(append(slices.Clone(in.Sources), in.Sources...)).Draw(t, "sources")
		in.PodStates = rapid.Permutation(in.PodStates).Draw(t, "pod states")
		if got := run(t, s, node, in); !reflect.DeepEqual(got, want) {
			t.Fatalf("another chunk:\n%+v\n%+v", got.Diagnostics, want.Diagnostics)
		}
	})
}

func run(t *rapid.T, s *story, node NodeInput, in DayInput) *Chunk {
	engine, err := NewNode(node, s.policy)
	if err != nil {
		t.Fatal(err)
	}
	c, err := engine.Day(in)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// cutRow divides the minutes of a row over two rows.
func cutRow(row ledger.SampleHour, mask uint64) (a, b ledger.SampleHour) {
	a, b = row, row
	a.Vectors, b.Vectors = map[ledger.Signal]ledger.Minutes{}, map[ledger.Signal]ledger.Minutes{}
	for signal, v := range row.Vectors {
		one, two := ledger.Minutes{}, ledger.Minutes{}
		for m := range 60 {
			if to := &one; v.Known>>m&1 == 1 {
				if mask>>m&1 == 1 {
					to = &two
				}
				to.Known |= 1 << m
				to.Value[m], to.At[m] = v.Value[m], v.At[m]
			}
		}
		a.Vectors[signal], b.Vectors[signal] = one, two
	}
	return a, b
}
