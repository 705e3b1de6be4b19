package kubernetes

import (
	"encoding/json"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
)

// HAMi writes into a pod which devices each of its containers got, and into a
// node which devices it has:
//
//	hami.io/vgpu-devices-allocated: GPU-a,NVIDIA,3000,30:GPU-b,NVIDIA,3000,30:;
//	hami.io/node-nvidia-register:   GPU-a,10,32768,100,NVIDIA-Tesla V100,0,true:GPU-b,…:
//
// A device of a pod is (UUID, type, memory in MiB, cores in %), of a node (UUID,
// replicas, memory in MiB, cores in %, …); newer releases register JSON.
const (
	hamiAllocated = "hami.io/vgpu-devices-allocated"
	hamiRegister  = "hami.io/node-nvidia-register"
)

// registers holds the memory of devices in MiB, by UUID.
type registers map[string]int64

// maxRegisters bounds what is remembered of nodes that come and go.
const maxRegisters = 1 << 20

func (r registers) read(text string) {
	if text == "" || len(r) > maxRegisters {
		return
	}
	var list []struct {
		ID     string `json:"id"`
		Memory int64  `json:"devmem"`
	}
	if strings.HasPrefix(text, "[") && json.Unmarshal([]byte(text), &list) == nil {
		for _, d := range list {
			r[d.ID] = d.Memory
		}
		return
	}
	for one := range strings.SplitSeq(text, ":") {
		fields := strings.Split(one, ",")
		if len(fields) < 4 {
			continue
		}
		if mib, err := strconv.ParseInt(fields[2], 10, 64); err == nil && mib > 0 {
			r[fields[0]] = mib
		}
	}
}

const whole = 1_000_000 // ppm

// hami reads the devices of a pod. Cores of 0 are no limit: the share is that
// of its memory then.
func (c *Converter) hami(f *ledger.WorkloadFact, annotations map[string]string) []ledger.Placement {
	text := annotations[hamiAllocated]
	if text == "" {
		return nil
	}
	at := map[string]int{}
	var out []ledger.Placement
	for container := range strings.SplitSeq(text, ";") {
		for one := range strings.SplitSeq(container, ":") {
			fields := strings.Split(one, ",")
			if len(fields) < 4 || fields[0] == "" {
				continue
			}
			mib, err := strconv.ParseInt(fields[2], 10, 40)
			cores, err2 := strconv.ParseInt(fields[3], 10, 32)
			if err != nil || err2 != nil || mib < 0 || cores < 0 || cores > 100 {
				continue
			}
			p := ledger.Placement{
				Cluster: c.cluster, Node: f.Node, Device: fields[0], SliceID: ledger.WholeDevice, Workload: f.UID,
				Evidence: ledger.EvidenceAnnotation, CoreShare: -1, MemoryShare: -1,
			}
			if cores > 0 {
				p.CoreShare = cores * (whole / 100)
			}
			if total := c.devices[fields[0]]; total > 0 && mib > 0 {
				p.MemoryShare = min(mib*whole/total, whole)
			}
			if i, twice := at[fields[0]]; twice { // a second container on the device
				out[i].CoreShare, out[i].MemoryShare = together(out[i].CoreShare, p.CoreShare), together(out[i].MemoryShare, p.MemoryShare)
				continue
			}
			at[fields[0]] = len(out)
			out = append(out, p)
		}
	}
	return out
}

// together adds two shares of one device; what one of them does not know stays
// unknown.
func together(a, b int64) int64 {
	if a < 0 || b < 0 {
		return -1
	}
	return min(a+b, whole)
}
