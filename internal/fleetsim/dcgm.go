package fleetsim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/fleetsim/world"
)

// Signals are the vectors of one slice for one day.
type Signals struct {
	Act    []int32 // 1/10000, missing while the exporter was silent
	power  []int32 // mW, the parent's
	Energy []int64 // mJ, the parent's
	FB     []int32 // MiB
	total  int64   // MiB of the slice
	Loads  []*world.Load
	dev    *world.Device
	Day    int64
	phase  int64
	milli  string
	mig    bool
	prof   bool
	Coarse bool    // activity and memory only
	starts []int32 // first memory slice, missing in minutes that do not show it; nil: never shown
}

// exportRow is one label set of one slice for a part of the day.
type exportRow struct {
	labels []byte
	ranges [][2]int // minutes of the day
	sig    *Signals
	modern bool
}

// dcgmFamily is one metric as one exporter generation names and scales it.
type dcgmFamily struct {
	name, typ, help string
	since           generation
	prof, device    bool // needs profiling counters; exists for whole devices only
	every           int  // minutes between samples
	value           func(b []byte, s *Signals, m int) []byte
}

var dcgmFamilies = append([]dcgmFamily{
	{
		"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "gauge",
		"Ratio of time the graphics engine is active.", before49, true, false, 1, appendEngine,
	},
	{"DCGM_FI_DEV_GPU_UTIL", "gauge", "GPU utilization (in %).", before49, false, true, 1, appendUtilPercent},
	{
		"DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "gauge",
		"Ratio of cycles the tensor (HMMA) pipe is active.", before49, true, false, 1, appendTensor,
	},
	{"DCGM_FI_DEV_FB_USED", "gauge", "Framebuffer memory used (in MiB).", before49, false, false, 1, appendMiB},
	{"DCGM_FI_DEV_POWER_USAGE", "gauge", "Power draw (in W).", before49, false, false, 1, appendWatts},
	{
		"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "unknown",
		"Total energy consumption since boot (in mJ).", before49, false, false, 1, appendMillijoules,
	},

	{
		"DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO", "gauge",
		"Ratio of time the graphics engine is active.", since49, true, false, 1, appendEngine,
	},
	{"DCGM_FI_DEV_GPU_UTIL_RATIO", "gauge", "GPU utilization (ratio).", since49, false, true, 1, appendUtilRatio},
	{
		"DCGM_FI_PROF_TENSOR_UTIL_RATIO", "gauge",
		"Ratio of cycles the tensor pipe is active.", since49, true, false, 1, appendTensor,
	},
	{"DCGM_FI_DEV_FB_USED_BYTES", "gauge", "Framebuffer memory used (in bytes).", since49, false, false, 1, appendBytes},
	{"DCGM_FI_DEV_BOARD_POWER_WATTS", "gauge", "Power draw (in W).", since49, false, false, 1, appendWatts},
	{
		"DCGM_FI_DEV_GPU_ENERGY_JOULES_TOTAL", "unknown",
		"Total energy consumption since the driver was loaded (in J).", since49, false, false, 1, appendJoules,
	},
}, furtherFamilies...)

func appendEngine(b []byte, s *Signals, m int) []byte { return appendRatio(b, s.Act[m]) }
func appendUtilPercent(b []byte, s *Signals, m int) []byte {
	return strconv.AppendInt(b, int64(world.DeviceUtil(s.Act[m])), 10)
}
func appendUtilRatio(b []byte, s *Signals, m int) []byte {
	return appendRatio(b, world.DeviceUtil(s.Act[m])*100)
}
func appendMiB(b []byte, s *Signals, m int) []byte { return strconv.AppendInt(b, int64(s.FB[m]), 10) }
func appendBytes(b []byte, s *Signals, m int) []byte {
	return strconv.AppendInt(b, int64(s.FB[m])<<20, 10)
}
func appendWatts(b []byte, s *Signals, m int) []byte { return appendThousandths(b, int64(s.power[m])) }
func appendMillijoules(b []byte, s *Signals, m int) []byte {
	return strconv.AppendInt(b, s.Energy[m], 10)
}
func appendJoules(b []byte, s *Signals, m int) []byte { return appendThousandths(b, s.Energy[m]) }

