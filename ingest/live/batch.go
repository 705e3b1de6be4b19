package live

import (
	"time"

	"github.com/zeebo/xxh3"

	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
)

// Print tells series apart: a fingerprint of their labels.
type Print = [2]uint64

// Describer says what a series is called. It is asked only for series that
// were not seen before.
type Describer interface {
	// Check returns the metric's name when the labels break no rule. The name
	// is not kept.
	Check() (name []byte, f *series.Fault)
	// Labels appends the labels but the name to dst; their texts may be kept.
	Labels(dst series.Labels) (name string, ls series.Labels, f *series.Fault)
}

// Batch takes what a Decoder reads from one request.
type Batch struct {
	r       *Receiver
	sender  *sender
	cluster string
	now     int64 // ms
	oldest  int64 // ms
	newest  int64
	replay  bool

	rows    []row
	samples []point
	facts   []*ledger.Telemetry
	result  Result
	stored  int // samples and facts that are worth a row of the inbox

	current  *series.Series // of the series begun; nil: it means nothing
	fault    *series.Fault  // the series begun is refused
	begun    int
	unmapped int
	absent   int
	// histograms and exemplars that were read past
	histograms, exemplars int

	labels series.Labels
	room   []byte
}

// row is a series with its samples, in a request.
type row struct {
	to     *series.Series
	points uint32
}

type point struct {
	ms int64
	d  series.Decimal
}

// Now is when the request was first received.
func (b *Batch) Now() time.Time { return time.UnixMilli(b.now).UTC() }

// MaxUnpacked is how long an unpacked body may be.
func (b *Batch) MaxUnpacked() int64 { return b.r.opt.Limits.Unpacked }

// Seed is what fingerprints of this process begin with.
func (b *Batch) Seed() uint64 { return b.r.seed }

// Series begins a series; samples that follow are its own. print must be made
// with Seed and the same for equal labels.
func (b *Batch) Series(print Print, d Describer) {
	b.begun++
	b.current, b.fault = nil, nil
	if b.cluster != "" {
		h := xxh3.HashStringSeed(b.cluster, b.r.seed)
		print[0], print[1] = print[0]^h, print[1]+h
	}
	b.r.mu.Lock()
	s := b.r.series.find(print)
	means := s != nil || b.r.series.means(print)
	b.r.mu.Unlock()
	switch {
	case s != nil:
		b.begin(s)
		return
	case !means:
		return
	}
	name, f := d.Check()
	switch {
	case f != nil:
		b.fault = f
	case !b.r.to.Known(string(name)):
		b.r.mu.Lock()
		b.r.series.forgo(print)
		b.r.mu.Unlock()
	case b.begun > b.r.opt.Limits.SeriesPerBody && !b.replay:
		b.fault = faultManySeries
	default:
		b.bind(print, d)
	}
}

// bind adds a series that is not in the table, unless its sender has too many.
func (b *Batch) bind(print Print, d Describer) {
	if b.fault = b.overLimit(); b.fault != nil {
		return
	}
	name, ls, f := d.Labels(b.labels[:0])
	if f != nil {
		b.fault = f
		return
	}
	b.labels = ls
	if b.cluster != "" {
		ls = withCluster(ls, b.cluster)
	} else if ls.Get(clusterLabel) == "" && b.r.opt.DefaultCluster != "" {
		ls = append(ls, series.Label{Name: clusterLabel, Value: b.r.opt.DefaultCluster})
	}
	b.r.mu.Lock()
	defer b.r.mu.Unlock()
	s := b.r.to.Bind(name, ls)
	b.r.series.put(print, s, b.sender)
	b.begin(s)
}

// overLimit says why one more series cannot be remembered; requests that come at
// the same time may exceed a limit by one each.
func (b *Batch) overLimit() *series.Fault {
	b.r.mu.Lock()
	defer b.r.mu.Unlock()
	limits := &b.r.opt.Limits
	switch {
	case b.replay: // what was acknowledged is taken whatever else there is
	case b.r.series.len() >= limits.Series:
		return faultTotal
	case b.sender.series >= limits.SeriesPerSender:
		return faultSender
	}
	return nil
}

const clusterLabel = "cluster"

// withCluster sets the label cluster.
func withCluster(ls series.Labels, cluster string) series.Labels {
	for i := range ls {
		if ls[i].Name == clusterLabel {
			ls[i].Value = cluster
			return ls
		}
	}
	return append(ls, series.Label{Name: clusterLabel, Value: cluster})
}

// Named is Series for decoders that have texts at hand. The strings of ls are
// kept; labels without a value and the order of labels do not matter.
func (b *Batch) Named(name string, ls series.Labels) {
	b.room = append(b.room[:0], name...)
	for _, l := range ls {
		b.room = append(append(append(append(b.room, 0), l.Name...), 0), l.Value...)
	}
	h := xxh3.Hash128Seed(b.room, b.r.seed+1)
	b.Series(Print{h.Hi, h.Lo}, named{name, ls})
}

