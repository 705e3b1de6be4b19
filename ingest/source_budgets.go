package ingest

import (
	"context"
	"fmt"

	"gpuledger/ingest/budgets"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// budgets imports budgets. A refused row refuses the import: half of a budget plan is another plan.
func (r *run) budgets(ctx context.Context) error {
	r.phase("read")
	var all []ledger.Budget
	for _, f := range r.files {
		var found []ledger.Budget
		var read ledger.Reading
		err := r.open(f.File, func(in *blob.Reader) (err error) {
			found, read, err = budgets.Parse(ctx, in, f.Name)
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
	changed, err := r.im.Store.PublishBudgets(ctx, r.rec.ID, "import", all)
	if err != nil {
		if err := r.refuse("", err); err != nil {
			return fmt.Errorf("publish budgets: %w", err)
		}
		return errRejected
	}
	if r.rec.State = ImportPublished; changed == 0 {
		r.rec.State = ImportUnchanged
	}
	r.tally.Note("budget known before", r.rec.Accepted-changed)
	return nil
}
