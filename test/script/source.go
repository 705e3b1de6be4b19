package script

import (
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// listed are the minutes in which its cluster names a machine.
func (w *world) listed(m *machine) map[period.Second]uint64 {
	minutes := minutesOf(period.Interval{})
	if m.FirstSeen != 0 {
		minutes = minutesOf(m.life)
	}
	for _, gap := range append(slices.Clone(w.unobserved[m.Cluster]), m.silent...) {
		for hour, bits := range minutesOf(gap) {
			minutes[hour] &^= bits
		}
	}
	return minutes
}

// sources are the minutes in which the sources of a cluster delivered: its list of machines while any of them was
// there, its exporters where they sampled, and accounting in its windows.
func (w *world) sources() []ledger.SourceHour {
	type key struct {
		cluster string
		kind    ledger.SourceKind
		hour    period.Second
	}
	heard := map[key]uint64{}
	for _, name := range w.names {
		m := w.machines[name]
		for hour, bits := range w.listed(m) {
			heard[key{m.Cluster, ledger.SourceKubernetes, hour}] |= bits
		}
	}
	for _, r := range w.rows {
		for _, v := range r.Vectors {
			heard[key{r.Cluster, ledger.SourceExporter, r.Hour}] |= v.Known
		}
	}
	for cluster, windows := range w.accounted {
		for _, window := range windows {
			for hour, bits := range minutesOf(window) {
				heard[key{cluster, ledger.SourceSlurm, hour}] |= bits
			}
		}
	}
	var out []ledger.SourceHour
	for k, bits := range heard {
		if bits != 0 {
			out = append(out, ledger.SourceHour{Cluster: k.cluster, Source: k.kind, Hour: k.hour, Minutes: bits})
		}
	}
	slices.SortFunc(out, func(a, b ledger.SourceHour) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Hour, b.Hour))
	})
	return out
}

// placementSources are the sources of placements.
func (w *world) placementSources() []ledger.SourceHour {
	return slices.DeleteFunc(w.sources(), func(s ledger.SourceHour) bool { return s.Source == ledger.SourceExporter })
}