// appendRatio writes v/10000 with four decimals.
func appendRatio(b []byte, v int32) []byte {
	return append(b, byte('0'+v/10000), '.', byte('0'+v/1000%10), byte('0'+v/100%10), byte('0'+v/10%10), byte('0'+v%10))
}

func appendThousandths(b []byte, v int64) []byte {
	b = strconv.AppendInt(b, v/1000, 10)
	f := v % 1000
	return append(b, '.', byte('0'+f/100), byte('0'+f/10%10), byte('0'+f%10))
}

// dcgmDay writes one day of all exporters. energy carries the counters of all
// devices from day to day.
func dcgmDay(w *world.World, f *textFile, day int64, energy map[*world.Device]int64) {
	var rows []exportRow
	for _, n := range w.Nodes {
		rows = nodeDay(w, rows, n, day, energy)
	}
	for i := range dcgmFamilies {
		fam := &dcgmFamilies[i]
		f.family(fam.name, fam.typ, fam.help)
		for j := range rows {
			r := &rows[j]
			if r.has(fam) {
				f.exporterSeries(fam, r, day)
			}
		}
	}
}

// nodeDay prepares the rows of one exporter, if it exists that day.
func nodeDay(w *world.World, rows []exportRow, n *world.Node, day int64, energy map[*world.Device]int64) []exportRow {
	if !n.Joined || n.ExpFrom >= day+86400 || n.Until(w) <= day {
		return rows
	}
	for _, d := range n.Devices {
		rows = deviceDay(w, rows, d, day, energy)
	}
	return rows
}

// has reports whether an exporter gives the row this metric.
func (r *exportRow) has(fam *dcgmFamily) bool {
	named := fam.since == always || r.modern == (fam.since == since49)
	if r.sig.Coarse && !fam.basic(r.sig.prof) || fam.name == placeFamily && r.sig.starts == nil {
		return false
	}
	return named && (r.sig.prof || !fam.prof) && (!r.sig.mig || !fam.device) &&
		(r.sig.dev.Node.Type.GPUs == 8 || !fam.links())
}

// basic reports whether the fleet's history has the metric: used memory, and the best activity that the machine has.
func (f *dcgmFamily) basic(profiling bool) bool {
	switch f.name {
	case "DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_FB_USED_BYTES":
		return true
	case "DCGM_FI_PROF_GR_ENGINE_ACTIVE", "DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO":
		return profiling
	case "DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_GPU_UTIL_RATIO":
		return !profiling
	}
	return false
}

// due reports whether the metric has a sample in a minute of the day.
func (f *dcgmFamily) due(n *world.Node, minute int) bool { return (minute+n.Idx)%f.every == 0 }

// told reports whether there is a value in a minute.
func (f *dcgmFamily) told(s *Signals, m int) bool {
	return s.Act[m] != world.Missing && (f.name != placeFamily || s.starts[m] != world.Missing)
}

// links reports whether only machines with NVLink have the metric.
func (f *dcgmFamily) links() bool { return strings.HasPrefix(f.name, "DCGM_FI_PROF_NVLINK") }

func (t *textFile) exporterSeries(fam *dcgmFamily, r *exportRow, day int64) {
	key := make([]byte, 0, len(fam.name)+len(r.labels)+3)
	key = append(append(append(key, fam.name...), '{'), r.labels...)
	key = append(key, "} "...)
	s := r.sig
	b := t.buf
	for _, span := range r.ranges {
		for m := span[0]; m < span[1]; m++ {
			if !fam.told(s, m) || !fam.due(s.dev.Node, m) {
				continue
			}
			b = append(b, key...)
			b = fam.value(b, s, m)
			b = append(b, ' ')
			b = strconv.AppendInt(b, day+int64(m)*60+s.phase, 10)
			b = append(b, s.milli...)
			b = append(b, '\n')
			t.lines++
			if len(b) > flushAt {
				t.buf = b
				t.flush()
				b = t.buf
			}
		}
	}
	t.buf = b
}

// Part is a slice of a layout for a part of the day.
type Part struct {
	world.Slice
	from, to int64
}

