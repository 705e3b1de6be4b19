package agent

import (
	"bufio"
	"bytes"
	"io/fs"
	"strconv"
	"strings"

	"gpuledger/ingest/series"
)

// host reads the machine's own figures from a proc file system.
type host struct {
	proc fs.FS // the root is /proc

	busy, total uint64 // of all cores since boot, at the last sample
}

// The host's series.
const (
	metricCPU    = "gpuledger_host_cpu_ratio"
	metricMemory = "gpuledger_host_memory_used_bytes"
)

// sample visits the current values. CPU is the busy share since the previous sample, so the first one has none.
func (h *host) sample(visit func(name string, value series.Decimal)) error {
	stat, err := fs.ReadFile(h.proc, "stat")
	if err != nil {
		return err
	}
	if busy, total, ok := cpu(stat); ok {
		if h.total > 0 && total > h.total && busy >= h.busy {
			ppm := ((busy-h.busy)*1_000_000 + (total-h.total)/2) / (total - h.total)
			d, _ := series.ParseDecimal(strconv.AppendUint(nil, ppm, 10))
			if d, ok := d.Scale(1, -6); ok {
				visit(metricCPU, d)
			}
		}
		h.busy, h.total = busy, total
	}
	info, err := fs.ReadFile(h.proc, "meminfo")
	if err != nil {
		return err
	}
	if used, ok := memory(info); ok {
		d, _ := series.ParseDecimal(strconv.AppendUint(nil, used, 10))
		visit(metricMemory, d)
	}
	return nil
}

// cpu adds up the line "cpu user nice system idle iowait irq softirq steal …"
// of /proc/stat. Guest time is inside user time.
func cpu(stat []byte) (busy, total uint64, ok bool) {
	line, _, _ := bytes.Cut(stat, []byte("\n"))
	fields := strings.Fields(string(line))
	if len(fields) < 5 || fields[0] != "cpu" {
		return 0, 0, false
	}
	for i, f := range fields[1:] {
		n, err := strconv.ParseUint(f, 10, 64)
		if err != nil {
			return 0, 0, false
		}
		if i >= 8 {
			break
		}
		total += n
		if i != 3 && i != 4 { // idle, iowait
			busy += n
		}
	}
	return busy, total, true
}

// memory is the memory in use without caches: MemTotal − MemAvailable, in bytes.
func memory(info []byte) (used uint64, ok bool) {
	values := map[string]uint64{}
	lines := bufio.NewScanner(bytes.NewReader(info))
	for lines.Scan() {
		name, rest, found := strings.Cut(lines.Text(), ":")
		fields := strings.Fields(rest)
		if !found || len(fields) == 0 {
			continue
		}
		if n, err := strconv.ParseUint(fields[0], 10, 54); err == nil {
			values[name] = n << 10 // kB are KiB here
		}
	}
	total, available := values["MemTotal"], values["MemAvailable"]
	return total - available, total > 0 && available > 0 && available <= total
}
