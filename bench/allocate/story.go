package main

import (
	"math/rand/v2"

	"gpuledger/internal/period"
)

// load is how a job uses its GPUs.
type load int

const (
	training load = iota // busy except for checkpoints
	serving              // up and down through the day
	notebook             // idle with bursts
)

// stint is one job on one slot for a time.
type stint struct {
	period.Interval
	slot     int
	job      int // of the node
	team     int
	load     load
	run      int           // job number of the first attempt
	number   int           // of the attempt
	lostFrom period.Second // 0: nothing
}

// tell fills the month of a node: whole machines in training, machines divided among smaller jobs, and stretches
// without demand.
func (f fleet) tell(rng *rand.Rand, n *nodeFacts) {
	t := &teller{rng: rng, node: n, window: f.window()}
	for at := t.window.From - t.between(0, 8*period.Hour); at < t.window.To; {
		switch kind := rng.IntN(10); {
		case kind < 4:
			at = t.train(at, at+t.between(6*period.Hour, 40*period.Hour), all)
		case kind < 9:
			at = t.share(at, at+t.between(8*period.Hour, 30*period.Hour))
		default:
			at += t.between(period.Hour, 6*period.Hour)
		}
		at += t.between(2*period.Minute, 30*period.Minute)
	}
	n.sortStints()
}

type teller struct {
	rng    *rand.Rand
	node   *nodeFacts
	window period.Interval
	jobs   int
}

var all = []int{0, 1, 2, 3, 4, 5, 6, 7}

func (t *teller) between(a, b int64) period.Second { return period.Second(a + t.rng.Int64N(b-a)) }

func (t *teller) add(s stint, slots []int) {
	s.job = t.jobs
	t.jobs++
	t.node.add(s, slots, t.window)
}

// train runs one job on some slots until it succeeds; failed attempts lose the work after their last checkpoint.
func (t *teller) train(from, to period.Second, slots []int) period.Second {
	s := stint{team: t.rng.IntN(teams), load: training, run: t.jobs}
	for s.number = 1; from < to; s.number++ {
		s.Interval, s.lostFrom = period.Interval{From: from, To: to}, 0
		if t.rng.IntN(3) == 0 && to-from > 4*period.Hour {
			s.To = from + t.between(2*period.Hour, int64(to-from))
			s.lostFrom = max(from, s.To-t.between(5*period.Minute, 70*period.Minute))
		}
		t.add(s, slots)
		from = s.To + t.between(2*period.Minute, 10*period.Minute)
	}
	return to
}

// share divides the machine for a while; each part has separate jobs.
func (t *teller) share(from, to period.Second) period.Second {
	cuts := [][][]int{
		{{0, 1, 2, 3}, {4, 5, 6, 7}}, {{0, 1, 2, 3}, {4, 5}, {6}, {7}}, {{0, 1}, {2, 3}, {4, 5}, {6, 7}},
		{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}, {{0, 1}, {2}, {3}, {4, 5, 6, 7}},
	}
	for _, slots := range cuts[t.rng.IntN(len(cuts))] {
		for at := from + t.between(0, period.Hour); at < to; {
			end := min(to, at+t.length())
			switch kind := t.rng.IntN(10); {
			case kind < 5:
				t.train(at, end, slots)
			case kind < 8:
				t.add(stint{Interval: period.Interval{From: at, To: end}, team: t.rng.IntN(teams), load: serving}, slots)
			default:
				t.add(stint{Interval: period.Interval{From: at, To: end}, team: t.rng.IntN(teams), load: notebook}, slots)
			}
			at = end + t.between(period.Minute, 150*period.Minute)
		}
	}
	return to
}

// length of a job: many short ones, a few long ones.
func (t *teller) length() period.Second {
	switch t.rng.IntN(4) {
	case 0:
		return t.between(20*period.Minute, 4*period.Hour)
	case 1:
		return t.between(2*period.Hour, 8*period.Hour)
	}
	return t.between(4*period.Hour, 24*period.Hour)
}

// loads writes the exporters' values, minute by minute.
func (n *nodeFacts) loads(rng *rand.Rand, window period.Interval) {
	minutes := int(window.Seconds() / period.Minute)
	for slot := range n.load {
		if cap(n.load[slot]) < minutes {
			n.load[slot] = make([]int32, minutes)
		}
		n.load[slot] = n.load[slot][:minutes]
		clear(n.load[slot])
	}
	for i := range n.stints {
		s := &n.stints[i]
		line := n.load[s.slot]
		first := int((s.From - window.From - sampledAt + period.Minute - 1) / period.Minute)
		last := min(minutes, int((s.To-window.From-sampledAt+period.Minute-1)/period.Minute))
		b := behaviour{rng: rng, load: s.load}
		for m := max(first, 0); m < last; m++ {
			line[m] = b.next(m)
		}
	}
	for slot := range n.load {
		for m := rng.IntN(4000); m < minutes; m += 1 + rng.IntN(4000) { // a scrape that failed
			n.load[slot][m] = unknown
		}
	}
	for m := rng.IntN(9000); m < minutes; m += 3000 + rng.IntN(12_000) { // an exporter that was away
		for end := min(minutes, m+10+rng.IntN(110)); m < end; m++ {
			for slot := range n.load {
				n.load[slot][m] = unknown
			}
		}
	}
}

// behaviour goes through the minutes of a stint.
type behaviour struct {
	rng  *rand.Rand
	load load
	left int  // minutes until busy changes
	busy bool // the other way round from the start
}

// next returns the activity of minute m in ppm.
func (b *behaviour) next(m int) int32 {
	if b.left--; b.left < 0 {
		b.busy = !b.busy
		switch {
		case b.load == training && b.busy:
			b.left = 25 + b.rng.IntN(40)
		case b.load == training:
			b.left = b.rng.IntN(2)
		case b.load == serving && b.busy:
			b.left = 5 + b.rng.IntN(90)
		case b.load == serving:
			b.left = b.rng.IntN(15 + 30*(m/60%24/16)) // quieter in the evening
		case b.busy:
			b.left = 3 + b.rng.IntN(15)
		default:
			b.left = 20 + b.rng.IntN(70)
		}
	}
	noise := int32(b.rng.Uint32() >> 16) // 0 … 65,535 ppm
	switch {
	case !b.busy:
		return noise
	case b.load == training:
		return 930_000 + noise
	}
	return 200_000 + 4*noise
}