// deviceDay prepares the rows of one device.
func deviceDay(
	w *world.World, rows []exportRow, d *world.Device, day int64, energy map[*world.Device]int64,
) []exportRow {
	n := d.Node
	parts, vectors := DeviceSignals(w, d, day, energy)
	first := len(rows)
	for _, p := range parts {
		s := vectors[p.ID]
		if s.Loads == nil {
			s.Loads = w.Loads(d, p.ID, day)
		}
		from, to := int((p.from-day)/60), int((p.to-day)/60)
		if cut := int((world.CeilTo(n.UpgradeAt, n.Phase) - n.Phase - day) / 60); n.UpgradeAt != 0 && cut > from && cut < to {
			rows = labelled(w, rows, first, d, p.Slice, from, cut, s, day)
			from = cut
		}
		rows = labelled(w, rows, first, d, p.Slice, from, to, s, day)
	}
	for i := first; i < len(rows); i++ {
		slices.SortFunc(rows[i].ranges, func(a, b [2]int) int { return a[0] - b[0] })
	}
	return rows
}

// DeviceSignals are the signals of a device during a day, by slice.
func DeviceSignals(
	w *world.World, d *world.Device, day int64, energy map[*world.Device]int64,
) ([]Part, map[int32]*Signals) {
	n := d.Node
	var parts []Part
	if d.Layouts == nil {
		parts = append(parts, Part{world.Slice{ID: world.WholeDevice}, day, day + 86400})
	}
	for i, l := range d.Layouts {
		from, to := max(day, l.From), day+86400
		if i == 0 {
			from = day
		}
		if i+1 < len(d.Layouts) {
			to = min(to, d.Layouts[i+1].From)
		}
		for _, s := range l.Slices {
			if from < to {
				parts = append(parts, Part{s, from, to})
			}
		}
	}
	vectors := map[int32]*Signals{}
	load := make([]int64, world.DayMinutes) // of the device, 1/10000
	for _, p := range parts {
		s := vectors[p.ID]
		if s == nil {
			s = &Signals{
				Act: w.Activity(d, p.ID, day), dev: d, Day: day, phase: n.Phase,
				milli: milliText(n.PhaseMilli), mig: d.Layouts != nil, prof: n.Profiling, Coarse: w.Coarse(n, day),
			}
			s.FB, s.total = memory(w, d, p.ID, day), n.Type.MemMiB
			if prof := world.ProfileOf(p.Profile); prof != nil {
				s.total = prof.MemMiB
			}
			vectors[p.ID] = s
		}
		s.lie(p, day)
		share, of := int64(1), int64(1)
		if prof := world.ProfileOf(p.Profile); prof != nil {
			share, of = prof.Compute, 7
		}
		for m := (p.from - day) / 60; m < (p.to-day)/60; m++ {
			if a := s.Act[m]; a > 0 {
				load[m] += int64(a) * share / of
			}
		}
	}
	power, counter := board(w, d, day, load, energy)
	for _, s := range vectors {
		s.power, s.Energy = power, counter
	}
	return parts, vectors
}

// lie records the minutes in which a part shows where its instance begins.
func (s *Signals) lie(p Part, day int64) {
	if !p.Lies.Told {
		return
	}
	if s.starts == nil {
		s.starts = slices.Repeat([]int32{world.Missing}, world.DayMinutes)
	}
	for m := (p.from - day) / 60; m < (p.to-day)/60; m++ {
		s.starts[m] = int32(p.Lies.Start)
	}
}

// addRange adds minutes to the row with these labels, which OpenMetrics requires in one piece, or starts it.
func addRange(rows []exportRow, first int, labels string, from, to int, sig *Signals, modern bool) []exportRow {
	for i := first; i < len(rows); i++ {
		if string(rows[i].labels) == labels {
			rows[i].ranges = append(rows[i].ranges, [2]int{from, to})
			return rows
		}
	}
	return append(rows, exportRow{[]byte(labels), [][2]int{{from, to}}, sig, modern})
}

