package live

import (
	"time"

	"github.com/zeebo/xxh3"

	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
)

// Print identifies a series: a fingerprint of its labels.
type Print = [2]uint64

// Describer gives the name and labels of a series. It is called only for new series.
type Describer interface {
	// Check returns the metric's name if the labels are valid. The name is not retained.
	Check() (name []byte, f *series.Fault)
	// Labels appends all labels except the name to dst; their texts may be retained.
	Labels(dst series.Labels) (name string, ls series.Labels, f *series.Fault)
}

// Batch collects a Decoder's output for one request.
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
	stored  int // samples and facts that need a row in the inbox

	current  *series.Series // of the current series; nil: it is not read
	fault    *series.Fault  // the current series is refused
	begun    int
	unmapped int
	absent   int
	// histograms and exemplars that were skipped
	histograms, exemplars int

	labels series.Labels
	room   []byte
}

// row is a series with its samples in one request.
type row struct {
	to     *series.Series
	points uint32
}

type point struct {
	ms int64
	d  series.Decimal
}

// Now is the time when the request was first received.
func (b *Batch) Now() time.Time { return time.UnixMilli(b.now).UTC() }

// MaxUnpacked is the largest size of an unpacked body.
func (b *Batch) MaxUnpacked() int64 { return b.r.opt.Limits.Unpacked }

// Seed is the seed of this process's fingerprints.
func (b *Batch) Seed() uint64 { return b.r.seed }

// Series begins a series; the samples that follow belong to it. print must be computed with
// Seed, and be equal for equal labels.
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

// bind adds a series to the table, unless its sender has too many.
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

// overLimit is the reason why one more series cannot be remembered. Concurrent requests may
// exceed a limit by one each.
func (b *Batch) overLimit() *series.Fault {
	b.r.mu.Lock()
	defer b.r.mu.Unlock()
	limits := &b.r.opt.Limits
	switch {
	case b.replay: // acknowledged samples are accepted regardless of limits
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

// Named is Series for decoders that already have strings. The strings of ls are retained;
// labels without a value and the order of labels do not matter.
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

// Check accepts all names.
func (n named) Check() ([]byte, *series.Fault) { return []byte(n.name), nil }

// Labels copies the list.
func (n named) Labels(dst series.Labels) (string, series.Labels, *series.Fault) {
	return n.name, append(dst, n.ls...), nil
}

// begin makes s the current series.
func (b *Batch) begin(s *series.Series) {
	b.current = s
	b.rows = append(b.rows, row{to: s})
}

// Float adds a sample of the current series at ms (unix milliseconds).
func (b *Batch) Float(ms int64, v float64) {
	if b.timely(ms) && b.current != nil {
		b.point(ms, series.DecimalOf(v))
	}
}

// Decimal adds a sample with an exact value.
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

// timely counts a sample that is refused with its series or because of its time, or that is not
// read. True: store it, if its series is stored.
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

// Facts adds complete facts. They are not merged with others before the flush.
func (b *Batch) Facts(t *ledger.Telemetry) {
	b.facts = append(b.facts, t)
	b.stored++
}

// Counted adds samples that were handled without being stored.
func (b *Batch) Counted(samples, histograms, exemplars int) {
	b.result.Samples += samples
	b.result.Histograms += histograms
	b.result.Exemplars += exemplars
}

// ReadPast counts skipped native histograms and exemplars.
func (b *Batch) ReadPast(histograms, exemplars int) {
	b.histograms += histograms
	b.exemplars += exemplars
}

// Refuse counts n samples, or other items, that can never be accepted. reason is one of a fixed
// few, since it becomes a metric's label.
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

// secondsBelow is the smallest plausible time in milliseconds; smaller numbers are times in
// seconds.
const secondsBelow = 100_000_000_000

// Faults of live samples.
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

// apply moves the samples into the collector and counts their outcomes. The receiver's lock is
// held.
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
