package figures

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/sketch"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics/advice"
)

// Counters of containers, as ingest/series names them; the container follows.
const (
	cpuSeconds  = "container_cpu_seconds/" // ms
	cpuCores    = "container_cpu_cores/"   // thousandths of a core
	memoryBytes = "container_memory_bytes/"
)

// podOf names a pod of a cluster.
type podOf struct{ cluster, namespace, name string }

// podUse is what a pod used, minute by minute, over all its containers.
type podUse struct {
	cpu, memory map[int64]int64 // minute → thousandths of a core, bytes
}

// SaveUse works out what CPU and memory pods used on a day, as sketches of its
// minutes, and replaces what was known of it.
func (s *Figures) SaveUse(ctx context.Context, step string, day period.Interval) (written int64, err error) {
	err = s.analysisDay(ctx, step, day.From, func(tx pgx.Tx) error {
		if _, err := pg.Exec(ctx, tx, "use.forget_day", pg.Tenant, day.From); err != nil {
			return err
		}
		var pod podOf
		var hours []podHour
		var days []podDay
		flush := func() {
			if use := usedBy(hours, day); len(use.cpu)+len(use.memory) > 0 {
				days = append(days, podDay{pod, sketchOf(use.cpu), sketchOf(use.memory)})
			}
		}
		err := pg.Query(ctx, tx, "use.counters", func(rows pgx.Rows) error {
			var p podOf
			var h podHour
			var packed pg.PgxBytes
			if err := rows.Scan(&p.cluster, &p.namespace, &p.name, &h.hour, &packed); err != nil {
				return err
			}
			var err error
			if h.counters, err = minutes.Decode[string](packed); err != nil {
				return fmt.Errorf("containers of %s/%s at %s: %w", p.namespace, p.name, h.hour, err)
			}
			if p != pod {
				flush()
				hours = hours[:0]
			}
			pod, hours = p, append(hours, h)
			return nil
		}, pg.Tenant, day.From, day.To)
		if err != nil {
			return err
		}
		flush()
		written, err = pg.CopySlice(ctx, tx, pg.Statement("use.copy_days"), days, func(r *pg.Row, d *podDay) error {
			r.Begin(7)
			r.Int4(pg.Tenant)
			r.At(day.From)
			r.Text(d.cluster)
			r.Text(d.namespace)
			r.Text(d.name)
			r.Packed(d.cpu)
			r.Packed(d.memory)
			return nil
		})
		return err
	})
	return written, err
}

// podDay is what a pod used on a day; nil: not measured.
type podDay struct {
	podOf
	cpu, memory []byte
}

type podHour struct {
	hour     period.Second
	counters map[string]ledger.Minutes
}

// usedBy adds up the containers of a pod. CPU is the rise of the counter of
// each container between two samples, over the time between them; where there
// is none, the rate that a recording rule made of it.
func usedBy(hours []podHour, day period.Interval) podUse {
	use := podUse{map[int64]int64{}, map[int64]int64{}}
	var names []string
	for _, h := range hours {
		for name := range h.counters {
			if container := name[strings.IndexByte(name, '/')+1:]; container != name && container != "POD" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	counted := slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, cpuSeconds) })
	for _, name := range names {
		switch {
		case strings.HasPrefix(name, cpuSeconds):
			var list []minutes.CounterHour
			for i := range hours {
				if v, there := hours[i].counters[name]; there {
					list = append(list, minutes.CounterHour{Hour: hours[i].hour, Values: &v})
				}
			}
			minutes.Increase(list, day, 0, func(s minutes.Step) {
				if s.To > s.From {
					use.cpu[s.To/60_000] += s.By * 1000 / (s.To - s.From)
				}
			})
		case strings.HasPrefix(name, cpuCores) && !counted:
			gauge(hours, name, day, use.cpu, 1)
		case strings.HasPrefix(name, memoryBytes):
			gauge(hours, name, day, use.memory, 1000) // counters are kept in thousandths
		}
	}
	return use
}

// gauge adds the minutes of a day of a gauge.
func gauge(hours []podHour, name string, day period.Interval, to map[int64]int64, unit int64) {
	for _, h := range hours {
		v, there := h.counters[name]
		if !there || h.hour < day.From || h.hour >= day.To {
			continue
		}
		for m := range 60 {
			if v.Known>>m&1 == 1 {
				to[int64(h.hour)/60+int64(m)] += v.Value[m] / unit
			}
		}
	}
}

// sketchOf packs the values; nil where there are none.
func sketchOf(values map[int64]int64) []byte {
	if len(values) == 0 {
		return nil
	}
	list := make([]int64, 0, len(values))
	for _, v := range values {
		list = append(list, v)
	}
	slices.Sort(list)
	return sketch.AppendSorted(nil, list)
}

// SaveRequests compares what pods asked for with what they used in the newest
// four weeks, by root owner, and replaces what is stored.
func (s *Figures) SaveRequests(ctx context.Context) (written int64, err error) {
	type owner struct{ cluster, namespace, kind, name string }
	type sums struct {
		cpu, memory sketch.Sketch
		days        map[period.Second]bool
	}
	err = pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
		var order []owner
		all := map[owner]*sums{}
		err := pg.Query(ctx, tx, "use.days", func(rows pgx.Rows) error {
			var o owner
			var day period.Second
			var cpu, memory []byte
			if err := rows.Scan(&o.cluster, &o.namespace, &o.kind, &o.name, &day, &cpu, &memory); err != nil {
				return err
			}
			x := all[o]
			if x == nil {
				x = &sums{days: map[period.Second]bool{}}
				all[o], order = x, append(order, o)
			}
			x.days[day] = true
			for _, p := range []struct {
				packed []byte
				to     *sketch.Sketch
			}{{cpu, &x.cpu}, {memory, &x.memory}} {
				if len(p.packed) == 0 {
					continue
				}
				one, _, err := sketch.Decode(p.packed)
				if err != nil {
					return fmt.Errorf("use of %s/%s on %s: %w", o.namespace, o.name, day, err)
				}
				p.to.Merge(&one)
			}
			return nil
		}, pg.Tenant)
		if err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "use.forget_requests", pg.Tenant); err != nil {
			return err
		}
		var clusters, namespaces, kinds, names []string
		var days []int
		var use [6][]*int64 // 95 % and 99 % of CPU, of memory; what they should ask for
		var enough []bool
		for _, o := range order {
			x := all[o]
			clusters, namespaces, kinds, names = append(clusters, o.cluster), append(namespaces, o.namespace), append(kinds, o.kind), append(names, o.name)
			days = append(days, len(x.days))
			cpu, memory := quantile(&x.cpu, 99), quantile(&x.memory, 99)
			suggested := advice.SuggestRequest(len(x.days), cpu, memory)
			enough = append(enough, suggested.Enough)
			for i, v := range []*int64{quantile(&x.cpu, 95), cpu, quantile(&x.memory, 95), memory, suggested.CPU, suggested.Memory} {
				use[i] = append(use[i], v)
			}
		}
		written, err = pg.Exec(ctx, tx, "use.put_requests", pg.Tenant, clusters, namespaces, kinds, names, days, use[0], use[1], use[2], use[3], enough, use[4], use[5])
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("compare requests with use: %w", err)
	}
	return written, nil
}

// quantile is nil where nothing was measured.
func quantile(s *sketch.Sketch, percent int) *int64 {
	if v, ok := s.Quantile(percent); ok {
		return &v
	}
	return nil
}
