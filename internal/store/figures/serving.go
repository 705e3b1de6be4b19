package figures

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics/serving"
)

// SaveServing computes the requests served on a day and their cost, and replaces the stored rows (docs/figures.md,
// section 16). If they change, so do the facts of the day.
func (s *Figures) SaveServing(
	ctx context.Context, step string, day period.Interval,
) (written int64, left serving.Leftover, err error) {
	book, err := s.Policies(ctx)
	if err != nil {
		return 0, left, err
	}
	if err := s.EnsureMonths(ctx, "serving_hours", pg.MonthsOf(day.From)); err != nil {
		return 0, left, err
	}
	err = s.analysisDay(ctx, step, day.From, func(tx pgx.Tx) error {
		replicas, err := servingReplicas(ctx, tx, day, book)
		if err != nil {
			return err
		}
		models, err := servedModels(ctx, tx)
		if err != nil {
			return err
		}
		d := serving.NewDay(day, replicas, models)
		if err := countServing(ctx, tx, day, d); err != nil {
			return err
		}
		rows, err := d.Rows()
		if err != nil {
			return err
		}
		left = d.Leftover
		if err := saveServedNames(ctx, tx, day.From, d.Names()); err != nil {
			return err
		}
		gone, err := pg.Exec(ctx, tx, "serving.forget", pg.Tenant, day.From, day.To)
		if err != nil {
			return err
		}
		if written, err = pg.CopySlice(ctx, tx, pg.Statement("serving.copy"), rows, encodeServing); err != nil ||
			gone+written == 0 {
			return err
		}
		_, err = pg.Exec(ctx, tx, "analysis.mark", pg.Tenant, "costs", day.From)
		return err
	})
	return written, left, err
}

