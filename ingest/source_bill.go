package ingest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"gpuledger/ingest/bill"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// chargeBatch is a batch of one slot's charges on their way to the stage.
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
	data, format, err = bill.Prepare(ctx, format, data, &r.tally)
	if err != nil {
		return r.rejected(r.rec.URI, err)
	}
	surveys, err := r.survey(ctx, format, data, manifests)
	if err != nil {
		return err
	}
	plan, err := r.carryOut(ctx, format, surveys, manifests, data)
	if err != nil {
		return err
	}
	for _, refused := range plan.Refused {
		r.tally.Refuse(refused)
	}
	for _, name := range plan.Leftover {
		r.tally.Note("file next to a manifest that does not name it: "+name, 1)
	}
	for _, note := range plan.Aside {
		r.tally.Note(note, 1)
	}
	r.tally.Merge(plan.Ignored())
	r.repeat(plan)
	switch {
	case len(r.sum.Deliveries) > 0:
	case r.tally.Faulty():
		return errRejected
	default:
		r.rec.State = ImportUnchanged // exports without any row
	}
	return nil
}

// mostPlans bounds how often an import is planned again because another one has published rows
// of the same append-only export meanwhile.
const mostPlans = 10

// carryOut makes a plan and publishes its deliveries.
func (r *run) carryOut(
	ctx context.Context, format bill.Format, surveys []*bill.Survey, manifests []*bill.Manifest, data []blob.File,
) (*bill.Plan, error) {
	for tries := 1; ; tries++ {
		plan := bill.NewPlan(format, surveys, manifests, bill.PlanOptions{
			DeliveredAt: r.req.DeliveredAt, Aggregate: !r.req.KeepEverything, Prefer: r.req.Prefer,
			Gone:   func(place string) bool { return r.look(place) == Gone },
			Stored: func(like ledger.Delivery) ([]bill.Stored, error) { return r.stored(ctx, like) },
		})
		if err := plan.Choose(ctx); err != nil {
			return nil, r.rejected(r.rec.URI, err)
		}
		if plan.Deliveries() == 0 {
			return plan, nil
		}
		err := errors.Join(r.load(ctx, plan, data), plan.Close())
		if err == nil || !errors.Is(err, ErrAnotherAppended) || tries == mostPlans {
			return plan, err
		}
	}
}

// stored returns the counting deliveries of an append-only export.
func (r *run) stored(ctx context.Context, like ledger.Delivery) ([]bill.Stored, error) {
	appended, err := r.im.Store.Appended(ctx, like)
	if err != nil {
		return nil, err
	}
	out := make([]bill.Stored, len(appended))
	for i, a := range appended {
		rows, err := bill.DecodeReading(a.Rows)
		if err != nil {
			return nil, fmt.Errorf("delivery %s: %w", a.ID, err)
		}
		out[i] = bill.Stored{ID: a.ID, Aggregated: a.Aggregated, Rows: rows, DeliveredAt: a.DeliveredAt, Places: a.Places}
	}
	return out, nil
}

// repeat records rows that are already stored.
func (r *run) repeat(plan *bill.Plan) {
	for _, again := range plan.Repeated {
		r.sum.Deliveries = append(r.sum.Deliveries, PublishedDelivery{
			DeliveryID: again.Delivery, Partition: again.Partition, State: DeliveryUnchanged, Rows: again.Rows,
		})
	}
	if len(plan.Repeated) > 0 {
		r.rec.State = stateOf(r.sum.Deliveries)
	}
}

// load stages the deliveries of a plan and publishes those without a fault. Files are read
// once, whatever turns out to be bad.
func (r *run) load(ctx context.Context, plan *bill.Plan, data []blob.File) error {
	stage, err := r.im.Store.StageCharges(ctx, r.rec.ID)
	if err != nil {
		return fmt.Errorf("stage charges: %w", err)
	}
	stage.Look(r.look)
	discard := func(cause error) error { return errors.Join(cause, stage.Discard(context.WithoutCancel(ctx))) }
	tally, err := r.read(ctx, stage, plan, data)
	if err != nil {
		return discard(err)
	}
	r.tally.Merge(tally)
	for _, refused := range plan.Companions() {
		r.tally.Refuse(refused)
	}
	deliveries, refused, err := plan.Finish()
	if err != nil {
		return discard(r.rejected(r.rec.URI, err))
	}
	for _, bad := range refused {
		r.tally.Refuse(bad)
	}
	r.phase(phasePublish)
	for {
		spoiled := plan.Spoiled()
		if len(spoiled) == len(deliveries) {
			return discard(nil)
		}
		for _, slot := range spoiled {
			stage.Drop(slot)
		}
		published, err := stage.Publish(ctx, deliveries)
		bad, others := DeliveryErrors(err)
		switch {
		case len(bad) > 0 && !others && !slices.Contains(spoiled, bad[0].Slot):
			for _, refused := range together(bad) {
				var slots []int
				for _, one := range refused {
					slots = append(slots, one.Slot)
					plan.Spoil(one.Slot)
				}
				r.tally.Refuse(ledger.Rejection{
					File: plan.Names(slots...), Reason: refused[0].Reason, Detail: refused[0].Err.Error(),
				})
			}
		case errors.Is(err, ErrAnotherAppended):
			return discard(err)
		case err != nil:
			return discard(fmt.Errorf("publish charges: %w", err))
		default:
			r.record(deliveries, published, spoiled)
			for _, d := range r.sum.Deliveries {
				r.rec.Accepted += d.Rows
			}
			return nil
		}
	}
}

