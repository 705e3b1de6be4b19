package ingest

import (
	"context"
	"errors"
	"fmt"

	"gpuledger/ingest/spotevents"
	"gpuledger/internal/blob"
)

// spotEvents imports instance events. All of them are held in memory: a fleet
// has a few per instance and day.
func (r *run) spotEvents(ctx context.Context) error {
	r.phase("read")
	var rd spotevents.Reader
	broken := false
	for _, f := range r.files {
		if err := r.open(f.File, func(in *blob.Reader) error { return rd.Parse(ctx, in, f.Name) }); err != nil {
			if err = r.refuse(f.Name, err); err != nil {
				return err
			}
			broken = true
		}
		r.fileDone(f.File)
	}
	r.tally.Merge(&rd.Tally)
	r.rec.RowsRead, r.rec.Accepted = rd.Read, int64(len(rd.Events))
	if broken {
		return errRejected
	}
	if err := r.nothing(); err != nil {
		return err
	}
	r.phase("publish")
	fresh, err := r.im.Store.PublishEvents(ctx, r.rec.ID, rd.Events)
	if err != nil {
		return fmt.Errorf("publish events: %w", err)
	}
	if r.rec.State = ImportPublished; fresh == 0 {
		r.rec.State = ImportUnchanged
	}
	r.tally.Note("event known before", int64(len(rd.Events))-fresh)
	return nil
}

// open hands the unpacked content of a file to use.
func (r *run) open(f blob.File, use func(*blob.Reader) error) (err error) {
	in, err := f.Open(blob.Limits{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	return use(in)
}