type named struct {
	name string
	ls   series.Labels
}

// Check takes names as they come.
func (n named) Check() ([]byte, *series.Fault) { return []byte(n.name), nil }

// Labels copies the list.
func (n named) Labels(dst series.Labels) (string, series.Labels, *series.Fault) {
	return n.name, append(dst, n.ls...), nil
}

// begin makes s the series of what follows.
func (b *Batch) begin(s *series.Series) {
	b.current = s
	b.rows = append(b.rows, row{to: s})
}

// Float adds a sample at ms (unix milliseconds) of the series begun.
func (b *Batch) Float(ms int64, v float64) {
	if b.timely(ms) && b.current != nil {
		b.point(ms, series.DecimalOf(v))
	}
}

// Decimal adds a sample whose value is exact.
func (b *Batch) Decimal(ms int64, d series.Decimal) {
	if b.timely(ms) && b.current != nil {
		b.point(ms, d)
	}
}

func (b *Batch) point(ms int64, d series.Decimal) {
	b.samples = append(b.samples, point{ms, d})
	b.rows[len(b.rows)-1].points++
	b.stored++
}

// timely counts a sample that is refused with its series, or by its time, or
// that nothing uses. True: it is worth storing, if its series is.
func (b *Batch) timely(ms int64) bool {
	switch {
	case b.fault != nil:
		b.refuse(b.fault, 1)
	case ms > b.newest:
		b.refuse(faultFuture, 1)
	case ms < b.oldest:
		if ms > 0 && ms < secondsBelow {
			b.refuse(faultSeconds, 1)
		} else {
			b.refuse(faultOld, 1)
		}
	default:
		if b.current == nil {
			b.unmapped++
			b.result.Samples++
		}
		return true
	}
	return false
}

// Facts adds facts that are complete already. They are not merged with others
// before the flush.
func (b *Batch) Facts(t *ledger.Telemetry) {
	b.facts = append(b.facts, t)
	b.stored++
}

// Counted adds samples that were dealt with without being stored.
func (b *Batch) Counted(samples, histograms, exemplars int) {
	b.result.Samples += samples
	b.result.Histograms += histograms
	b.result.Exemplars += exemplars
}

// ReadPast counts native histograms and exemplars that were read and not taken.
func (b *Batch) ReadPast(histograms, exemplars int) {
	b.histograms += histograms
	b.exemplars += exemplars
}

// Refuse counts n samples, or anything else, that can never be accepted.
// reason is one of a fixed few: it becomes a metric's label.
func (b *Batch) Refuse(reason, detail string, n int) {
	for i := range b.result.Refused {
		if r := &b.result.Refused[i]; r.Reason == reason {
			r.Count += n
			return
		}
	}
	b.result.Refused = append(b.result.Refused, Refusal{reason, detail, n})
}

func (b *Batch) refuse(f *series.Fault, n int) { b.Refuse(f.Reason, f.Detail, n) }

// secondsBelow is the smallest plausible time in milliseconds; what is below
// is a time in seconds.
const secondsBelow = 100_000_000_000

// Faults of samples that come live.
var (
	faultFuture = &series.Fault{
		Reason: "too far ahead", Column: "timestamp",
		Detail: "times may be at most 10 minutes ahead of the server's clock; set the sender's clock",
	}
	faultOld = &series.Fault{
		Reason: "too old", Column: "timestamp",
		Detail: "live samples must be within the out-of-order window; import or backfill older ones",
	}
	faultSeconds = &series.Fault{
		Reason: "seconds instead of milliseconds", Column: "timestamp", Detail: "times are unix milliseconds",
	}
	faultManySeries = &series.Fault{
		Reason: "too many series in a request", Column: "series", Detail: "send fewer series per request",
	}
	faultSender = &series.Fault{
		Reason: "too many series of one sender", Column: "series",
		Detail: "drop labels whose values keep changing, or raise the limit",
	}
	faultTotal = &series.Fault{
		Reason: "too many series", Column: "series",
		Detail: "the server has reached its limit of series; drop series or raise the limit",
	}
)

// apply moves the samples into the collector and counts what became of them.
// The receiver's lock is held.
func (b *Batch) apply(to *series.Collector) {
	at := 0
	for i := range b.rows {
		row := &b.rows[i]
		for _, p := range b.samples[at : at+int(row.points)] {
			switch f := to.Add(row.to, p.ms, p.d); f {
			case nil:
				b.result.Samples++
			case series.Absent:
				b.absent++
				b.result.Samples++
			case series.Unmapped:
				b.unmapped++
				b.result.Samples++
			default:
				b.refuse(f, 1)
			}
		}
		at += int(row.points)
	}
}
