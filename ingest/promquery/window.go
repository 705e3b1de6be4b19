package promquery

import (
	"fmt"
	"slices"
	"strings"

	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
)

// window adds the series of one query to the reader's collector.
type window struct {
	Window
	r    *Reader
	file string
	read *ledger.Reading
	at   *known
}

// begin implements sink.
func (w *window) begin(raw []byte) error {
	r := w.r
	if w.at = r.series[string(raw)]; w.at != nil {
		return nil
	}
	name, ls, err := readMetric(raw, r.replica)
	if err != nil {
		return err
	}
	k := &known{name: name, metric: string(raw)}
	if r.to.Known(name) {
		k.Series = r.to.Bind(name, ls)
		r.to.Hold(len(raw))
	}
	if r.text += len(raw) + 256; r.text > maxSeriesText {
		clear(r.series)
		r.text = len(raw) + 256
	}
	r.series[k.metric] = k
	w.at = k
	return nil
}

// replica reports labels that distinguish two servers that scrape the same targets. Ray uses
// one of these names for the copies of a deployment.
func (r *Reader) replica(name, label string) bool {
	return slices.Contains(r.replicas, label) && !(label == "replica" && strings.HasPrefix(name, "ray_"))
}

// sample implements sink.
func (w *window) sample(ms int64, v series.Decimal, ok bool) {
	k := w.at
	switch {
	case ok && ms == w.From-1:
		return // a server that includes the start of a range: it belongs to another window
	case !ok:
		w.reject("not a sample", "", "a sample is [seconds, \"number\"]")
		return
	case ms < w.From || ms >= w.To:
		w.reject("timestamp out of range", "timestamp", fmt.Sprintf("%d ms is outside the requested range", ms))
		return
	case ms >= w.r.opt.NotAfter:
		w.reject("timestamp out of range", "timestamp", fmt.Sprintf("%d ms is in the future", ms))
		return
	}
	w.read.Rows++
	if k.Series == nil {
		w.read.Ignore(k.name, 1)
		return
	}
	switch f := w.r.to.Add(k.Series, ms, v); f {
	case nil:
		w.read.Accepted++
		if k.Unlabelled {
			w.read.Unlabelled++
		}
	case series.Absent:
		w.read.Absent++
	case series.Unmapped:
		w.read.Ignore(k.name, 1)
	default:
		w.read.Reject(ledger.Rejection{
			File: w.file, Column: f.Column, Reason: f.Reason, Detail: f.Detail + ": " + clip(k.metric),
		})
	}
}

func (w *window) reject(reason, column, detail string) {
	w.read.Rows++
	w.read.Reject(ledger.Rejection{
		File: w.file, Column: column, Reason: reason, Detail: detail + ": " + clip(w.at.metric),
	})
}

// histograms implements sink.
func (w *window) histograms(n int) {
	w.read.Rows += int64(n)
	w.read.Ignore("native histogram", int64(n))
}
