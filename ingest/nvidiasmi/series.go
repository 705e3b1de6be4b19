package nvidiasmi

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"gpuledger/ingest/series"
)

// Holder is the owner of a process. Of PodUID, Job and PID, the first that is set counts.
type Holder struct {
	PodUID string // of Kubernetes
	Job    string // of Slurm
	User   string
	// Started is the start of the process, unix seconds, 0 if unknown.
	Started int64
}

// yes is the value 1.
var yes, _ = series.ParseDecimal([]byte("1"))

// Series visits the snapshot as series of the node agent. host is the machine, if the snapshot
// does not name it. holder returns the owner of a process; nil: processes own themselves.
// Processes that draw (Xorg) hold nothing.
func (s *Snapshot) Series(
	host string, holder func(Process) Holder, visit func(name string, ls series.Labels, value series.Decimal),
) {
	if s.Host != "" {
		host = s.Host
	}
	for i := range s.GPUs {
		g := &s.GPUs[i]
		own := series.Labels{{Name: "uuid", Value: g.UUID}, {Name: "model", Value: g.Model}, {Name: "hostname", Value: host}}
		if g.Index >= 0 {
			own = append(own, series.Label{Name: "gpu", Value: strconv.Itoa(g.Index)})
		}
		own = slices.Clip(own)
		for _, r := range g.Readings {
			visit(string(r.Metric), own, r.Value)
		}
		if g.MIG && len(g.Instances) == 0 {
			visit(string(MetricMIGMode), own, yes)
		} else if len(g.Readings)+len(g.Instances) == 0 && len(g.Processes) == 0 {
			visit(string(MetricSeen), own, yes)
		}
		seen := map[int]bool{}
		for _, in := range g.Instances {
			if seen[in.GPUInstance] {
				continue // memory belongs to the GPU instance, once
			}
			seen[in.GPUInstance] = true
			for _, r := range in.Readings {
				visit(string(r.Metric), g.slice(own, in.GPUInstance), r.Value)
			}
			if in.Placed {
				visit(string(MetricMIGStart), g.slice(own, in.GPUInstance), series.DecimalOf(float64(in.Start)))
			}
			if len(in.Readings) == 0 {
				visit(string(MetricSeen), g.slice(own, in.GPUInstance), yes)
			}
		}
		for _, p := range g.Processes {
			if p.Graphics {
				continue
			}
			g.process(own, p, holder, visit)
		}
	}
}

// slice adds the labels of a GPU instance.
func (g *GPU) slice(own series.Labels, gi int) series.Labels {
	ls := append(own, series.Label{Name: "gi", Value: strconv.Itoa(gi)})
	for _, in := range g.Instances {
		if in.GPUInstance == gi && in.Profile != "" {
			return append(ls, series.Label{Name: "profile", Value: in.Profile})
		}
	}
	return ls
}

func (g *GPU) process(
	own series.Labels, p Process, holder func(Process) Holder, visit func(string, series.Labels, series.Decimal),
) {
	ls := own
	if p.GPUInstance >= 0 {
		ls = g.slice(own, p.GPUInstance)
	}
	var h Holder
	if holder != nil {
		h = holder(p)
	}
	pid := series.Label{Name: "pid", Value: strconv.Itoa(p.PID)}
	switch {
	case h.PodUID != "":
		ls = append(ls, series.Label{Name: "pod_uid", Value: h.PodUID}, pid)
	case h.Job != "":
		ls = append(ls, series.Label{Name: "hpc_job", Value: h.Job}, pid)
	default:
		ls = append(ls, pid)
		// The name without arguments, which may contain secrets.
		name, _, _ := strings.Cut(strings.TrimSpace(p.Name), " ")
		if name = path.Base(name); name != "." && name != "/" {
			ls = append(ls, series.Label{Name: "process", Value: name})
		}
		if h.Started > 0 {
			ls = append(ls, series.Label{Name: "started", Value: strconv.FormatInt(h.Started, 10)})
		}
		if h.User != "" {
			ls = append(ls, series.Label{Name: "user", Value: h.User})
		}
	}
	value := p.Memory
	if !p.Known {
		value = series.Decimal{} // on the device, with unknown memory
	}
	visit(string(MetricProcessMemory), ls, value)
}
