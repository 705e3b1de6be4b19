package figures

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/analysis"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics/advice"
	"gpuledger/metrics/waste"
)

// LosableRuns are runs inside within whose work can be lost, with their checkpoints and without their shares, and all
// runs whose findings they replace.
func (s *Figures) LosableRuns(
	ctx context.Context, within period.Interval,
) (of []analysis.WasteSubject, list []waste.RunFacts, err error) {
	runs, err := pg.Values[string](ctx, s.Pool, "waste.run_keys", pg.Tenant, within.From, within.To)
	if err != nil {
		return nil, nil, err
	}
	for _, run := range runs {
		of = append(of, analysis.WasteSubject{Scope: waste.OfRun, ID: waste.Key{Scope: waste.OfRun, Subject: run}.ID()})
	}
	list, err = s.losable(ctx, within, nil)
	return of, list, err
}

// AdvisedRuns are runs of class run on on-demand machines of types that their teams are advised to replace with spot,
// without their shares, and all runs whose findings of that advice they replace.
func (s *Figures) AdvisedRuns(
	ctx context.Context, within period.Interval, moves []advice.Recommendation,
) (of []analysis.WasteSubject, list []waste.RunFacts, err error) {
	known := map[analysis.WasteSubject]bool{}
	if err := addSubjects(ctx, s.Pool, known, "waste.of_scope", pg.Tenant, waste.OfSpotAdvice); err != nil {
		return nil, nil, err
	}
	var clusters, types, teams []string
	for i := range moves {
		v := &moves[i].Subject
		clusters, types, teams = append(clusters, v.Cluster), append(types, v.Kind), append(teams, v.Name)
	}
	runs, err := pg.Values[string](ctx, s.Pool, "waste.advised_runs", pg.Tenant, within.From, within.To, clusters, types,
		teams)
	if err != nil {
		return nil, nil, err
	}
	if len(runs) > 0 {
		if list, err = s.losable(ctx, within, runs); err != nil {
			return nil, nil, err
		}
	}
	for i := range list {
		list[i].Advised = true
		known[analysis.WasteSubject{Scope: waste.OfSpotAdvice,
			ID: waste.Key{Scope: waste.OfSpotAdvice, Subject: list[i].Where.RunID}.ID()}] = true
	}
	return slices.Collect(maps.Keys(known)), list, nil
}

// losable are the named runs whose work can be lost; names nil: all.
func (s *Figures) losable(
	ctx context.Context, within period.Interval, names []string,
) (list []waste.RunFacts, err error) {
	var last ledger.ID
	err = pg.Query(ctx, s.Pool, "waste.losable_runs", func(rows pgx.Rows) error {
		var r waste.RunFacts
		var a waste.RunAttempt
		var attempt ledger.ID
		var saved, at *period.Second
		w := &r.Where
		if err := rows.Scan(&w.RunID, &w.Cluster, &w.Namespace, &w.Workload, &w.Kind, &w.OwnerID, &r.Open, &r.Posted, &r.Kind,
			&r.Retries,
			&attempt, &a.Number, &a.Spot, &a.From, &a.To, &saved, &at); err != nil {
			return err
		}
		if n := len(list); n == 0 || list[n-1].Where.RunID != w.RunID {
			list = append(list, r)
		}
		run := &list[len(list)-1]
		if attempt != last {
			if saved != nil {
				a.Last = *saved
			}
			run.Attempts, last = append(run.Attempts, a), attempt
		}
		if at != nil {
			try := &run.Attempts[len(run.Attempts)-1]
			try.Saved = append(try.Saved, *at)
		}
		return nil
	}, pg.Tenant, within.From, within.To, names)
	return list, err
}

// RunShares are the usage and cost of runs, without the host.
func (s *Figures) RunShares(ctx context.Context, runs []string) (map[string]waste.Share, error) {
	shares := map[string]waste.Share{}
	if len(runs) == 0 {
		return shares, nil
	}
	list, err := pg.List[struct {
		RunID, Currency string
		waste.Cost
		GPUHours money.Amount
	}](ctx, s.Pool, "waste.run_costs", pg.Tenant, runs)
	for _, r := range list {
		v := shares[r.RunID]
		v.GPUHours = v.GPUHours.Add(r.GPUHours)
		if r.Currency != "" {
			v.Cost = v.Cost.Add(waste.Money{r.Currency: r.Cost})
		}
		shares[r.RunID] = v
	}
	return shares, err
}

// MachineFacts are the machines with GPUs that existed inside within.
func (s *Figures) MachineFacts(ctx context.Context, within period.Interval) (list []waste.MachineFacts, err error) {
	at := map[ledger.ID]int{}
	var ids []ledger.ID
	err = pg.Query(ctx, s.Pool, "waste.machine_facts", func(rows pgx.Rows) error {
		var m waste.MachineFacts
		var name string
		w := &m.Where
		if err := rows.Scan(&w.NodeID, &w.Cluster, &name, &w.InstanceType, &w.GPUModel, &w.OwnerID, &m.Life.From, &m.Life.To,
			&m.Bare); err != nil {
			return err
		}
		m.Subject = w.Cluster + "/" + name
		at[w.NodeID] = len(list)
		ids, list = append(ids, w.NodeID), append(list, m)
		return nil
	}, pg.Tenant, within.From, within.To)
	if err != nil || len(list) == 0 {
		return list, err
	}
	others, err := pg.List[struct {
		NodeID ledger.ID
		waste.OtherPod
	}](ctx, s.Pool, "waste.others", pg.Tenant, ids)
	if err != nil {
		return nil, err
	}
	for _, o := range others {
		m := &list[at[o.NodeID]]
		m.Others = append(m.Others, o.OtherPod)
	}
	return list, s.otherCosts(ctx, list, at)
}

// otherCosts adds the resources and cost of machines with other pods.
func (s *Figures) otherCosts(ctx context.Context, list []waste.MachineFacts, at map[ledger.ID]int) error {
	var nodes []ledger.ID
	var from, to []period.Second
	for i := range list {
		for _, p := range list[i].Others {
			nodes, from, to = append(nodes, list[i].Where.NodeID), append(from, p.From), append(to, p.To)
		}
	}
	machines, err := pg.List[struct {
		NodeID       ledger.ID
		VCPU, Memory int64
	}](ctx, s.Pool, "waste.other_machines", pg.Tenant, nodes)
	if err != nil {
		return err
	}
	for _, v := range machines {
		m := &list[at[v.NodeID]]
		m.VCPU, m.Memory = v.VCPU, v.Memory
	}
	costs, err := pg.List[struct {
		NodeID   ledger.ID
		Hour     period.Second
		Currency string
		waste.Cost
	}](ctx, s.Pool, "waste.other_costs", pg.Tenant, nodes, from, to)
	for _, c := range costs {
		m := &list[at[c.NodeID]]
		m.Costs = append(m.Costs, waste.HourMoney{Hour: c.Hour, Currency: c.Currency, Cost: c.Cost})
	}
	return err
}
