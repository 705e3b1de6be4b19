package books

import (
	"context"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// Import is one import of the journal.
type Import struct {
	ID, URI, Cluster                 string
	Source                           ledger.SourceInfo
	State, Message, Phase            string
	Files, FilesDone                 int64
	Bytes, BytesDone                 int64
	Read, Accepted, Rejected         int64
	Ignored, Refused, RowsDone       int64
	Started, Finished                period.Second
	ETA                              *int64 // seconds, nil while unknown
	Restated                         bool
	Added, Removed, Changed          int64
	startedAt, finishedAt, heardFrom time.Time
}

// running reports whether the journal has no end for it.
func (i Import) running() bool { return i.State == "running" }

// ReadImports reads the journal, newest first; an empty limit reads all of it.
func ReadImports(ctx context.Context, reader page.Reader, o metrics.Options) ([]Import, error) {
	if o.Order == "" {
		o.Order = "-started_at"
	}
	var out []Import
	err := page.Each(ctx, reader, "imports", o, nil, func(r page.Record) error {
		i := Import{
			ID: r.Text("import_id"), Source: ledger.SourceOf(r.Text("source")),
			URI: r.Text("uri"), Cluster: r.Text("cluster"), State: r.Text("state"),
			Message: r.Text("message"), Phase: r.Text("phase"), Files: r.Count("files"),
			FilesDone: r.Count("files_done"), Bytes: r.Count("bytes"),
			BytesDone: r.Count("bytes_done"), Read: r.Count("rows_read"), Accepted: r.Count("accepted"),
			Rejected: r.Count("rejected"), Ignored: r.Count("ignored"), Refused: r.Count("refused"),
			RowsDone: r.Count("rows_done"), Started: r.Second("started_at"), Finished: r.Second("finished_at"),
			Restated: r.Value("restated_added").Valid, Added: r.Count("restated_added"),
			Removed: r.Count("restated_removed"), Changed: r.Count("restated_changed"),
			startedAt: r.Value("started_at").Time, finishedAt: r.Value("finished_at").Time,
			heardFrom: r.Value("progress_at").Time,
		}
		if v := r.Value("eta_seconds"); v.Valid {
			i.ETA = &v.Int
		}
		out = append(out, i)
		return nil
	})
	return out, err
}

// Source is a configured source with its last results.
type Source struct {
	Name, Format, Place string
	Schedule            string    // "every 6h", "daily 04:30"; empty: by hand
	Next                time.Time // zero: by hand
	State, Message      string    // of the last check; empty: never checked
	LookedAt            time.Time
	ImportedAt          time.Time // the last success
}
