package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"gpuledger/ingest/bill"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// chargeBatch is charges of one slot on their way to the stage.
type chargeBatch struct {
	slot    int
	charges []ledger.Charge
}

// bill imports bills of one format: both passes, then stage, check, publish.
func (r *run) bill(ctx context.Context, format bill.Format) error {
	data, manifests, err := r.manifests(format)
	if err != nil {
		return err
	}
	surveys, err := r.survey(ctx, format, data, manifests)
	if err != nil {
		return err
	}
	if r.tally.RejectedRows() > 0 {
		return errRejected
	}
	plan, err := bill.NewPlan(format, surveys, manifests, bill.PlanOptions{
		DeliveredAt: r.req.DeliveredAt, Aggregate: !r.req.KeepEverything, Prefer: r.req.Prefer,
	})
	if err != nil {
		return r.rejected(r.rec.URI, err)
	}
	for _, name := range plan.Leftover {
		r.tally.Note("file beside a manifest that does not name it: "+name, 1)
	}
	if plan.Deliveries() == 0 {
		r.rec.State = ImportUnchanged // exports without any row
		return nil
	}
	stage, err := r.im.Store.StageCharges(ctx, r.rec.ID)
	if err != nil {
		return fmt.Errorf("stage charges: %w", err)
	}
	if err := r.stageCharges(ctx, stage, plan, data); err != nil {
		return errors.Join(err, stage.Discard(context.WithoutCancel(ctx)))
	}
	return nil
}

// rejected turns the refusal of a file into errRejected.
func (r *run) rejected(file string, err error) error {
	if err = r.refuse(file, err); err == nil {
		return errRejected
	}
	return err
}

// manifests parts manifests from data files.
func (r *run) manifests(format bill.Format) ([]blob.File, []*bill.Manifest, error) {
	var data []blob.File
	var manifests []*bill.Manifest
	for _, f := range r.files {
		if !f.manifest {
			data = append(data, f.File)
			continue
		}
		text, err := readSmall(f.File, bill.MaxManifest)
		if err != nil {
			return nil, nil, r.rejected(f.Name, err)
		}
		m, err := format.ParseManifest(f.Name, text)
		if err != nil {
			return nil, nil, r.rejected(f.Name, err)
		}
		manifests = append(manifests, m)
	}
	return data, manifests, nil
}

// readSmall reads a whole file of limited size.
func readSmall(f blob.File, most int64) (text []byte, err error) {
	in, err := f.Open(blob.Limits{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	text, err = io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("%s: larger than %d bytes", f.Name, most)
	}
	return text, err
}

// survey makes the first pass over all files.
func (r *run) survey(ctx context.Context, format bill.Format, data []blob.File, manifests []*bill.Manifest) ([]*bill.Survey, error) {
	r.phase("survey")
	lines, owners := bill.NeedLines(data, manifests), bill.Owners(data, manifests)
	surveys := make([]*bill.Survey, len(data))
	var mu sync.Mutex
	err := pipeline(ctx, r.parsers(), len(data),
		func(ctx context.Context, i int, _ func(int) error) error {
			sv, err := bill.SurveyFile(ctx, format, data[i], bill.SurveyOptions{Lines: lines[i], Machines: !r.req.KeepEverything, Manifest: owners[i]})
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				return r.refuse(data[i].Name, err)
			}
			surveys[i] = sv
			r.tally.Merge(&sv.Tally)
			r.rec.RowsRead += sv.Rows
			r.fileDone(data[i])
			return nil
		},
		func(context.Context, int) error { return nil })
	return surveys, err
}

func (r *run) stageCharges(ctx context.Context, stage ChargeStage, plan *bill.Plan, data []blob.File) error {
	r.phase("read")
	var mu sync.Mutex
	err := pipeline(ctx, r.parsers(), plan.Files(),
		func(ctx context.Context, i int, emit func(chargeBatch) error) error {
			tally, err := plan.Read(ctx, i, func(slot int, charges []ledger.Charge) error {
				return emit(chargeBatch{slot, charges})
			})
			mu.Lock()
			defer mu.Unlock()
			r.tally.Merge(&tally)
			if err != nil {
				return r.refuse(data[i].Name, err)
			}
			r.fileDone(data[i])
			return nil
		},
		func(ctx context.Context, b chargeBatch) error {
			if err := stage.Write(ctx, b.slot, b.charges); err != nil {
				return fmt.Errorf("stage charges: %w", err)
			}
			r.rowsDone(int64(len(b.charges)))
			return nil
		})
	if err != nil {
		return err
	}
	if r.tally.RejectedRows() > 0 {
		return errRejected
	}
	deliveries, err := plan.Finish()
	if err != nil {
		return r.rejected(r.rec.URI, err)
	}
	r.phase("publish")
	published, err := stage.Publish(ctx, deliveries)
	if err != nil {
		return fmt.Errorf("publish charges: %w", err)
	}
	r.sum.Deliveries = published
	for i := range deliveries {
		r.rec.Accepted += deliveries[i].Rows
		for _, t := range deliveries[i].Totals {
			r.sum.ControlTotals = append(r.sum.ControlTotals, ControlTotal{DeliveryID: deliveries[i].ID, Account: t.Account,
				BillingPeriod: t.BillingPeriod, Currency: t.Currency, Metric: t.Metric, SourceTotal: t.SourceTotal, Charges: t.Charges})
		}
	}
	r.rec.State = stateOf(published)
	return nil
}
