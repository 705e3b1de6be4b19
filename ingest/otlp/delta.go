package otlp

import (
	"math"
	"sync"

	"gpuledger/ingest/series"
)

// Deltas sums deltas of series, so that they become counters like all others. It is safe for
// concurrent use. After it drops a sum (a restart, a series beyond the bound), the sum begins
// again with a new start: rule 10.4 counts that as a reset.
type Deltas struct {
	mu     sync.Mutex
	series map[string]*running
	max    int
}

// running is the sum of one series since start, with the last points, so that a repeated
// request gives the same result.
type running struct {
	start  int64 // ms
	recent [8]total
	n      int // points so far
}

type total struct {
	ms, start int64
	sum       number
}

// number is an exact integer or a float.
type number struct {
	i       int64
	f       float64
	isFloat bool
}

func (a number) plus(b number) number {
	if !a.isFloat && !b.isFloat {
		if sum := a.i + b.i; (sum > a.i) == (b.i > 0) {
			return number{i: sum}
		}
	}
	return number{f: a.float() + b.float(), isFloat: true}
}

func (a number) float() float64 {
	if a.isFloat {
		return a.f
	}
	return float64(a.i)
}

func (a number) decimal() series.Decimal {
	if a.isFloat {
		return series.DecimalOf(a.f)
	}
	return series.DecimalOfInt(a.i)
}

func (a number) isNaN() bool { return a.isFloat && math.IsNaN(a.f) }

// maxDeltas is the default limit of series in a Deltas.
const maxDeltas = 200_000

// NewDeltas holds at most this many series; 0: 200,000.
func NewDeltas(most int) *Deltas {
	if most <= 0 {
		most = maxDeltas
	}
	return &Deltas{series: map[string]*running{}, max: most}
}

// add adds the count over (from, ms] and returns the sum and its start. late: a later delta was
// already added, and this one is not among the last few.
func (d *Deltas) add(key string, from, ms int64, v number) (sum number, start int64, late bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.series[key]
	if r == nil {
		if len(d.series) >= d.max {
			d.forget()
		}
		if from <= 0 || from > ms {
			from = ms
		}
		r = &running{start: from}
		d.series[key] = r
	}
	for i := range min(r.n, len(r.recent)) {
		if t := &r.recent[i]; t.ms == ms {
			return t.sum, t.start, false
		}
	}
	var last total
	if r.n > 0 {
		last = r.recent[(r.n-1)%len(r.recent)]
	}
	if ms < last.ms {
		return number{}, 0, true
	}
	next := total{ms, r.start, last.sum.plus(v)}
	r.recent[r.n%len(r.recent)] = next
	r.n++
	return next.sum, next.start, false
}

// forget drops the half of the series that was silent for longest.
func (d *Deltas) forget() {
	var newest, oldest int64 = math.MinInt64, math.MaxInt64
	last := func(r *running) int64 {
		if r.n == 0 {
			return 0
		}
		return r.recent[(r.n-1)%len(r.recent)].ms
	}
	for _, r := range d.series {
		newest, oldest = max(newest, last(r)), min(oldest, last(r))
	}
	middle := oldest + (newest-oldest)/2
	for key, r := range d.series {
		if last(r) <= middle {
			delete(d.series, key)
		}
	}
	if len(d.series) >= d.max {
		clear(d.series)
	}
}
