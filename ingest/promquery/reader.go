package promquery

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
)

// Window is a time in unix milliseconds, [From, To).
type Window struct{ From, To int64 }

// Reader reads windows of one server, one after the other. It is not safe for
// concurrent use.
type Reader struct {
	opt      Options
	client   *client
	match    string
	replicas []string
	groups   []*group

	to     *series.Collector
	series map[string]*known
	text   int // bytes of series
	broken error
}

// group is the set of names in one query, and the length of time of one.
type group struct {
	names []string
	step  int64 // ms
}

// known is a known series; nil Series: its name is not read.
type known struct {
	*series.Series
	name, metric string
}

// Lengths of a query.
const (
	minuteMS = 60_000
	hourMS   = 60 * minuteMS
	// fewNames is how few names are still queried together when times have to be split.
	fewNames = 8
	// maxSeriesText bounds the text of remembered series.
	maxSeriesText = 32 << 20
)

// Open makes a reader; it sends no request yet. Errors are those of the options.
func Open(opt Options) (*Reader, error) {
	opt = opt.withDefaults()
	match, err := matchers(opt.Match)
	if err != nil {
		return nil, err
	}
	c, err := newClient(opt)
	if err != nil {
		return nil, err
	}
	return &Reader{opt: opt, client: c, match: match, replicas: opt.Replicas, series: map[string]*known{},
		to: series.NewCollector(opt.Series)}, nil
}

// Address is the reader's server, without credentials.
func (r *Reader) Address() string { return r.client.shown }

// Bytes is the number of bytes read so far, unpacked.
func (r *Reader) Bytes() int64 { return r.client.read }

// Metered calls add whenever bytes of answers arrive.
func (r *Reader) Metered(add func(n int64)) { r.client.met = add }

// Find determines which known names the server has in a time. If the server cannot list them,
// all of them are queried. Finding no names is not an error: no samples are read then.
func (r *Reader) Find(ctx context.Context, in Window) error {
	form := url.Values{"start": {seconds(in.From)}, "end": {seconds(in.To)}}
	if r.match != "" {
		form.Set("match[]", "{"+r.match+"}")
	}
	var names []string
	a, err := r.client.ask(ctx, "/api/v1/label/__name__/values", form)
	if err == nil {
		if names, err = readNames(a.data); err != nil {
			return fmt.Errorf("%s: names of metrics: %w", r.client.shown, err)
		}
		names = slices.DeleteFunc(names, func(n string) bool { return !r.to.Known(n) })
	} else {
		var large *tooLargeError
		var refused *RefusedError
		if ctx.Err() != nil || !errors.As(err, &large) &&
			(!errors.As(err, &refused) || refused.Status < 400 || refused.Status == 401 || refused.Status == 403) {
			return err
		}
		names = series.Names()
		if r.opt.Series.Inference != nil {
			names = append(names, r.opt.Series.Inference.Names()...)
		}
		names = slices.DeleteFunc(names, func(n string) bool { return !plainName(n) })
	}
	slices.Sort(names)
	if r.groups = nil; len(names) > 0 {
		r.groups = []*group{{names: slices.Compact(names), step: hourMS}}
	}
	return nil
}

// Names is how many names Find found.
func (r *Reader) Names() int {
	n := 0
	for _, g := range r.groups {
		n += len(g.names)
	}
	return n
}

// plainName reports whether a name needs no quoting in a pattern.
func plainName(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == ':')
	})
}

// Read reads a window and emits its facts in batches, which the receiver may keep. file names
// it in rejections. Both ends must be on whole minutes, or be those of the whole range. After
// an error nothing that was emitted of this window may be published.
func (r *Reader) Read(
	ctx context.Context, w Window, file string, emit func(*ledger.Telemetry) error,
) (ledger.Reading, error) {
	read := ledger.Reading{}
	if r.broken != nil {
		return read, r.broken
	}
	err := r.read(ctx, w, &window{r: r, file: file, read: &read}, emit)
	if err == nil {
		err = r.to.Flush(emit)
	}
	if err != nil {
		r.broken = err // the collector holds a part of the window
	}
	return read, err
}

// Reset drops the window on which Read failed: it may be read again.
func (r *Reader) Reset() {
	r.broken = nil
	r.series, r.text = map[string]*known{}, 0
	r.to = series.NewCollector(r.opt.Series)
}

