package nvidiasmi

import (
	"slices"
	"strings"
	"time"

	"gpuledger/ingest/series"
)

// Average is a device's utilisation over the driver's buffer of samples, from
// nvidia-smi -q -d UTILIZATION. The gauge in every other output covers the last
// second at most and aliases with work that comes in steps: an H200 that was
// busy every other half second read 95 % for 40 s, then 0 %.
type Average struct {
	Over     time.Duration // period of the samples: 14 s on an H200
	Readings []Reading     // MetricUtilization, MetricMemoryCopy
}

// averaged are the sections of samples by their metric.
var averaged = map[string]Metric{
	"GPU Utilization Samples":    MetricUtilization,
	"Memory Utilization Samples": MetricMemoryCopy,
}

// Averages reads the output of nvidia-smi -q -d UTILIZATION, by the device's bus id. Devices
// whose driver keeps no samples (MIG, old cards) are left out.
func Averages(text []byte) map[string]Average {
	out := map[string]Average{}
	var bus string
	var of Metric
	var over time.Duration
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if id, ok := strings.CutPrefix(line, "GPU "); ok && strings.Contains(id, ":") && !strings.Contains(id, " ") {
			bus, of = id, ""
			continue
		}
		name, cell, ok := strings.Cut(line, ":")
		if !ok {
			of, over = averaged[line], 0
			continue
		}
		if bus == "" || of == "" {
			continue
		}
		switch strings.TrimSpace(name) {
		case "Duration":
			over = seconds(cell)
		case "Avg":
			if d, ok, _ := quantity(cell, "%"); ok && over > 0 {
				a := out[bus]
				a.Over, a.Readings = over, append(a.Readings, Reading{of, d})
				out[bus] = a
			}
		}
	}
	return out
}

// longestBuffer bounds the plausible period of a driver's samples. Some drivers without samples
// print a time of millennia.
const longestBuffer = 2 * time.Minute

// seconds reads "14.00 sec", 0 for other or implausible texts.
func seconds(cell string) time.Duration {
	number, unit, _ := strings.Cut(strings.TrimSpace(cell), " ")
	d, n := series.ParseDecimal([]byte(number))
	if n == 0 || n != len(number) || unit != "sec" || absent(number) {
		return 0
	}
	if f := d.Float(); f > 0 && f <= longestBuffer.Seconds() {
		return time.Duration(f * float64(time.Second))
	}
	return 0
}

// Of reports whether the average belongs to this series.
func (a Average) Of(name string) bool {
	return slices.ContainsFunc(a.Readings, func(r Reading) bool { return string(r.Metric) == name })
}

// With replaces readings of this device by their averages.
func (g *GPU) With(a Average) {
	for _, r := range a.Readings {
		for i := range g.Readings {
			if g.Readings[i].Metric == r.Metric {
				g.Readings[i].Value = r.Value
			}
		}
	}
}
