package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics/serving"
)

// SaveServing works out what was served on a day, and what it cost, and
// replaces what was known of it (docs/figures.md, section 16).
func (s *Store) SaveServing(ctx context.Context, step string, day period.Interval) (written int64, left serving.Leftover, err error) {
	book, err := s.Policies(ctx)
	if err != nil {
		return 0, left, err
	}
	for _, table := range []string{"serving_hours", "serving_days"} {
		if err := s.ensureMonths(ctx, table, day.From, day.From); err != nil {
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
			if _, err := exec(ctx, tx, forget, tenant, day.From, day.To); err != nil {
				return err
			}
		}
		if written, err = copySlice(ctx, tx, statement("serving.copy"), rows, encodeServing); err != nil {
			return err
		}
		if _, err = copySlice(ctx, tx, statement("serving.copy_days"), serving.Days(day.From, rows), encodeServing); err != nil {
			return err
		}
		return addUpServices(ctx, tx, day)
	})
	return written, left, err
}

// addUpServices makes a day's roll-up of services anew and takes back that of
// its month, which SaveServingMonths makes again.
func addUpServices(ctx context.Context, tx pgx.Tx, day period.Interval) error {
	if _, err := exec(ctx, tx, "serving.forget_services", tenant, day.From); err != nil {
		return err
	}
	_, err := exec(ctx, tx, "serving.put_services", tenant, "day", day.From, day.To, false)
	return err
}

// StageServing is SaveServing of a day that is not in the ledger: stage fills
// serving_days. For benchmarks, see StageRollUp.
func (s *Store) StageServing(ctx context.Context, day period.Second, stage string, args ...any) error {
	if err := s.ensureMonths(ctx, "serving_days", day, day); err != nil {
		return err
	}
	return s.inTx(ctx, "stage "+day.String(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, stage, args...); err != nil {
			return fmt.Errorf("stage %s: %w", day, err)
		}
		return addUpServices(ctx, tx, period.DayOf(day))
	})
}

// SaveServingMonths adds up services over the calendar months that are over and
// not there.
func (s *Store) SaveServingMonths(ctx context.Context) (int64, error) {
	var months []period.Second
	err := query(ctx, s.pool, "serving.new_months", func(rows pgx.Rows) error {
		var month period.Second
		err := rows.Scan(&month)
		months = append(months, month)
		return err
	}, tenant)
	if err != nil {
		return 0, err
	}
	var total int64
	for _, month := range months {
		err := s.inTx(ctx, "add up services of "+string(period.MonthName(month)), func(tx pgx.Tx) error {
			for _, places := range []bool{false, true} {
				span := map[bool]string{false: "month", true: "month and place"}[places]
				rows, err := exec(ctx, tx, "serving.put_services", tenant, span, month, period.MonthOf(month).To, places)
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
	err := query(ctx, tx, "serving.replicas", func(rows pgx.Rows) error {
		r := serving.Replica{Hours: map[period.Second]*serving.Held{}}
		var n policy.Node
		if err := rows.Scan(&r.ID, &r.Cluster, &r.Namespace, &r.Name, &r.Kind, &r.OwnerName, &r.Service, &r.OwnerModel, &r.Hold.From, &r.Hold.To,
			&n.Cluster, &n.Name, &n.InstanceType, &n.GPUModel); err != nil {
			return err
		}
		r.Policy = book.For(n, day.From).Serving
		list, ids = append(list, r), append(ids, r.ID)
		return nil
	}, tenant, day.From, day.To)
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
	err = query(ctx, tx, "serving.usage", func(rows pgx.Rows) error {
		var id ledger.ID
		var when period.Second
		var gpu, used, active money.Amount
		if err := rows.Scan(&id, &when, &gpu, &used, &active); err != nil {
			return err
		}
		h := hour(id, when)
		h.Held, h.GPUHours, h.UsedGPUHours, h.ActiveGPUHours = true, gpu, used, active
		return nil
	}, tenant, day.From, day.To, ids)
	if err != nil {
		return nil, err
	}
	var causes []string
	for _, c := range serving.HeldCauses() {
		causes = append(causes, string(c))
	}
	err = query(ctx, tx, "serving.costs", func(rows pgx.Rows) error {
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
	}, tenant, day.From, day.To, ids, causes)
	return list, err
}

// countServing gives the day's counters to d, process by process.
func countServing(ctx context.Context, tx pgx.Tx, day period.Interval, d *serving.Day) error {
	var process serving.Process
	var hours []serving.Hour
	var packed pgxBytes
	err := query(ctx, tx, "serving.counters", func(rows pgx.Rows) error {
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
	}, tenant, day.From, day.To)
	if err == nil && len(hours) > 0 {
		d.Count(process, hours)
	}
	return err
}

// encodeServing writes a row in the order of serving.copy.
func encodeServing(r *row, v *serving.Row) error {
	r.begin(53)
	r.int4(tenant)
	r.at(v.Hour)
	r.id(v.Workload)
	for _, text := range []string{v.Model, v.Server, v.Tenant, v.Currency, v.State, v.Service, v.Replica, v.Version} {
		r.text(text)
	}
	for _, a := range []*money.Amount{v.Effective, v.Billed, v.List, v.Contracted} {
		r.measure(a)
	}
	for _, c := range serving.HeldCauses() {
		if v.Effective == nil {
			r.null()
		} else {
			r.amount(v.ByCause[c])
		}
	}
	r.measure(v.Input)
	r.measure(v.Output)
	r.text(string(v.Basis))
	r.bool(v.CountsTokens)
	r.bool(v.CountsRequests)
	if q := v.Held; q != nil {
		for _, a := range []money.Amount{q.GPUHours, q.UsedGPUHours, q.ActiveGPUHours, q.ReplicaHours, q.HeldMinutes, q.SeenMinutes} {
			r.amount(a)
		}
	} else {
		for range 6 {
			r.null()
		}
	}
	c := v.Served
	if c == nil {
		c = &serving.Counted{}
	}
	for _, n := range []*int64{c.Requests, c.Failed, c.Inferences, c.PromptTokens, c.CachedTokens, c.GeneratedTokens, c.PrefillMillis, c.DecodeMillis,
		c.LatencyMillis, c.LatencySamples, c.TTFTMillis, c.TTFTSamples, c.QueueMillis, c.QueueSamples} {
		if n == nil {
			r.null()
		} else {
			r.int8(*n)
		}
	}
	for _, h := range []serving.Histogram{c.Latency, c.TTFT, c.Queue} {
		r.integers(h.Bounds)
		r.integers(h.Counts)
	}
	return nil
}
