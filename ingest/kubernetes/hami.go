package kubernetes

import (
	"strconv"
	"strings"

	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// HAMi and similar schedulers (Volcano's vGPU) write the devices of each container into its
// pod, and a node's devices into the node:
//
//	hami.io/vgpu-devices-allocated: GPU-a,NVIDIA,3000,30:GPU-b,NVIDIA,3000,30:;
//	hami.io/node-nvidia-register:   GPU-a,10,32768,100,NVIDIA-Tesla V100,0,true:GPU-b,…:
//
// A device of a pod is (UUID, type, memory in MiB, cores in %); package series reads
// the register.
var hamiAllocated = []string{"hami.io/vgpu-devices-allocated", "volcano.sh/vgpu-ids-new", "4pd.io/vgpu-ids-new"}

// maxRegisters bounds the memory for nodes that come and go.
const maxRegisters = 1 << 20

// register reads the scheduler's device plugin's annotation of a node: its cards, and their
// order.
func (c *Converter) register(t *ledger.Telemetry, node string, annotations map[string]string, seen period.Second) {
	for _, key := range series.Registers {
		for _, card := range series.RegisteredCards(annotations[key]) {
			if card.Memory > 0 && len(c.devices) < maxRegisters {
				c.devices[card.ID] = card.Memory
			}
			t.Devices = append(t.Devices, card.Fact(c.cluster, node, seen, seen))
		}
	}
}

const whole = 1_000_000 // ppm

// hami reads the devices of a pod. Cores of 0 mean no limit: the share is then the memory's.
func (c *Converter) hami(annotations map[string]string) (out []cardShare) {
	for _, key := range hamiAllocated {
		for container := range strings.SplitSeq(annotations[key], ";") {
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
				s := cardShare{device: series.CardID(fields[0]), core: -1, memory: -1}
				if cores > 0 {
					s.core = cores * (whole / 100)
				}
				if total := c.devices[s.device]; total > 0 && mib > 0 {
					s.memory = min(mib*whole/total, whole)
				}
				out = append(out, s)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}
