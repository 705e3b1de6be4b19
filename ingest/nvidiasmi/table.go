package nvidiasmi

import (
	"strconv"
	"strings"
	"time"

	"gpuledger/ingest/series"
)

// columns are the columns of --query-gpu that are read. Several columns of one metric are in
// order of preference.
var columns = []struct {
	name   string
	metric Metric
}{
	{"utilization.gpu", MetricUtilization},
	{"utilization.memory", MetricMemoryCopy},
	{"memory.used", MetricMemoryUsed},
	{"memory.free", MetricMemoryFree},
	{"temperature.gpu", MetricTemperature},
	{"power.draw", MetricPower},
	{"power.draw.average", MetricPower},
	{"power.draw.instant", MetricPower},
	{"clocks_event_reasons.active", MetricThrottle},
	{"clocks_throttle_reasons.active", MetricThrottle},
}

// head is the first line of a CSV table: columns by name, with their units.
type head struct {
	names []string
	units []string
	at    map[string]int
	apps  bool // --query-compute-apps
}

// headOf reads a line as the head of a known table.
func headOf(line string) (head, bool) {
	cells := split(line)
	if len(cells) < 2 {
		return head{}, false
	}
	h := head{at: map[string]int{}}
	for i, c := range cells {
		name, unit, _ := strings.Cut(c, " [")
		name = strings.TrimSpace(name)
		h.names = append(h.names, name)
		h.units = append(h.units, strings.TrimSuffix(strings.TrimSpace(unit), "]"))
		if _, twice := h.at[name]; !twice {
			h.at[name] = i
		}
	}
	_, uuid := h.at["uuid"]
	_, gpuUUID := h.at["gpu_uuid"]
	_, pid := h.at["pid"]
	h.apps = gpuUUID && pid
	if h.apps {
		_, accounted := h.at["max_memory_usage"]
		return h, !accounted
	}
	_, retired := h.at["retired_pages.address"]
	return h, (uuid || gpuUUID) && !retired
}

func split(line string) []string {
	cells := strings.Split(line, ",")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

func (h *head) cell(cells []string, name string) string {
	if i, ok := h.at[name]; ok && i < len(cells) {
		return cells[i]
	}
	return ""
}

// fit re-joins a row whose process name contains the separator.
func (h *head) fit(cells []string) ([]string, bool) {
	extra := len(cells) - len(h.names)
	name, ok := h.at["process_name"]
	switch {
	case extra == 0:
		return cells, true
	case extra < 0 || !ok:
		return nil, false
	}
	joined := strings.Join(cells[name:name+extra+1], ", ")
	return append(append(append([]string{}, cells[:name]...), joined), cells[name+extra+1:]...), true
}

// row reads one line of --query-gpu.
func (h *head) row(cells []string, zone *time.Location) (Snapshot, []problem) {
	var found []problem
	s := Snapshot{Driver: h.cell(cells, "driver_version")}
	if host := h.cell(cells, "hostname"); !absent(host) {
		s.Host = host
	}
	if text := h.cell(cells, "timestamp"); text != "" {
		var ok bool
		if s.At, ok = instant(text, zone); !ok {
			found = append(found, problem{"bad time", "timestamp", text})
		}
	}
	gpu := GPU{Index: -1, UUID: h.cell(cells, "uuid"), BusID: h.cell(cells, "pci.bus_id")}
	if gpu.UUID == "" {
		gpu.UUID = h.cell(cells, "gpu_uuid")
	}
	if absent(gpu.UUID) {
		return s, append(found, problem{"no device uuid", "uuid", gpu.BusID + ": " + gpu.UUID})
	}
	if n, err := strconv.Atoi(h.cell(cells, "index")); err == nil {
		gpu.Index = n
	}
	model := h.cell(cells, "name")
	if model == "" {
		model = h.cell(cells, "gpu_name")
	}
	if !absent(model) {
		gpu.Model = series.ModelName(model)
	}
	gpu.MIG = strings.EqualFold(h.cell(cells, "mig.mode.current"), "enabled")
	have := map[Metric]bool{}
	for _, c := range columns {
		i, ok := h.at[c.name]
		if !ok || i >= len(cells) || have[c.metric] {
			continue
		}
		d, ok, bad := h.value(c.metric, cells[i], h.units[i])
		if bad {
			found = append(found, problem{"bad value", c.name, cells[i]})
		}
		if ok {
			have[c.metric] = true
			gpu.Readings = append(gpu.Readings, Reading{c.metric, d})
		}
	}
	gpu.MIG = strings.EqualFold(h.cell(cells, "mig.mode.current"), "enabled")
	s.GPUs = []GPU{gpu}
	return s, found
}

// units of columns, for output with nounits.
var bare = map[Metric]string{
	MetricUtilization: "%", MetricMemoryCopy: "%", MetricMemoryUsed: "MiB", MetricMemoryFree: "MiB",
}

func (h *head) value(m Metric, cell, unit string) (d series.Decimal, ok, bad bool) {
	if m == MetricThrottle {
		if absent(cell) {
			return d, false, false
		}
		mask, err := strconv.ParseUint(strings.TrimPrefix(cell, "0x"), 16, 63)
		if err != nil {
			return d, false, true
		}
		d, _ = series.ParseDecimal(strconv.AppendUint(nil, mask, 10))
		return d, true, false
	}
	if unit == "" {
		unit = bare[m]
	}
	return quantity(cell, unit)
}

// app reads one line of --query-compute-apps.
func (h *head) app(cells []string, zone *time.Location) (Snapshot, []problem) {
	var found []problem
	var s Snapshot
	if text := h.cell(cells, "timestamp"); text != "" {
		var ok bool
		if s.At, ok = instant(text, zone); !ok {
			found = append(found, problem{"bad time", "timestamp", text})
		}
	}
	uuid, pid := h.cell(cells, "gpu_uuid"), numberOr(h.cell(cells, "pid"), -1)
	if absent(uuid) || pid < 0 {
		return s, append(found, problem{"no process", "pid", strings.Join(cells, ", ")})
	}
	p := Process{PID: pid, Name: h.cell(cells, "process_name"), GPUInstance: -1}
	i, ok := h.at["used_gpu_memory"]
	if !ok {
		i, ok = h.at["used_memory"]
	}
	if ok {
		unit := h.units[i]
		if unit == "" {
			unit = "MiB"
		}
		var bad bool
		if p.Memory, p.Known, bad = quantity(cells[i], unit); bad {
			found = append(found, problem{"bad value", h.names[i], cells[i]})
		}
	}
	gpu := GPU{Index: -1, UUID: uuid, Processes: []Process{p}}
	if model := h.cell(cells, "gpu_name"); !absent(model) {
		gpu.Model = series.ModelName(model)
	}
	s.GPUs = []GPU{gpu}
	return s, found
}
