package dashboard

import (
	"context"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// importRow is one import of the journal.
type importRow struct {
	ID, URI, Cluster                 string
	Source                           ledger.SourceInfo
	State, Message, Phase            string
	Files, FilesDone                 int64
	Bytes, BytesDone                 int64
	Read, Accepted, Rejected         int64
	Ignored, Refused, RowsDone       int64
	Started, Finished, Heard         period.Second
	ETA                              *int64 // seconds, nil while nothing says
	Restated                         bool
	Added, Removed, Changed          int64
	startedAt, finishedAt, heardFrom time.Time
}

// running reports whether it has not ended, as far as the journal knows.
func (i importRow) running() bool { return i.State == "running" }

// readImports reads the journal, the newest first; limit empty: all of it.
func readImports(ctx context.Context, reader Reader, o metrics.Options) ([]importRow, error) {
	if o.Order == "" {
		o.Order = "-started_at"
	}
	var out []importRow
	err := each(ctx, reader, "imports", o, nil, func(r record) error {
		i := importRow{
			ID: r.text("import_id"), Source: ledger.SourceOf(r.text("source")), URI: r.text("uri"), Cluster: r.text("cluster"), State: r.text("state"),
			Message: r.text("message"), Phase: r.text("phase"), Files: r.count("files"), FilesDone: r.count("files_done"), Bytes: r.count("bytes"),
			BytesDone: r.count("bytes_done"), Read: r.count("rows_read"), Accepted: r.count("accepted"), Rejected: r.count("rejected"), Ignored: r.count("ignored"), Refused: r.count("refused"),
			RowsDone: r.count("rows_done"), Started: r.second("started_at"), Finished: r.second("finished_at"), Heard: r.second("progress_at"),
			Restated: r.value("restated_added").Valid, Added: r.count("restated_added"), Removed: r.count("restated_removed"), Changed: r.count("restated_changed"),
			startedAt: r.value("started_at").Time, finishedAt: r.value("finished_at").Time, heardFrom: r.value("progress_at").Time,
		}
		if v := r.value("eta_seconds"); v.Valid {
			i.ETA = &v.Int
		}
		out = append(out, i)
		return nil
	})
	return out, err
}

// countRow is how many rows of an import became no facts for one reason.
type countRow struct {
	Kind, Reason string
	Rows         int64
}

func readCounts(ctx context.Context, reader Reader, importID string) ([]countRow, error) {
	var out []countRow
	err := each(ctx, reader, "import_counts", metrics.Options{Filter: equal("import_id", importID)}, nil, func(r record) error {
		out = append(out, countRow{Kind: r.text("kind"), Reason: r.text("reason"), Rows: r.count("rows")})
		return nil
	})
	return out, err
}

// rejectionRow is one refused row with its place.
type rejectionRow struct {
	File, Column, Reason, Detail string
	Line                         int64
}

func readRejections(ctx context.Context, reader Reader, importID, limit string) ([]rejectionRow, error) {
	var out []rejectionRow
	err := each(ctx, reader, "rejections", metrics.Options{Filter: equal("import_id", importID), Limit: limit}, nil, func(r record) error {
		out = append(out, rejectionRow{File: r.text("file"), Line: r.count("line"), Column: r.text("column"), Reason: r.text("reason"), Detail: r.text("detail")})
		return nil
	})
	return out, err
}

// Source is a configured source with what became of it.
type Source struct {
	Name, Format, Place string
	Schedule            string    // "every 6h", "daily 04:30"; empty: by hand
	Next                time.Time // zero: by hand
	State, Message      string    // of the last look; empty: never looked at
	LookedAt            time.Time
	ImportedAt          time.Time // the last success
}