// board derives power and the energy counter from the load of the device.
func board(
	w *world.World, d *world.Device, day int64, load []int64, energy map[*world.Device]int64,
) (power []int32, counter []int64) {
	t := d.Node.Type
	power, counter = make([]int32, world.DayMinutes), make([]int64, world.DayMinutes)
	e, ok := energy[d]
	if !ok {
		e = d.Energy0
	}
	until := d.Node.Until(w)
	for m := range power {
		at := day + int64(m)*60
		if at >= d.Node.Created && at < until {
			power[m] = int32(t.IdleW*1000 + (t.MaxW-t.IdleW)*load[m]/10 + (at/60*7919)%997)
			if slices.Contains(d.Resets, at) {
				e = 0
			}
			e += int64(power[m]) * 60
		}
		counter[m] = e
	}
	energy[d] = e
	return power, counter
}

// memory is the used frame buffer of a slice per minute in MiB.
func memory(w *world.World, d *world.Device, id int32, day int64) []int32 {
	out := make([]int32, world.DayMinutes)
	for i := range out {
		out[i] = 4
	}
	for _, o := range d.Occ[id] {
		for m := max(0, started(o)-day) / 60; m < (min(o.To, day+86400)-day)/60; m++ {
			out[m] += int32(o.Pod.MemMiB / int64(max(1, d.Node.Replicas)))
		}
	}
	return out
}

func started(o *world.Occupancy) int64 { return o.Pod.Started + 60 }

// Nameless reports whether the exporter of a node knows no pods.
func Nameless(w *world.World, n *world.Node) bool { return w.Config.Nameless && n.Replicas > 1 }

// labelled cuts a slice's minutes by the pods its rows name.
func labelled(
	w *world.World, rows []exportRow, first int, d *world.Device, s world.Slice, from, to int, sig *Signals, day int64,
) []exportRow {
	n := d.Node
	base := fmt.Sprintf(`gpu="%d",UUID="%s",device="nvidia%d",modelName="%s"`, d.Index, d.UUID, d.Index, n.Type.Model)
	if s.ID != world.WholeDevice {
		base += fmt.Sprintf(`,GPU_I_PROFILE="%s",GPU_I_ID="%d"`, s.Profile, s.ID)
	}
	host := "Hostname"
	exporter, modern := n.ExporterAt(day + int64(from)*60 + n.Phase)
	if modern {
		host = "hostname"
		base += `,DCGM_FI_SYSTEM_DRIVER_VERSION="580.95.05"`
	}
	base += fmt.Sprintf(`,%s="%s"`, host, n.Name)
	exported := ""
	if !w.Live && w.Site.Slurm && w.Config.LabelClusters {
		base += fmt.Sprintf(`,cluster="%s"`, w.Config.Cluster)
	}
	if !w.Live && exporter != nil { // Prometheus adds these labels, and renames the exporter's for them
		exported = "exported_"
		base += fmt.Sprintf(`,container="%s",namespace="%s",pod="%s"`, exporter.Container, exporter.NS, exporter.Name)
		if w.Config.LabelClusters {
			base += fmt.Sprintf(`,cluster="%s"`, w.Config.Cluster)
		}
	}
	minute := func(t int64) int { // first minute whose sample lies at or after t
		return int((world.CeilTo(t, n.Phase) - n.Phase - day) / 60)
	}
	covered := make([]bool, world.DayMinutes)
	for _, o := range d.Occ[s.ID] {
		a, b := max(from, minute(o.From)), min(to, minute(o.LabelUntil))
		if a >= b || Nameless(w, n) {
			continue
		}
		l := base + fmt.Sprintf(`,%[1]scontainer="%[2]s",%[1]snamespace="%[3]s",%[1]spod="%[4]s"`, exported, o.Pod.Container,
			o.Pod.NS, o.Pod.Name)
		if o.Pod.Life != nil { // the job's prolog wrote its number down
			l = base + fmt.Sprintf(`,hpc_job="%s"`, o.Pod.Name)
		}
		if n.Replicas > 1 {
			l += fmt.Sprintf(`,vgpu="%d"`, o.VGPU)
		}
		rows = addRange(rows, first, l, a, b, sig, modern)
		for m := a; m < b; m++ {
			covered[m] = true
		}
	}
	for m := from; m < to; {
		if covered[m] {
			m++
			continue
		}
		a := m
		for m < to && !covered[m] {
			m++
		}
		rows = addRange(rows, first, base, a, m, sig, modern)
	}
	return rows
}
