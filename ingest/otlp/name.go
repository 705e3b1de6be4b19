package otlp

import (
	"strings"

	"gpuledger/ingest/series"
)

// units are UCUM units in Prometheus' spelling.
var units = map[string]string{
	"d": "days", "h": "hours", "min": "minutes", "s": "seconds",
	"ms": "milliseconds", "us": "microseconds", "ns": "nanoseconds",
	"By": "bytes", "KiBy": "kibibytes", "MiBy": "mebibytes", "GiBy": "gibibytes", "TiBy": "tibibytes",
	"KBy": "kilobytes", "kBy": "kilobytes", "MBy": "megabytes", "GBy": "gigabytes", "TBy": "terabytes",
	"m": "meters", "V": "volts", "A": "amperes", "J": "joules", "W": "watts", "mW": "milliwatts", "g": "grams",
	"Cel": "celsius", "Hz": "hertz", "%": "percent",
}

var perUnits = map[string]string{
	"s": "second", "m": "minute", "min": "minute", "h": "hour", "d": "day", "w": "week", "mo": "month", "y": "year",
}

// kind is the kind of a metric, as far as it affects its name.
type kind uint8

const (
	gauge     kind = iota // and non-monotonic sums
	counter               // monotonic sum
	histogram             // also summaries and exponential ones
)

// metricName converts a name. A listed spelling takes precedence over a longer one, since
// pipelines out of Prometheus carry names that are already converted. For histograms it returns
// the base name.
func metricName(name, unit string, k kind) string {
	plain := sanitise(name, true)
	known := func(n string) bool {
		if k == histogram {
			return series.Listed(n+"_count") || series.Listed(n+"_sum") || series.Listed(n+"_bucket")
		}
		return series.Listed(n)
	}
	withUnit := plain
	if u := unitName(unit, k); u != "" && !hasPart(plain, u) {
		withUnit = plain + "_" + u
	}
	full := withUnit
	if k == counter && !strings.HasSuffix(full, "_total") {
		full += "_total"
		if strings.Contains(withUnit, "_total_") { // x.total with a unit
			full = strings.Replace(withUnit, "_total_", "_", 1) + "_total"
		}
	}
	for _, n := range []string{plain, withUnit, plain + "_total", full} {
		if (k == counter || !strings.HasSuffix(n, "_total") || n == plain) && known(n) {
			return n
		}
	}
	return full
}

// unitName converts a unit: "By/s" is bytes_per_second, text in braces is ignored, and 1 makes
// a gauge a ratio.
func unitName(unit string, k kind) string {
	if unit == "1" {
		if k == gauge {
			return "ratio"
		}
		return ""
	}
	if i := strings.IndexByte(unit, '{'); i >= 0 {
		j := strings.IndexByte(unit[i:], '}')
		if j < 0 {
			return ""
		}
		unit = unit[:i] + unit[i+j+1:]
	}
	main, per, _ := strings.Cut(unit, "/")
	word := func(table map[string]string, u string) string {
		if w, ok := table[u]; ok {
			return w
		}
		return strings.Trim(sanitise(u, false), "_")
	}
	out := word(units, main)
	if per = word(perUnits, per); per != "" {
		out = strings.TrimPrefix(out+"_per_"+per, "_")
	}
	return out
}

// hasPart reports whether a name contains the unit as one of its parts, at the end or before
// its _total.
func hasPart(name, unit string) bool {
	name = strings.TrimSuffix(name, "_total")
	return name == unit || strings.HasSuffix(name, "_"+unit)
}

// sanitise makes a name of letters, digits and underscores; in metric names, colons stay.
func sanitise(name string, metric bool) string {
	clean := true
	for i := 0; i < len(name) && clean; i++ {
		c := name[i]
		clean = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || metric && c == ':' || c >= '0' && c <= '9' &&
			i > 0
	}
	if clean {
		return name
	}
	var b strings.Builder
	for i, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r == '_', metric && r == ':', r >= '0' && r <= '9':
			if i == 0 && r >= '0' && r <= '9' {
				b.WriteByte('_')
			}
			b.WriteRune(r)
		default:
			if s := b.String(); metric && strings.HasSuffix(s, "_") {
				continue // a run of several becomes one
			}
			b.WriteByte('_')
		}
	}
	if metric {
		return strings.TrimRight(b.String(), "_")
	}
	return b.String()
}
