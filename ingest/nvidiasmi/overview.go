package nvidiasmi

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// overview reads the table that nvidia-smi prints without arguments: three lines per GPU, then
// the MIG devices, two lines each. It identifies GPUs by index: a listing (-L) in the same
// input gives their UUIDs.
type overview struct {
	zone *time.Location
	open bool // between the title and the processes
	line int64
	at   time.Time // of the line above the table
	gpus []tabled
}

type tabled struct {
	GPU
	totalMiB int64
}

var (
	tableGPU    = regexp.MustCompile(`^\|\s+(\d+)\s+(\S.*?)\s+(?:On|Off|N/A)?\s*\|\s+([0-9A-Fa-f]+:[0-9A-Fa-f]+:[0-9A-Fa-f]+\.\d)\s`)
	tableMIG    = regexp.MustCompile(`^\|\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+\|\s+(\d+)MiB\s*/\s*(\d+)MiB\s+\|\s+(\d+)\s`)
	tableMemory = regexp.MustCompile(`\|\s+(\d+)MiB\s*/\s*(\d+)MiB\s+\|`)
	tableUtil   = regexp.MustCompile(`\|\s+(\d+)%\s+\S.*\|$`)
	tableTemp   = regexp.MustCompile(`^\|\s+\S+\s+(\d+)C\s`)
	tablePower  = regexp.MustCompile(`\s(\d+)W\s*/`)
)

// take reads one line; false if it belongs to another output.
func (o *overview) take(n int64, text string) bool {
	text = strings.TrimRight(text, " ")
	if at, ok := instant(text, o.zone); ok && !o.open {
		o.at = at
		return true
	}
	if strings.HasPrefix(text, "| NVIDIA-SMI ") {
		o.open, o.line, o.gpus = true, n, nil
		return true
	}
	switch {
	case !o.open || !strings.HasPrefix(text, "|") && !strings.HasPrefix(text, "+"):
		return false
	case tableMIG.MatchString(text):
		o.instance(tableMIG.FindStringSubmatch(text))
	case tableGPU.MatchString(text):
		m := tableGPU.FindStringSubmatch(text)
		if index, err := strconv.Atoi(m[1]); err == nil {
			o.gpus = append(o.gpus, tabled{GPU: GPU{Index: index, BusID: m[3]}})
		}
	case len(o.gpus) > 0:
		o.gpus[len(o.gpus)-1].more(text)
	}
	return true
}

// more reads the second and third lines of a GPU.
func (g *tabled) more(text string) {
	if strings.HasSuffix(text, " Enabled |") && strings.HasPrefix(text, "|   ") {
		g.MIG = true
		return
	}
	add := func(m Metric, pattern *regexp.Regexp, unit string) {
		if found := pattern.FindStringSubmatch(text); found != nil {
			if d, ok, _ := quantity(found[1], unit); ok {
				g.Readings = append(g.Readings, Reading{m, d})
			}
		}
	}
	memory := tableMemory.FindStringSubmatch(text)
	if memory == nil || g.totalMiB != 0 {
		return // rows of MIG devices have such a second line
	}
	g.totalMiB = mebibytes(memory[2])
	add(MetricUtilization, tableUtil, "%")
	add(MetricMemoryUsed, tableMemory, "MiB")
	add(MetricTemperature, tableTemp, "C")
	add(MetricPower, tablePower, "W")
}

func (o *overview) instance(m []string) {
	index := numberOr(m[1], -1)
	for i := range o.gpus {
		g := &o.gpus[i]
		if g.Index != index {
			continue
		}
		in := Instance{
			GPUInstance: numberOr(m[2], 0), ComputeInstance: numberOr(m[3], 0),
			MemoryMiB: mebibytes(m[6]), Multiprocessors: numberOr(m[7], 0),
		}
		if d, ok, _ := quantity(m[5], "MiB"); ok {
			in.Readings = []Reading{{MetricMemoryUsed, d}}
		}
		g.Instances = append(g.Instances, in)
	}
}

// finish returns the table that was read, with the UUIDs of a listing.
func (o *overview) finish(l *listing) (s *Snapshot, found []problem) {
	if !o.open {
		return nil, nil
	}
	o.open = false
	s = &Snapshot{At: o.at}
	for _, g := range o.gpus {
		for _, listed := range l.gpus {
			if listed.index == g.Index {
				g.UUID, g.Model = listed.uuid, listed.model
			}
		}
		if g.UUID == "" {
			found = append(found, problem{
				"no device uuid", "uuid",
				g.BusID + ": the table does not show it; capture the output of nvidia-smi -L above the table",
			})
			continue
		}
		deriveProfiles(&g.GPU, g.totalMiB)
		s.GPUs = append(s.GPUs, g.GPU)
	}
	return s, found
}
