package figures

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/sketch"
	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics/advice"
)

// Counters of containers by their names in ingest/series; the container's name follows.
const (
	cpuSeconds  = "container_cpu_seconds/" // ms
	cpuCores    = "container_cpu_cores/"   // thousandths of a core
	memoryBytes = "container_memory_bytes/"
)

// podOf names a pod of a cluster.
type podOf struct{ Cluster, Namespace, Pod string }

// podUse is the usage of a pod, minute by minute, over all its containers.
type podUse struct {
	cpu, memory map[int64]int64 // minute → thousandths of a core, bytes
}

// makeUse computes the CPU and memory usage of pods on a day.
func makeUse(ctx context.Context, tx pgx.Tx, day period.Second, add func(*star.Fact, row)) error {
	var pod podOf
	var hours []podHour
	flush := func() {
		if use := usedBy(hours, period.DayOf(day)); len(use.cpu)+len(use.memory) > 0 {
			add(&star.Use, row{
				"cluster": pod.Cluster, "namespace": pod.Namespace, "pod": pod.Pod,
				"cpu_bins": binsOf(use.cpu), "memory_bins": binsOf(use.memory),
			})
		}
		hours = hours[:0]
	}
	type counted struct {
		podOf
		Hour    period.Second
		Vectors pg.PgxBytes
	}
	err := pg.Each(ctx, tx, "use.counters", func(c counted) error {
		counters, err := minutes.Decode[string](c.Vectors)
		if err != nil {
			return fmt.Errorf("containers of %s/%s at %s: %w", c.Namespace, c.Pod, c.Hour, err)
		}
		if c.podOf != pod {
			flush()
		}
		pod, hours = c.podOf, append(hours, podHour{c.Hour, counters})
		return nil
	}, pg.Tenant, day, day+period.Day)
	flush()
	return err
}

type podHour struct {
	hour     period.Second
	counters map[string]ledger.Minutes
}

// usedBy adds up the containers of a pod. CPU is the increase of each container's counter between two samples,
// divided by the time between them; without a counter, the rate from a recording rule.
func usedBy(hours []podHour, day period.Interval) podUse {
	use := podUse{map[int64]int64{}, map[int64]int64{}}
	var names []string
	for _, h := range hours {
		for name := range h.counters {
			if container := name[strings.IndexByte(name, '/')+1:]; container != name && container != "POD" &&
				!slices.Contains(names, name) {
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

// gauge adds a day's minutes of a gauge.
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

// binsOf packs the values as a sketch; nil if there are none.
func binsOf(values map[int64]int64) (bins []int64) {
	all := sketch.Of(slices.Collect(maps.Values(values)))
	return all.Packed()
}

// request is the measured usage of a root owner's pods, and the request that it suggests: thousandths of a core,
// bytes and MiB.
type request struct {
	Cluster   string `json:"cluster"`
	Namespace string `json:"namespace"`
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Days      int    `json:"days"`
	CPUP95    *int64 `json:"cpu_p95"`
	CPUP99    *int64 `json:"cpu_p99"`
	MemoryP95 *int64 `json:"memory_p95"`
	MemoryP99 *int64 `json:"memory_p99"`

	Enough          bool   `json:"enough" db:"-"`
	CPUSuggested    *int64 `json:"cpu_suggested" db:"-"`
	MemorySuggested *int64 `json:"memory_suggested" db:"-"`
}

// SaveRequests compares the requests of pods with their usage in the newest four weeks, by root owner, and replaces
// the stored rows.
func (s *Figures) SaveRequests(ctx context.Context) (written int64, err error) {
	err = s.InTx(ctx, "compare requests with use", func(tx pgx.Tx) error {
		list, err := pg.List[request](ctx, tx, "use.of_owners", pg.Tenant)
		if err != nil {
			return err
		}
		for i := range list {
			r := &list[i]
			suggested := advice.SuggestRequest(r.Days, r.CPUP99, r.MemoryP99)
			r.Enough, r.CPUSuggested, r.MemorySuggested = suggested.Enough, suggested.CPU, suggested.Memory
		}
		used, err := json.Marshal(filled(list))
		if err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "use.forget_requests", pg.Tenant); err != nil {
			return err
		}
		written, err = pg.Exec(ctx, tx, "use.put_requests", pg.Tenant, string(used))
		return err
	})
	return written, err
}
