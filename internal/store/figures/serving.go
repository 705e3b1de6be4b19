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

// SaveServing works out what was served on a day, and what it cost, and
// replaces what was known of it (docs/figures.md, section 16).
func (s *Figures) SaveServing(ctx context.Context, step string, day period.Interval) (written int64, left serving.Leftover, err error) {
	book, err := s.Policies(ctx)
	if err != nil {
		return 0, left, err
	}
	for _, table := range []string{"serving_hours", "serving_days"} {
		if err := s.EnsureMonths(ctx, table, pg.MonthsOf(day.From)); err != nil {
			return 0, left, err
		}
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
		for _, forget := range []string{"serving.forget", "serving.forget_days"} {
			if _, err := pg.Exec(ctx, tx, forget, pg.Tenant, day.From, day.To); err != nil {
				return err
			}
		}
		if written, err = pg.CopySlice(ctx, tx, pg.Statement("serving.copy"), rows, encodeServing); err != nil {
			return err
		}
		if _, err = pg.CopySlice(ctx, tx, pg.Statement("serving.copy_days"), serving.Days(day.From, rows), encodeServing); err != nil {
			return err
		}
		return AddUpServices(ctx, tx, day)
	})
	return written, left, err
}

// AddUpServices makes a day's roll-up of services anew and takes back that of
// its month, which SaveServingMonths makes again.
func AddUpServices(ctx context.Context, tx pgx.Tx, day period.Interval) error {
	if _, err := pg.Exec(ctx, tx, "serving.forget_services", pg.Tenant, day.From); err != nil {
		return err
	}
	_, err := pg.Exec(ctx, tx, "serving.put_services", pg.Tenant, "day", day.From, day.To, false)
	return err
}

// StageServing is SaveServing of a day that is not in the ledger: stage fills
// serving_days. For benchmarks, see StageRollUp.
func (s *Figures) StageServing(ctx context.Context, day period.Second, stage string, args ...any) error {
	if err := s.EnsureMonths(ctx, "serving_days", pg.MonthsOf(day)); err != nil {
		return err
	}
	return s.InTx(ctx, "stage "+day.String(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, stage, args...); err != nil {
			return fmt.Errorf("stage %s: %w", day, err)
		}
		return AddUpServices(ctx, tx, period.DayOf(day))
	})
}

// SaveServingMonths adds up services over the calendar months that are over and
// not there.
func (s *Figures) SaveServingMonths(ctx context.Context) (int64, error) {
	var months []period.Second
	err := pg.Query(ctx, s.Pool, "serving.new_months", func(rows pgx.Rows) error {
		var month period.Second
		err := rows.Scan(&month)
		months = append(months, month)
		return err
	}, pg.Tenant)
	if err != nil {
		return 0, err
	}
	var total int64
	for _, month := range months {
		err := s.InTx(ctx, "add up services of "+string(period.MonthName(month)), func(tx pgx.Tx) error {
			for _, places := range []bool{false, true} {
				span := map[bool]string{false: "month", true: "month and place"}[places]
				rows, err := pg.Exec(ctx, tx, "serving.put_services", pg.Tenant, span, month, period.MonthOf(month).To, places)
				if err != nil {
					return err
				}
				total += rows
			}
			return nil
		})
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

// servingReplicas reads the workloads of a day with what they held and cost.
func servingReplicas(ctx context.Context, tx pgx.Tx, day period.Interval, book policy.Book) ([]serving.Replica, error) {
	var list []serving.Replica
	var ids []ledger.ID
	err := pg.Query(ctx, tx, "serving.replicas", func(rows pgx.Rows) error {
		r := serving.Replica{Hours: map[period.Second]*serving.Held{}}
		var n policy.Node
		if err := rows.Scan(&r.ID, &r.Cluster, &r.Namespace, &r.Name, &r.Kind, &r.OwnerName, &r.Service, &r.OwnerModel, &r.Hold.From, &r.Hold.To,
			&n.Cluster, &n.Name, &n.InstanceType, &n.GPUModel); err != nil {
			return err
		}
		r.Policy = book.For(n, day.From).Serving
		list, ids = append(list, r), append(ids, r.ID)
		return nil
	}, pg.Tenant, day.From, day.To)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	at := map[ledger.ID]int{}
	for i, id := range ids {
		at[id] = i
	}
	hour := func(id ledger.ID, hour period.Second) *serving.Held {
		h := list[at[id]].Hours[hour]
		if h == nil {
			h = &serving.Held{}
			list[at[id]].Hours[hour] = h
		}
		return h
	}
	err = pg.Query(ctx, tx, "serving.usage", func(rows pgx.Rows) error {
		var id ledger.ID
		var when period.Second
		var gpu, used, active money.Amount
		if err := rows.Scan(&id, &when, &gpu, &used, &active); err != nil {
			return err
		}
		h := hour(id, when)
		h.Held, h.GPUHours, h.UsedGPUHours, h.ActiveGPUHours = true, gpu, used, active
		return nil
	}, pg.Tenant, day.From, day.To, ids)
	if err != nil {
		return nil, err
	}
	var causes []string
	for _, c := range serving.HeldCauses() {
		causes = append(causes, string(c))
	}
	err = pg.Query(ctx, tx, "serving.costs", func(rows pgx.Rows) error {
		var id ledger.ID
		var when period.Second
		var currency, state string
		var c serving.CauseCost
		var gpu money.Amount
		if err := rows.Scan(&id, &when, &currency, &state, &c.Cause, &c.Effective, &c.Billed, &c.List, &c.Contracted, &gpu); err != nil {
			return err
		}
		h := hour(id, when)
		if n := len(h.Money); n == 0 || h.Money[n-1].Currency != currency || h.Money[n-1].State != state {
			h.Money = append(h.Money, serving.Money{Currency: currency, State: state})
		}
		m := &h.Money[len(h.Money)-1]
		m.Causes, m.GPUHours = append(m.Causes, c), m.GPUHours.Add(gpu)
		return nil
	}, pg.Tenant, day.From, day.To, ids, causes)
	if err != nil {
		return nil, err
	}
	activity, err := heldByHour(ctx, tx, day.From, ids)
	for i := range activity {
		hour(activity[i].WorkloadID, activity[i].At).Activity = activity[i].Bins
	}
	return list, err
}

// countServing gives the day's counters to d, process by process.
func countServing(ctx context.Context, tx pgx.Tx, day period.Interval, d *serving.Day) error {
	var process serving.Process
	var hours []serving.Hour
	var packed pg.PgxBytes
	err := pg.Query(ctx, tx, "serving.counters", func(rows pgx.Rows) error {
		var p serving.Process
		var h serving.Hour
		if err := rows.Scan(&p.Cluster, &p.Namespace, &p.Pod, &p.Server, &p.Model, &p.Engine, &h.Hour, &packed); err != nil {
			return err
		}
		var err error
		if h.Counters, err = minutes.Decode[string](packed); err != nil {
			return fmt.Errorf("counters of %s/%s at %s: %w", p.Namespace, p.Pod, h.Hour, err)
		}
		if p != process && len(hours) > 0 {
			d.Count(process, hours)
			hours = hours[:0]
		}
		process, hours = p, append(hours, h)
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
		for _, a := range []money.Amount{q.GPUHours, q.UsedGPUHours, q.ActiveGPUHours, q.ReplicaHours, q.HeldMinutes, q.SeenMinutes} {
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
	for _, n := range []*int64{c.Requests, c.Failed, c.Inferences, c.PromptTokens, c.CachedTokens, c.GeneratedTokens, c.PrefillMillis, c.DecodeMillis,
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