// servingReplicas reads the workloads of a day with their usage and cost.
func servingReplicas(ctx context.Context, tx pgx.Tx, day period.Interval, book policy.Book) ([]serving.Replica, error) {
	type row struct {
		WorkloadID                                                     ledger.ID
		Cluster, Namespace, Name, Kind, OwnerName, Service, OwnerModel string
		HoldFrom, HoldTo                                               period.Second
		NodeCluster, NodeName, InstanceType, GPUModel                  string
	}
	workloads, err := pg.List[row](ctx, tx, "serving.replicas", pg.Tenant, day.From, day.To)
	if err != nil || len(workloads) == 0 {
		return nil, err
	}
	list, of := make([]serving.Replica, len(workloads)), held{}
	var ids []ledger.ID
	for i := range workloads {
		w := &workloads[i]
		n := policy.Node{Cluster: w.NodeCluster, Name: w.NodeName, InstanceType: w.InstanceType, GPUModel: w.GPUModel}
		list[i] = serving.Replica{ID: w.WorkloadID, Cluster: w.Cluster, Namespace: w.Namespace, Name: w.Name, Kind: w.Kind,
			OwnerName: w.OwnerName, Service: w.Service, OwnerModel: w.OwnerModel,
			Hold: period.Interval{From: w.HoldFrom, To: w.HoldTo}, Policy: book.For(n, day.From).Serving,
			Hours: map[period.Second]*serving.Held{}}
		ids, of[w.WorkloadID] = append(ids, w.WorkloadID), list[i].Hours
	}
	for _, read := range []func(context.Context, pgx.Tx, period.Interval,
		[]ledger.ID) error{of.readUsage, of.readCosts, of.readActivity} {
		if err := read(ctx, tx, day, ids); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// held has the hours of workloads.
type held map[ledger.ID]map[period.Second]*serving.Held

func (h held) hour(id ledger.ID, hour period.Second) *serving.Held {
	if h[id][hour] == nil {
		h[id][hour] = &serving.Held{}
	}
	return h[id][hour]
}

func (h held) readUsage(ctx context.Context, tx pgx.Tx, day period.Interval, ids []ledger.ID) error {
	type row struct {
		WorkloadID                             ledger.ID
		Hour                                   period.Second
		GPUHours, UsedGPUHours, ActiveGPUHours money.Amount
	}
	return pg.Each(ctx, tx, "serving.usage", func(r row) error {
		of := h.hour(r.WorkloadID, r.Hour)
		of.Held, of.GPUHours, of.UsedGPUHours, of.ActiveGPUHours = true, r.GPUHours, r.UsedGPUHours, r.ActiveGPUHours
		return nil
	}, pg.Tenant, day.From, day.To, ids)
}

func (h held) readCosts(ctx context.Context, tx pgx.Tx, day period.Interval, ids []ledger.ID) error {
	type row struct {
		WorkloadID      ledger.ID
		Hour            period.Second
		Currency, State string
		serving.CauseCost
		GPUHours money.Amount
	}
	return pg.Each(ctx, tx, "serving.costs", func(r row) error {
		of := h.hour(r.WorkloadID, r.Hour)
		if n := len(of.Money); n == 0 || of.Money[n-1].Currency != r.Currency || of.Money[n-1].State != r.State {
			of.Money = append(of.Money, serving.Money{Currency: r.Currency, State: r.State})
		}
		m := &of.Money[len(of.Money)-1]
		m.Causes, m.GPUHours = append(m.Causes, r.CauseCost), m.GPUHours.Add(r.GPUHours)
		return nil
	}, pg.Tenant, day.From, day.To, ids, serving.HeldCauses())
}

func (h held) readActivity(ctx context.Context, tx pgx.Tx, day period.Interval, ids []ledger.ID) error {
	activity, err := heldByHour(ctx, tx, day.From, ids)
	for i := range activity {
		h.hour(activity[i].WorkloadID, activity[i].At).Activity = activity[i].Bins
	}
	return err
}

// countServing passes the day's counters to d, process by process.
func countServing(ctx context.Context, tx pgx.Tx, day period.Interval, d *serving.Day) error {
	type row struct {
		serving.Process
		Hour    period.Second
		Vectors pg.PgxBytes
	}
	var process serving.Process
	var hours []serving.Hour
	err := pg.Each(ctx, tx, "serving.counters", func(r row) error {
		counters, err := minutes.Decode[string](r.Vectors)
		if err != nil {
			return fmt.Errorf("counters of %s/%s at %s: %w", r.Namespace, r.Pod, r.Hour, err)
		}
		if r.Process != process && len(hours) > 0 {
			d.Count(process, hours)
			hours = hours[:0]
		}
		process, hours = r.Process, append(hours, serving.Hour{Hour: r.Hour, Counters: counters})
		return nil
	}, pg.Tenant, day.From, day.To)
	if err == nil && len(hours) > 0 {
		d.Count(process, hours)
	}
	return err
}

// encodeServing writes a row in the order of serving.copy.
func encodeServing(r *pg.Row, v *serving.Row) error {
	r.Begin(54)
	r.Int4(pg.Tenant)
	r.At(v.Hour)
	r.ID(v.Workload)
	for _, text := range []string{v.Model, v.Server, v.Tenant, v.Currency, v.State, v.Service, v.Replica, v.Version} {
		r.Text(text)
	}
	for _, a := range []*money.Amount{v.Effective, v.Billed, v.List, v.Contracted} {
		r.Measure(a)
	}
	for _, c := range serving.HeldCauses() {
		if v.Effective == nil {
			r.Null()
		} else {
			r.Amount(v.ByCause[c])
		}
	}
	r.Measure(v.Input)
	r.Measure(v.Output)
	r.Text(string(v.Basis))
	r.Bool(v.CountsTokens)
	r.Bool(v.CountsRequests)
	if q := v.Held; q != nil {
		for _, a := range []money.Amount{
			q.GPUHours, q.UsedGPUHours, q.ActiveGPUHours, q.ReplicaHours, q.HeldMinutes, q.SeenMinutes,
		} {
			r.Amount(a)
		}
	} else {
		for range 6 {
			r.Null()
		}
	}
	r.Integers(v.Activity)
	c := v.Served
	if c == nil {
		c = &serving.Counted{}
	}
	for _, n := range []*int64{c.Requests, c.Failed, c.Inferences, c.PromptTokens, c.CachedTokens, c.GeneratedTokens,
		c.PrefillMillis, c.DecodeMillis,
		c.LatencyMillis, c.LatencySamples, c.TTFTMillis, c.TTFTSamples, c.QueueMillis, c.QueueSamples} {
		if n == nil {
			r.Null()
		} else {
			r.Int8(*n)
		}
	}
	for _, h := range []serving.Histogram{c.Latency, c.TTFT, c.Queue} {
		r.Integers(h.Bounds)
		r.Integers(h.Counts)
	}
	return nil
}
