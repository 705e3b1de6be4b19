package api

import (
	"context"
	"net/http"
	"strings"
	"sync"

	"gpuledger/internal/access"
	"gpuledger/internal/export"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// windows keeps the data windows of datasets while the ledger has one version, for each scope.
type windows struct {
	mu   sync.Mutex
	kept map[string]keptWindow // by dataset and scope
}

type keptWindow struct {
	version string
	data    metrics.DataWindow
}

// mostWindows bounds the kept windows.
const mostWindows = 2000

// window is the time for which the viewer has data of the dataset, at a version of the ledger.
func (a *API) window(ctx context.Context, d *metrics.Dataset, v metrics.Version) (metrics.DataWindow, error) {
	if !d.Windowed {
		return metrics.DataWindow{}, nil
	}
	key := d.Name
	if viewer := access.From(ctx); viewer.Bounded() {
		key = strings.Join([]string{d.Name, viewer.Scope, viewer.Members}, "\x00")
	}
	w := &a.windows
	w.mu.Lock()
	kept, ok := w.kept[key]
	w.mu.Unlock()
	if ok && kept.version == v.Tag {
		return kept.data, nil
	}
	data, err := a.reader.Window(ctx, d)
	if err != nil {
		return data, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.kept) >= mostWindows || w.kept == nil {
		w.kept = map[string]keptWindow{}
	}
	w.kept[key] = keptWindow{v.Tag, data}
	return data, nil
}

// windowHeader has the data window of answers that have no meta.
const windowHeader = "Gpuledger-Window"

// noteHeader has what to know before you rely on the rows of answers that have no meta.
const noteHeader = "Gpuledger-Note"

// noted sets the header of the notes for a viewer. JSON has them in its meta.
func (req *request) noted(h http.Header, v *access.Viewer) {
	if req.format == export.JSON {
		return
	}
	for _, note := range req.query.NotesFor(v) {
		h.Add(noteHeader, note)
	}
}

// windowText writes a data window as an interval of ISO 8601.
func windowText(w metrics.DataWindow) string {
	to := ".."
	if w.To != 0 {
		to = w.To.String()
	}
	return w.From.String() + "/" + to
}

// bounded reports whether a period has a bound.
func bounded(w period.Interval) bool { return w.From != 0 || w.To != 0 }
