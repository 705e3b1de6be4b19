package nvidiasmi

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gpuledger/ingest/series"
)

// listing is the output of -L and mig -lgi: names without values.
type listing struct {
	gpus []listedGPU
	// instances of mig -lgi by (index of the GPU, GPU instance).
	instances map[[2]int]listedInstance
}

type listedInstance struct {
	profile string
	start   int // first memory slice
}

type listedGPU struct {
	line        int64
	index       int
	uuid, model string
	profiles    []string // of the MIG devices in their order
}

var (
	listGPU = regexp.MustCompile(`^GPU (\d+): (.+) \(UUID: (GPU-[0-9A-Za-z-]+)\)\s*$`)
	listMIG = regexp.MustCompile(`^\s+MIG (\S+)\s+Device\s+(\d+): \(UUID: (MIG-[0-9A-Za-z/-]+)\)\s*$`)
	// | 0 MIG 3g.40gb 9 2 4:4 |, with or without bars between.
	listGI = regexp.MustCompile(`^\|\s+(\d+)\s+\|?\s*MIG (\d+g\.\d+gb\S*)\s+\|?\s*(\d+)\s+\|?\s*(\d+)\s+\|?\s*(\d+):\d+\s+\|`)
)

// line reads one line of a listing; false if it belongs to another output.
func (l *listing) line(n int64, text string) bool {
	if m := listGPU.FindStringSubmatch(text); m != nil {
		index, err := strconv.Atoi(m[1])
		if err != nil {
			return false
		}
		// nvlink and topo repeat the line of a GPU.
		for i := range l.gpus {
			if l.gpus[i].uuid == m[3] {
				return true
			}
		}
		l.gpus = append(l.gpus, listedGPU{line: n, index: index, uuid: m[3], model: series.ModelName(m[2])})
		return true
	}
	if m := listMIG.FindStringSubmatch(text); m != nil && len(l.gpus) > 0 {
		g := &l.gpus[len(l.gpus)-1]
		if n, err := strconv.Atoi(m[2]); err == nil && n == len(g.profiles) {
			g.profiles = append(g.profiles, m[1])
		}
		return true
	}
	if m := listGI.FindStringSubmatch(text); m != nil {
		index, err := strconv.Atoi(m[1])
		gi, err2 := strconv.Atoi(m[4])
		start, err3 := strconv.Atoi(m[5])
		if err != nil || err2 != nil || err3 != nil {
			return false
		}
		if l.instances == nil {
			l.instances = map[[2]int]listedInstance{}
		}
		l.instances[[2]int{index, gi}] = listedInstance{m[2], start}
		return true
	}
	return false
}

// complete fills data that other outputs lack: indices, models, profiles.
func (l *listing) complete(s *Snapshot) {
	for i := range s.GPUs {
		g := &s.GPUs[i]
		for _, listed := range l.gpus {
			if listed.uuid != g.UUID {
				continue
			}
			if g.Index < 0 {
				g.Index = listed.index
			}
			if g.Model == "" {
				g.Model = listed.model
			}
			if len(listed.profiles) == len(g.Instances) {
				for k := range g.Instances {
					g.Instances[k].Profile, g.Instances[k].Derived = ofGPUInstance(listed.profiles[k]), false
				}
			}
		}
		for k := range g.Instances {
			if in, ok := l.instances[[2]int{g.Index, g.Instances[k].GPUInstance}]; ok {
				g.Instances[k].Profile, g.Instances[k].Derived = in.profile, false
				g.Instances[k].Start, g.Instances[k].Placed = in.start, true
			}
		}
	}
}

// ofGPUInstance drops the compute instance from a profile: 1c.3g.71gb is part of a 3g.71gb.
func ofGPUInstance(profile string) string {
	first, rest, ok := strings.Cut(profile, ".")
	if ok && strings.HasSuffix(first, "c") && strings.Contains(rest, ".") {
		return rest
	}
	return profile
}

// snapshot is a listing's information about the GPUs that pick selects. Only mig -lgi has the
// ids of GPU instances. Without it, the numbers of the MIG devices replace them, and the GPU
// instance of a compute instance (1c.3g.71gb) is unknown.
func (l *listing) snapshot(pick func(uuid string) bool) *Snapshot {
	s := &Snapshot{}
	for _, listed := range l.gpus {
		if !pick(listed.uuid) {
			continue
		}
		g := GPU{Index: listed.index, UUID: listed.uuid, Model: listed.model}
		for at, in := range l.instances {
			if at[0] == listed.index {
				g.Instances = append(g.Instances, Instance{GPUInstance: at[1], Profile: in.profile, Start: in.start, Placed: true})
			}
		}
		slices.SortFunc(g.Instances, func(a, b Instance) int { return cmp.Compare(a.GPUInstance, b.GPUInstance) })
		g.MIG = len(g.Instances)+len(listed.profiles) > 0
		plain := !slices.ContainsFunc(listed.profiles, func(p string) bool { return ofGPUInstance(p) != p })
		if len(g.Instances) == 0 && plain {
			for n, profile := range listed.profiles {
				g.Instances = append(g.Instances, Instance{GPUInstance: n, Profile: profile})
			}
		}
		s.GPUs = append(s.GPUs, g)
	}
	return s
}
