package figures

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/analysis"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics/waste"
)

// SaveFindings replaces the findings of subjects; repeated findings keep the time at which they were first found. end
// is the end of the ledger's data.
func (s *Figures) SaveFindings(
	ctx context.Context, of []analysis.WasteSubject, findings []waste.Finding, end period.Second,
) error {
	scopes, ids := columnsOf(of)
	return s.saveFindings(ctx, findings, end, "waste.kept", "waste.forget", scopes, ids)
}

// SaveFreeCapacity replaces the findings about free capacity on a day.
func (s *Figures) SaveFreeCapacity(
	ctx context.Context, day period.Second, findings []waste.Finding, end period.Second,
) error {
	return s.saveFindings(ctx, findings, end, "waste.kept_of_day", "waste.forget_of_day", day)
}

func (s *Figures) saveFindings(
	ctx context.Context, findings []waste.Finding, end period.Second, kept, forget string, of ...any,
) error {
	return s.InTx(ctx, "save findings", func(tx pgx.Tx) error {
		args := append([]any{pg.Tenant}, of...)
		first, err := pg.Map[ledger.ID, period.Second](ctx, tx, kept, args...)
		if err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, tx, forget, args...); err != nil {
			return err
		}
		var costs []findingCost
		_, err = pg.CopySlice(ctx, tx, pg.Statement("waste.copy_findings"), findings,
			func(r *pg.Row, f *waste.Finding) error {
				id := f.ID()
				seen, ok := first[id]
				if !ok {
					seen = end
				}
				for i, currency := range slices.Sorted(maps.Keys(f.Share.Cost)) {
					costs = append(costs, findingCost{id, currency, f.Share.Cost[currency], i == 0})
				}
				return encodeFinding(r, f, id, seen, end)
			})
		if err != nil {
			return err
		}
		_, err = pg.CopySlice(ctx, tx, pg.Statement("waste.copy_costs"), costs, func(r *pg.Row, c *findingCost) error {
			r.Begin(6)
			r.Int4(pg.Tenant)
			r.ID(c.id)
			r.Text(c.currency)
			r.Text(string(c.cost.State))
			r.Amount(c.cost.Amount)
			r.Bool(c.leads)
			return nil
		})
		return err
	})
}

// findingCost is a row of finding_costs.
type findingCost struct {
	id       ledger.ID
	currency string
	cost     waste.Cost
	leads    bool // the finding's first row
}

func encodeFinding(r *pg.Row, f *waste.Finding, id ledger.ID, first, last period.Second) error {
	definition, ok := waste.Define(f.Kind)
	if !ok {
		return fmt.Errorf("finding of the unknown kind %q", f.Kind)
	}
	w := &f.Where
	r.Begin(31)
	r.Int4(pg.Tenant)
	r.ID(id)
	r.Text(string(f.Kind))
	r.Text(f.Subject)
	r.Text(string(f.Key.Scope))
	r.ID(f.Key.ID())
	r.At(f.From)
	r.At(f.To)
	r.Bool(f.Open)
	r.Bool(!definition.Idle)
	r.Text(w.Cluster)
	r.Ref(w.NodeID)
	r.Name(w.Device)
	r.Slice(w.Slice - 1)
	for _, v := range []string{w.Profile, w.InstanceType, w.GPUModel} {
		r.Name(v)
	}
	r.Ref(w.WorkloadID)
	for _, v := range []string{w.Namespace, w.Kind, w.Workload, w.Pod, w.Service, w.RunID} {
		r.Name(v)
	}
	r.Ref(w.OwnerID)
	if f.Share.GPUHours.IsZero() {
		r.Null()
	} else {
		r.Amount(f.Share.GPUHours)
	}
	r.Text(string(cmp.Or(f.Quality, ledger.Measured)))
	if f.Evidence == nil {
		f.Evidence = []waste.Evidence{}
	}
	if err := r.Object(f.Evidence); err != nil {
		return err
	}
	r.At(first)
	r.At(last)
	r.Int8(f.Met)
	return nil
}