// piece is the part of a window that is still to be queried.
type piece struct {
	*group
	Window
}

func (r *Reader) read(ctx context.Context, w Window, to *window, emit func(*ledger.Telemetry) error) error {
	var open []piece
	for _, g := range slices.Backward(r.groups) {
		open = append(open, piece{g, w})
	}
	for len(open) > 0 {
		p := open[len(open)-1]
		open = open[:len(open)-1]
		to.Window = Window{p.From, min(p.To, nextEdge(p.From, p.step))}
		large, err := r.question(ctx, p.group, to)
		if err != nil {
			return err
		}
		if large != "" {
			other, err := p.cut(to.Window)
			if err != nil {
				return &ledger.FileError{Rejection: ledger.Rejection{File: to.file, Reason: "answer too large",
					Detail: fmt.Sprintf("%s in one minute: %s; match fewer series", p.names[0], large)}}
			}
			if other != nil {
				r.groups = append(r.groups, other)
				open = append(open, piece{other, p.Window})
			}
			open = append(open, p)
			continue
		}
		if to.To < p.To {
			open = append(open, piece{p.group, Window{to.To, p.To}})
		}
		// The answer to one query is complete: series that form one fact together (states of a node)
		// have one name.
		// together (states of a node) have one name.
		if r.to.Pending() >= r.opt.MaxPending {
			if err := r.to.Flush(emit); err != nil {
				return err
			}
		}
	}
	return nil
}

// nextEdge is the whole minute about step after from.
func nextEdge(from, step int64) int64 {
	return max((from+step)/minuteMS, from/minuteMS+1) * minuteMS
}

var errOneMinute = errors.New("one name of one minute")

// cut makes the queries of a group smaller after the one of w was too large: fewer names first,
// as each query costs the labels of all its series. other has the names that the group no
// longer has.
func (g *group) cut(w Window) (other *group, err error) {
	length := w.To - w.From
	switch n := len(g.names); {
	case n > fewNames || n > 1 && length <= minuteMS:
		other = &group{names: g.names[n/2:], step: g.step}
		g.names = g.names[: n/2 : n/2]
	case length > minuteMS:
		g.step = max(length/2/minuteMS*minuteMS, minuteMS)
	default:
		return nil, errOneMinute
	}
	return other, nil
}

// question queries a group in to.Window and adds the answer to to. large is the reason why the
// answer is too large.
func (r *Reader) question(ctx context.Context, g *group, to *window) (large string, err error) {
	a, err := r.client.ask(ctx, "/api/v1/query", url.Values{
		"query": {r.selector(g.names, to.Window)},
		// The end is inclusive everywhere.
		"time": {seconds(to.To - 1)},
		// Thanos and VictoriaMetrics: no partial answers, no downsampled ones.
		"partial_response": {"false"}, "deny_partial_response": {"1"}, "max_source_resolution": {"0s"}, "nocache": {"1"},
	})
	if tl := (*tooLargeError)(nil); errors.As(err, &tl) {
		return tl.why, nil
	}
	if refused := (*RefusedError)(nil); errors.As(err, &refused) {
		return "", &ledger.FileError{
			Rejection: ledger.Rejection{File: to.file, Reason: "refused by the server", Detail: refused.Error()},
		}
	}
	if err != nil {
		return "", err
	}
	if err := readMatrix(a.data, to); err != nil {
		return "", fmt.Errorf("%s: %w", r.client.shown, err)
	}
	if len(a.data) < r.opt.MaxAnswer/8 {
		g.step = min(2*g.step, hourMS)
	}
	return "", nil
}

// selector writes a range selector whose range begins at or before w.From: servers differ in
// whether a range includes its start.
func (r *Reader) selector(names []string, w Window) string {
	var b strings.Builder
	b.WriteByte('{')
	if len(names) == 1 {
		fmt.Fprintf(&b, "__name__=%q", names[0])
	} else {
		patterns := make([]string, len(names))
		for i, name := range names {
			patterns[i] = regexp.QuoteMeta(name) // UTF-8 names contain dots
		}
		fmt.Fprintf(&b, "__name__=~%q", strings.Join(patterns, "|"))
	}
	if r.match != "" {
		b.WriteString("," + r.match)
	}
	fmt.Fprintf(&b, "}[%dms]", w.To-w.From)
	return b.String()
}