// together groups refusals with the same reason, in order, so that all days of an export are
// one message.
func together(bad []*DeliveryError) (out [][]*DeliveryError) {
	at := map[string]int{}
	for _, one := range bad {
		i, known := at[one.Err.Error()]
		if !known {
			i = len(out)
			at[one.Err.Error()], out = i, append(out, nil)
		}
		out[i] = append(out[i], one)
	}
	return out
}

// rejected turns the refusal of a file into errRejected.
func (r *run) rejected(file string, err error) error {
	if err = r.refuse(file, err); err == nil {
		return errRejected
	}
	return err
}

// manifests separates manifests from data files. Files at the places of a broken manifest are
// left out with it.
func (r *run) manifests(format bill.Format) (data []blob.File, manifests []*bill.Manifest, err error) {
	var lost []string
	for _, f := range r.files {
		if !f.manifest {
			data = append(data, f.File)
			continue
		}
		m, err := readManifest(format, f.File)
		if err != nil {
			if err := r.refuse(f.Name, err); err != nil {
				return nil, nil, err
			}
			lost = append(lost, f.Folder(), strings.Replace(f.Folder(), "/metadata/", "/data/", 1))
			continue
		}
		manifests = append(manifests, m)
		r.fileDone(f.File)
	}
	data = slices.DeleteFunc(data, func(f blob.File) bool {
		under := slices.ContainsFunc(lost, func(folder string) bool { return strings.HasPrefix(f.Folder()+"/", folder+"/") })
		if under {
			r.tally.Note("file next to a manifest that was refused: "+f.Name, 1)
		}
		return under
	})
	return data, manifests, nil
}

func readManifest(format bill.Format, f blob.File) (*bill.Manifest, error) {
	text, err := readSmall(f, bill.MaxManifest)
	if err != nil {
		return nil, err
	}
	m, err := format.ParseManifest(f.Name, text)
	if err != nil {
		return nil, err
	}
	m.Places, m.Modified = []ledger.DeliveryPlace{{Path: f.Place(), SHA256: sha256.Sum256(text)}}, f.Modified
	return m, nil
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
func (r *run) survey(
	ctx context.Context, format bill.Format, data []blob.File, manifests []*bill.Manifest,
) ([]*bill.Survey, error) {
	r.phase("survey")
	lines, owners := bill.NeedLines(format, data, manifests), bill.Owners(data, manifests)
	surveys := make([]*bill.Survey, len(data))
	var mu sync.Mutex
	err := pipeline(ctx, r.parsers(), len(data),
		func(ctx context.Context, i int, _ func(int) error) error {
			sv, err := bill.SurveyFile(ctx, format, data[i], bill.SurveyOptions{
				Lines: lines[i], Hints: r.req.Hints, Machines: !r.req.KeepEverything, Manifest: owners[i],
			})
			mu.Lock()
			defer mu.Unlock()
			if sv != nil {
				r.tally.Merge(&sv.Tally)
				r.rec.RowsRead += sv.Rows
			}
			if err != nil {
				surveys[i] = bill.Unreadable(data[i], sv)
				return r.refuse(data[i].Name, err)
			}
			surveys[i] = sv
			r.fileDone(data[i])
			return nil
		},
		func(context.Context, int) error { return nil })
	return surveys, err
}

// read makes the second pass over all files and stages their charges.
func (r *run) read(ctx context.Context, stage ChargeStage, plan *bill.Plan, data []blob.File) (*ledger.Tally, error) {
	r.phase("read")
	var mu sync.Mutex
	tally := &ledger.Tally{}
	err := pipeline(ctx, r.parsers(), plan.Files(),
		func(ctx context.Context, i int, emit func(chargeBatch) error) error {
			one, err := plan.Read(ctx, i, func(slot int, charges []ledger.Charge) error {
				return emit(chargeBatch{slot, charges})
			})
			mu.Lock()
			defer mu.Unlock()
			tally.Merge(&one)
			if err != nil {
				plan.SpoilFile(i)
				return refuseIn(tally, data[i].Name, err)
			}
			r.fileDone(data[i])
			return nil
		},
		func(ctx context.Context, b chargeBatch) error {
			if err := stage.Write(ctx, b.slot, b.charges); err != nil {
				return fmt.Errorf("stage charges: %w", err)
			}
			r.days.charges(b.charges)
			r.rowsDone(int64(len(b.charges)))
			return nil
		})
	return tally, err
}

// record writes the published deliveries into the summary; without are slots that were not
// published.
func (r *run) record(deliveries []ledger.Delivery, published []PublishedDelivery, without []int) {
	for slot := range deliveries {
		if slices.Contains(without, slot) {
			continue
		}
		d := &deliveries[slot]
		r.sum.Deliveries = append(r.sum.Deliveries, published[slot])
		for _, t := range d.Totals {
			r.sum.ControlTotals = append(r.sum.ControlTotals, ControlTotal{DeliveryID: d.ID, Account: t.Account,
				BillingPeriod: t.BillingPeriod, Currency: t.Currency,
				Metric: t.Metric, SourceTotal: t.SourceTotal, Charges: t.Charges})
		}
	}
	r.rec.State = stateOf(r.sum.Deliveries)
}
