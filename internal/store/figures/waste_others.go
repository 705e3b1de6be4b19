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

// LosableRuns are runs inside within whose work can be lost, with what they
// saved, without their shares; and all runs whose findings they replace.
func (s *Figures) LosableRuns(ctx context.Context, within period.Interval) (of []analysis.WasteSubject, list []waste.RunFacts, err error) {
	err = pg.Query(ctx, s.Pool, "waste.run_keys", func(rows pgx.Rows) error {
		var run string
		err := rows.Scan(&run)
		of = append(of, analysis.WasteSubject{Scope: waste.OfRun, ID: waste.Key{Scope: waste.OfRun, Subject: run}.ID()})
		return err
	}, pg.Tenant, within.From, within.To)
	if err != nil {
		return nil, nil, err
	}
	list, err = s.losable(ctx, within, nil)
	return of, list, err
}

// AdvisedRuns are runs of class run that were on on-demand machines of types from
// which their teams are advised to move to spot, without their shares; and all
// runs whose findings of that advice they replace.
func (s *Figures) AdvisedRuns(ctx context.Context, within period.Interval, moves []advice.Recommendation) (of []analysis.WasteSubject, list []waste.RunFacts, err error) {
	known := map[analysis.WasteSubject]bool{}
	if err := pg.Query(ctx, s.Pool, "waste.of_scope", scanSubjects(known), pg.Tenant, waste.OfSpotAdvice); err != nil {
		return nil, nil, err
	}
	var clusters, types, teams, runs []string
	for i := range moves {
		v := &moves[i].Subject
		clusters, types, teams = append(clusters, v.Cluster), append(types, v.Kind), append(teams, v.Name)
	}
	err = pg.Query(ctx, s.Pool, "waste.advised_runs", func(rows pgx.Rows) error {
		var run string
		err := rows.Scan(&run)
		runs = append(runs, run)
		return err
	}, pg.Tenant, within.From, within.To, clusters, types, teams)
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
		known[analysis.WasteSubject{Scope: waste.OfSpotAdvice, ID: waste.Key{Scope: waste.OfSpotAdvice, Subject: list[i].Where.RunID}.ID()}] = true
	}
	return slices.Collect(maps.Keys(known)), list, nil
}

// losable are runs whose work can be lost: those of the names, nil: all.
func (s *Figures) losable(ctx context.Context, within period.Interval, names []string) (list []waste.RunFacts, err error) {
	var last ledger.ID
	err = pg.Query(ctx, s.Pool, "waste.losable_runs", func(rows pgx.Rows) error {
		var r waste.RunFacts
		var a waste.RunAttempt
		var attempt ledger.ID
		var saved, at *period.Second
		w := &r.Where
		if err := rows.Scan(&w.RunID, &w.Cluster, &w.Namespace, &w.Workload, &w.Kind, &w.OwnerID, &r.Open, &r.Posted, &r.Kind, &r.Retries,
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

// RunShares are what runs held and what it cost, host not included.
func (s *Figures) RunShares(ctx context.Context, runs []string) (map[string]waste.Share, error) {
	shares := map[string]waste.Share{}
	if len(runs) == 0 {
		return shares, nil
	}
	err := pg.Query(ctx, s.Pool, "waste.run_costs", func(rows pgx.Rows) error {
		var run, currency, state string
		var cost, hours money.Amount
		if err := rows.Scan(&run, &currency, &state, &cost, &hours); err != nil {
			return err
		}
		v := shares[run]
		v.GPUHours = v.GPUHours.Add(hours)
		if currency != "" {
			v.Cost = v.Cost.Add(waste.Money{currency: {Amount: cost, State: ledger.State(state)}})
		}
		shares[run] = v
		return nil
	}, pg.Tenant, runs)
	return shares, err
}

// MachineFacts are the machines with GPUs that were there inside within.
func (s *Figures) MachineFacts(ctx context.Context, within period.Interval) (list []waste.MachineFacts, err error) {
	at := map[ledger.ID]int{}
	var ids []ledger.ID
	err = pg.Query(ctx, s.Pool, "waste.machine_facts", func(rows pgx.Rows) error {
		var m waste.MachineFacts
		var name string
		w := &m.Where
		if err := rows.Scan(&w.NodeID, &w.Cluster, &name, &w.InstanceType, &w.GPUModel, &w.OwnerID, &m.Life.From, &m.Life.To, &m.Bare); err != nil {
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
	err = pg.Query(ctx, s.Pool, "waste.others", func(rows pgx.Rows) error {
		var node ledger.ID
		var v waste.OtherPod
		var cpu, memory *int64
		if err := rows.Scan(&node, &v.From, &v.To, &cpu, &memory); err != nil {
			return err
		}
		v.MilliCPU, v.Memory = orZero(cpu), orZero(memory)
		m := &list[at[node]]
		m.Others = append(m.Others, v)
		return nil
	}, pg.Tenant, ids)
	if err != nil {
		return nil, err
	}
	return list, s.otherCosts(ctx, list, at)
}

// otherCosts adds what machines with other pods have and cost.
func (s *Figures) otherCosts(ctx context.Context, list []waste.MachineFacts, at map[ledger.ID]int) error {
	var nodes []ledger.ID
	var from, to []period.Second
	for i := range list {
		for _, p := range list[i].Others {
			nodes, from, to = append(nodes, list[i].Where.NodeID), append(from, p.From), append(to, p.To)
		}
	}
	err := pg.Query(ctx, s.Pool, "waste.other_machines", func(rows pgx.Rows) error {
		var node ledger.ID
		var vcpu, memory *int64
		if err := rows.Scan(&node, &vcpu, &memory); err != nil {
			return err
		}
		m := &list[at[node]]
		m.VCPU, m.Memory = orZero(vcpu), orZero(memory)
		return nil
	}, pg.Tenant, nodes)
	if err != nil {
		return err
	}
	return pg.Query(ctx, s.Pool, "waste.other_costs", func(rows pgx.Rows) error {
		var node ledger.ID
		var h waste.HourMoney
		if err := rows.Scan(&node, &h.Hour, &h.Currency, &h.Cost.State, &h.Cost.Amount); err != nil {
			return err
		}
		m := &list[at[node]]
		m.Costs = append(m.Costs, h)
		return nil
	}, pg.Tenant, nodes, from, to)
}

// orZero is a number, 0 where there is none.
func orZero(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}
