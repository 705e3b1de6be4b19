package store

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
	"gpuledger/metrics/waste"
)

// SaveFindings replaces the findings of subjects; what was found before keeps
// the time when it was found first. end is the end of what the ledger has.
func (s *Store) SaveFindings(ctx context.Context, of []analysis.WasteSubject, findings []waste.Finding, end period.Second) error {
	scopes, ids := columnsOf(of)
	return s.saveFindings(ctx, findings, end, "waste.kept", "waste.forget", scopes, ids)
}

// SaveFreeCapacity replaces the findings about free capacity of a day.
func (s *Store) SaveFreeCapacity(ctx context.Context, day period.Second, findings []waste.Finding, end period.Second) error {
	return s.saveFindings(ctx, findings, end, "waste.kept_of_day", "waste.forget_of_day", day)
}

func (s *Store) saveFindings(ctx context.Context, findings []waste.Finding, end period.Second, kept, forget string, of ...any) error {
	return s.inTx(ctx, "save findings", func(tx pgx.Tx) error {
		args := append([]any{tenant}, of...)
		first := map[ledger.ID]period.Second{}
		err := query(ctx, tx, kept, func(rows pgx.Rows) error {
			var id ledger.ID
			var at period.Second
			err := rows.Scan(&id, &at)
			first[id] = at
			return err
		}, args...)
		if err != nil {
			return err
		}
		if _, err := exec(ctx, tx, forget, args...); err != nil {
			return err
		}
		var costs []findingCost
		_, err = copySlice(ctx, tx, statement("waste.copy_findings"), findings, func(r *row, f *waste.Finding) error {
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
		_, err = copySlice(ctx, tx, statement("waste.copy_costs"), costs, func(r *row, c *findingCost) error {
			r.begin(6)
			r.int4(tenant)
			r.id(c.id)
			r.text(c.currency)
			r.text(string(c.cost.State))
			r.amount(c.cost.Amount)
			r.bool(c.leads)
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
	leads    bool // the first of the finding's
}

func encodeFinding(r *row, f *waste.Finding, id ledger.ID, first, last period.Second) error {
	definition, ok := waste.Define(f.Kind)
	if !ok {
		return fmt.Errorf("finding of the unknown kind %q", f.Kind)
	}
	w := &f.Where
	r.begin(31)
	r.int4(tenant)
	r.id(id)
	r.text(string(f.Kind))
	r.text(f.Subject)
	r.text(string(f.Key.Scope))
	r.id(f.Key.ID())
	r.at(f.From)
	r.at(f.To)
	r.bool(f.Open)
	r.bool(!definition.Idle)
	r.text(w.Cluster)
	r.ref(w.NodeID)
	r.name(w.Device)
	r.slice(w.Slice - 1)
	for _, v := range []string{w.Profile, w.InstanceType, w.GPUModel} {
		r.name(v)
	}
	r.ref(w.WorkloadID)
	for _, v := range []string{w.Namespace, w.Kind, w.Workload, w.Pod, w.Service, w.RunID} {
		r.name(v)
	}
	r.ref(w.OwnerID)
	if f.Share.GPUHours.IsZero() {
		r.null()
	} else {
		r.amount(f.Share.GPUHours)
	}
	r.text(string(cmp.Or(f.Quality, ledger.Measured)))
	if f.Evidence == nil {
		f.Evidence = []waste.Evidence{}
	}
	if err := r.object(f.Evidence); err != nil {
		return err
	}
	r.at(first)
	r.at(last)
	r.int8(f.Met)
	return nil
}
