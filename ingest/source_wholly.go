package ingest

import (
	"context"
	"fmt"
	"io"

	"gpuledger/ingest/annotations"
	"gpuledger/ingest/budgets"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// budgets imports budgets. A refused row refuses the import: half of a budget plan is another plan.
func (r *run) budgets(ctx context.Context) error {
	return wholly(ctx, r, budgets.Parse, r.im.Store.PublishBudgets)
}

// annotations imports annotations, all of them or none: half a list of deploys looks like a quiet week.
func (r *run) annotations(ctx context.Context) error {
	return wholly(ctx, r, annotations.Parse, r.im.Store.PublishAnnotations)
}

// wholly imports files whose rows are published together: a refused row refuses the import.
func wholly[T any](ctx context.Context, r *run,
	parse func(context.Context, io.Reader, string) ([]T, ledger.Reading, error),
	publish func(ctx context.Context, importID ledger.ID, by string, rows []T) (news int64, err error),
) error {
	r.phase("read")
	var all []T
	for _, f := range r.files {
		var found []T
		var read ledger.Reading
		err := r.open(f.File, func(in *blob.Reader) (err error) {
			found, read, err = parse(ctx, in, f.Name)
			return err
		})
		r.rec.RowsRead += read.Rows
		r.rec.Accepted += read.Accepted
		r.tally.Merge(&read.Tally)
		if err != nil {
			if err = r.refuse(f.Name, err); err != nil {
				return err
			}
		}
		all = append(all, found...)
		r.fileDone(f.File)
	}
	if r.tally.Faulty() {
		return errRejected
	}
	if err := r.nothing(); err != nil {
		return err
	}
	r.phase(phasePublish)
	news, err := publish(ctx, r.rec.ID, "import", all)
	if err != nil {
		if err := r.refuse("", err); err != nil {
			return fmt.Errorf("publish %s: %w", r.rec.Source, err)
		}
		return errRejected
	}
	if r.rec.State = ImportPublished; news == 0 {
		r.rec.State = ImportUnchanged
	}
	r.tally.Note("known before", r.rec.Accepted-news)
	return nil
}
