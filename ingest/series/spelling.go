package series

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"gpuledger/internal/ledger"
)

// Names have one spelling at their origin and several on arrival: OpenMetrics adds _total to
// counters, the translation of OTLP adds the unit, pipelines replace colons and dots,
// Prometheus 3 keeps the original or escapes it. aliases are such spellings of names with
// binders.
var aliases = func() map[string]string {
	m := map[string]string{}
	add := func(name string, units []string, counter bool) {
		for _, n := range spelled(name, units, counter) {
			if binders[n] == nil && m[n] == "" {
				m[n] = name
			}
		}
	}
	for _, table := range [][]deviceMetric{deviceMetrics, agentMetrics, smiMetrics, otelMetrics} {
		for _, d := range table {
			counter := d.signal == ledger.SignalEnergy || d.signal == ledger.SignalThrottlePower ||
				d.signal == ledger.SignalThrottleThermal
			add(d.name, unitSuffixes(d), counter)
		}
	}
	for _, h := range hostMetrics {
		add(h.name, map[bool][]string{true: {"ratio"}, false: {"bytes"}}[h.mul == ratio], false)
	}
	for _, n := range checkpointMetrics {
		add(n, []string{"seconds"}, false)
	}
	for _, n := range checkpointDurationMetrics {
		add(n, []string{"seconds"}, false)
	}
	add("kube_pod_container_status_restarts_total", nil, true)
	return m
}()

// unitSuffixes are the suffixes that the translation of OTLP appends for a device metric's
// unit. It never converts a value, so another unit's suffix would be another metric.
func unitSuffixes(m deviceMetric) []string {
	switch m.signal {
	case "memory_used_b", "memory_free_b":
		if m.mul == mebi {
			return []string{"mebibytes"}
		}
		return []string{"bytes"}
	case "power_mw":
		return []string{"watts"}
	case "energy_mj":
		if m.mul == milli {
			return []string{"joules"}
		}
		return []string{"millijoules"}
	case "temperature_mc":
		return []string{"celsius"}
	case "throttle_power_ns", "throttle_thermal_ns":
		if m.mul == nano {
			return []string{"seconds"}
		}
		return []string{"nanoseconds"}
	case "pcie_tx_bps", "pcie_rx_bps", "nvlink_tx_bps", "nvlink_rx_bps":
		return []string{"bytes_per_second"}
	case "xid", "mig_mode", "seen", "throttle_reasons":
		return nil
	}
	if m.mul == percent {
		return []string{"percent"}
	}
	return []string{"ratio"}
}

// unitSuffixes of a table's counter follow from its subject and its unit; some translations
// write units in braces ({token}).
func (l *tableLine) unitSuffixes() []string {
	counts := strings.TrimSuffix(strings.TrimSuffix(l.canonical, "_sum"), "_count")
	switch {
	case strings.HasSuffix(counts, "_seconds"):
		return []string{map[int32]string{0: "seconds", -3: "milliseconds", -6: "microseconds", -9: "nanoseconds"}[l.shift]}
	case strings.HasSuffix(counts, "_ratio") && l.unit == "percent":
		return []string{"percent"}
	case strings.HasSuffix(counts, "_ratio"):
		return []string{"ratio"}
	case strings.HasSuffix(counts, "_bytes"):
		return []string{"bytes"}
	case strings.Contains(counts, "tokens"):
		return []string{"token", "tokens"}
	case strings.Contains(counts, "requests"):
		return []string{"request", "requests"}
	}
	return nil
}

// histogramParts come after all other suffixes.
var histogramParts = [...]string{"_bucket", "_sum", "_count", "_created"}

// spelled lists other spellings of a name: with the unit appended, for a counter with and
// without _total, without characters that only UTF-8 names have. OpenTelemetry's own names may
// also come without their unit.
func spelled(name string, units []string, counter bool) []string {
	stem, part := name, ""
	for _, p := range histogramParts {
		if cut, ok := strings.CutSuffix(stem, p); ok {
			stem, part, counter = cut, p, false
			break
		}
	}
	stem, total := strings.CutSuffix(stem, "_total")
	stems := []string{stem}
	for _, u := range units {
		switch cut, has := strings.CutSuffix(stem, "_"+u); {
		case u == "":
		case !has:
			stems = append(stems, stem+"_"+u)
		case strings.HasPrefix(name, "gen_ai_") || strings.HasPrefix(name, "hw_"):
			stems = append(stems, cut)
		}
	}
	ends := []string{""}
	if counter || total {
		ends = []string{"_total", ""}
	}
	var out []string
	for _, s := range stems {
		for _, end := range ends {
			for _, n := range [...]string{s + end + part, plain(s + end + part)} {
				if n != name {
					out = append(out, n)
				}
			}
		}
	}
	return out
}

// plain is a name of letters, digits and underscores; a run of underscores becomes one, as in
// the translation of OTLP.
func plain(name string) string {
	if isPlain(name) {
		return name
	}
	var b strings.Builder
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	return b.String()
}

func isPlain(name string) bool {
	for i := range len(name) {
		if c := name[i]; c >= utf8.RuneSelf || c != '_' && !nameChar[c] || c == '_' && i > 0 && name[i-1] == '_' {
			return false
		}
	}
	return true
}

// unescaped reverses Prometheus' escaping of names for scrapers that cannot read them:
// U__vllm_3a_x with each character's code, or _dot_ for dots, __ for _.
func unescaped(name string) string {
	if rest, ok := strings.CutPrefix(name, "U__"); ok {
		var b strings.Builder
		for i := 0; i < len(rest); i++ {
			if rest[i] != '_' {
				b.WriteByte(rest[i])
				continue
			}
			end := strings.IndexByte(rest[i+1:], '_')
			if end < 0 {
				return name
			}
			if end == 0 {
				b.WriteByte('_')
			} else {
				code, err := strconv.ParseUint(rest[i+1:i+1+end], 16, 32)
				if err != nil {
					return name
				}
				b.WriteRune(rune(code))
			}
			i += end + 1
		}
		return b.String()
	}
	if strings.Contains(name, "_dot_") {
		return strings.ReplaceAll(strings.ReplaceAll(name, "_dot_", "."), "__", "_")
	}
	return name
}

// resolve finds the known name of a spelling: itself, or the name that it stands for; empty if
// it is unknown.
func resolve(name string) string {
	known := func(name string) string {
		if binders[name] != nil || len(embedded.spelled[name]) > 0 {
			return name
		}
		return aliases[name]
	}
	if at := known(name); at != "" {
		return at
	}
	if raw := unescaped(name); raw != name {
		return resolve(raw)
	}
	if p := plain(name); p != name {
		return known(p)
	}
	return ""
}

// plainLabels are labels whose names have characters other than letters, digits and underscores
// (k8s.pod.name), with these replaced; an existing label with the plain name takes precedence.
func plainLabels(ls Labels) Labels {
	out := ls
	for i := range ls {
		if isPlain(ls[i].Name) || strings.HasPrefix(ls[i].Name, "__") {
			continue
		}
		name := plainLabel(ls[i].Name)
		if name == ls[i].Name || ls.Has(name) {
			continue
		}
		if &out[0] == &ls[0] {
			out = append(Labels(nil), ls...)
		}
		out[i].Name = name
	}
	return out
}

// plainLabel replaces character by character: underscores in label names keep their number.
func plainLabel(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r < utf8.RuneSelf && nameChar[r] {
			return r
		}
		return '_'
	}, unescaped(name))
}
