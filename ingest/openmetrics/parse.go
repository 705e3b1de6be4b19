package openmetrics

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"

	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
)

// known is a known series. It is created once per distinct text.
type known struct {
	text string
	name string
	last int64 // time of the last accepted sample, ms
	*series.Series
}

// maxSeriesText bounds the text of remembered series.
const maxSeriesText = 32 << 20

type parser struct {
	opt         Options
	defaultMS   int64
	from, until int64 // plausible timestamps, ms
	file        string
	emit        func(*ledger.Telemetry) error

	stats   Stats
	line    int64
	ignored map[string]*int64

	prev       *known
	series     map[string]*known
	seriesText int

	cut     bool // the current line ended without a line feed
	seconds bool // a timestamp in seconds was seen: OpenMetrics
	ended   bool // # EOF was the last line

	to *series.Collector
}

// Parse reads one file of exposition text, already decompressed, and emits its facts in
// batches, which the caller may keep. file names it in rejections. Rejected lines are counted,
// not returned as an error; an error means that the file as a whole is refused (input
// truncated, reader failed, emit failed, ctx ended), and that nothing emitted so far may be
// published. Stats are valid in both cases.
func Parse(
	ctx context.Context, r io.Reader, file string, opt Options, emit func(*ledger.Telemetry) error,
) (Stats, error) {
	opt = opt.withDefaults()
	p := &parser{
		opt: opt, file: file, emit: emit,
		defaultMS: cmp.Or(opt.DefaultMillis, int64(opt.DefaultTime)*1000),
		from:      int64(opt.NotBefore) * 1000, until: int64(opt.NotAfter) * 1000,
		stats:   Stats{RejectedBy: map[string]int64{}, IgnoredBy: map[string]int64{}},
		ignored: map[string]*int64{}, series: map[string]*known{},
		to: series.NewCollector(series.Options{
			Cluster: opt.Cluster, Node: opt.Node, GPUUtilRatio: opt.GPUUtilRatio, GPUUtil: opt.GPUUtil,
			Inference: opt.Inference, NotBefore: opt.NotBefore, NotAfter: opt.NotAfter,
		}),
	}
	err := p.run(ctx, newScanner(r))
	for name, n := range p.ignored {
		p.stats.IgnoredBy[name] = *n
	}
	p.stats.Clusters = p.to.Clusters()
	if err != nil {
		return p.stats, fmt.Errorf("read %s: %w", file, err)
	}
	return p.stats, nil
}

func (p *parser) run(ctx context.Context, s *scanner) error {
	for {
		line, cut, long, ok := s.next()
		if !ok {
			break
		}
		p.line++
		if p.line == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		if p.line&0x3fff == 0 && ctx.Err() != nil {
			return fmt.Errorf("line %d: %w", p.line, ctx.Err())
		}
		switch {
		case long:
			p.ended = false
			p.stats.Samples++
			p.reject(faultLong, line)
		case len(line) == 0, line[0] == '\r' && len(line) == 1:
		case line[0] == '#':
			p.comment(line)
		default:
			p.cut = cut
			p.sample(line)
		}
		if p.to.Pending() >= p.opt.MaxPending {
			if err := p.to.Flush(p.emit); err != nil {
				return fmt.Errorf("line %d: %w", p.line, err)
			}
		}
	}
	p.stats.Lines = p.line
	if s.err != nil {
		return fmt.Errorf("line %d: the input breaks off, fetch the file again: %w", p.line+1, s.err)
	}
	if p.seconds && !p.ended {
		return fmt.Errorf("line %d: %w", p.line, ErrTruncated)
	}
	return p.to.Flush(p.emit)
}

// comment handles # lines, of which only # EOF has an effect. HELP and TYPE are repeated and
// late in real files.
func (p *parser) comment(line []byte) {
	if string(bytes.TrimRight(line, " \t\r")) == "# EOF" {
		p.ended = true
	}
}

// sample handles a line that is neither blank nor a comment.
func (p *parser) sample(line []byte) {
	s := p.prev
	var rest []byte
	if s != nil && len(line) > len(s.text) && blank(line[len(s.text)]) && string(line[:len(s.text)]) == s.text {
		rest = line[len(s.text):]
	} else {
		if s, rest = p.find(line); s == nil {
			return
		}
		p.prev = s
	}
	p.stats.Samples++
	p.ended = false

	i := 1
	if i < len(rest) && blank(rest[i]) {
		i = skipBlanks(rest, i)
	}
	v, n := series.ParseDecimal(rest[i:])
	j := i + n
	if n == 0 || j < len(rest) && !blank(rest[j]) && rest[j] != '\r' {
		p.reject(faultNumber, word(rest[i:]))
		return
	}
	ms, f := p.timestamp(rest[j:])
	switch {
	case p.cut && (f != nil || len(bytes.TrimSpace(rest[j:])) == 0):
		// A truncated timestamp is out of range; a truncated value is not.
		p.reject(faultCut, line)
		return
	case f != nil:
		p.reject(f, bytes.TrimSpace(rest[j:]))
		return
	}
	switch f := p.to.Add(s.Series, ms, v); f {
	case nil:
		p.accepted(s, ms)
	case series.Absent:
		p.stats.Absent++
	case series.Unmapped:
		p.ignore(s.name)
	default:
		found := []byte(s.text)
		if f.Column == series.ValueColumn {
			found = word(rest[i:])
		}
		p.reject(f, found)
	}
}

// accepted counts a sample that became part of a fact.
func (p *parser) accepted(s *known, ms int64) {
	p.stats.Accepted++
	if s.Unlabelled {
		p.stats.Unlabelled++
	}
	switch {
	case ms == s.last:
		p.stats.Duplicates++
	case ms < s.last:
		p.stats.Unsorted++
	}
	s.last = ms
}

// timestamp reads the text after the value: nothing, a time, or a time and an exemplar.
func (p *parser) timestamp(rest []byte) (int64, *series.Fault) {
	i := skipBlanks(rest, 0)
	if i >= len(rest) || rest[i] == '\r' || rest[i] == '#' {
		if p.defaultMS == 0 {
			return 0, faultNoTime
		}
		return p.defaultMS, nil
	}
	d, n := series.ParseDecimal(rest[i:])
	if n == 0 {
		return 0, faultTime
	}
	if i += n; i < len(rest) {
		if k := skipBlanks(rest, i); k < len(rest) && rest[k] != '\r' && (rest[k] != '#' || k == i) {
			return 0, faultTime
		}
	}
	ms, seconds, ok := d.Millis()
	switch {
	case ok && ms >= p.until && ms < int64(series.LatestTime)*1000:
		return 0, faultFuture
	case !ok || ms < p.from || ms >= p.until:
		return 0, faultTimeRange
	}
	p.seconds = p.seconds || seconds
	return ms, nil
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

// word cuts b before the first blank.
func word(b []byte) []byte {
	for i, c := range b {
		if blank(c) {
			return b[:i]
		}
	}
	return b
}
