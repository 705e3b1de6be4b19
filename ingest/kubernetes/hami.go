package kubernetes

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// HAMi and its kin (Volcano's vGPU) write into a pod which devices each of its
// containers got, and into a node which devices it has:
//
//	hami.io/vgpu-devices-allocated: GPU-a,NVIDIA,3000,30:GPU-b,NVIDIA,3000,30:;
//	hami.io/node-nvidia-register:   GPU-a,10,32768,100,NVIDIA-Tesla V100,0,true:GPU-b,…:
//
// A device of a pod is (UUID, type, memory in MiB, cores in %), of a node (UUID,
// replicas, memory in MiB, cores in %, type, NUMA node, health, index, mode); Volcano
// leaves out the cores, older releases the index; newer ones register JSON.
var (
	hamiAllocated = []string{"hami.io/vgpu-devices-allocated", "volcano.sh/vgpu-ids-new", "4pd.io/vgpu-ids-new"}
	hamiRegister  = []string{"hami.io/node-nvidia-register", "volcano.sh/node-vgpu-register", "4pd.io/node-nvidia-register"}
)

// registeredCard is a device in a node's register.
type registeredCard struct {
	ID     string `json:"id"`
	Index  *int32 `json:"index"`
	Memory int64  `json:"devmem"` // MiB
	Type   string `json:"type"`
	Mode   string `json:"mode"`
}

// cardID is the UUID of the card that a part of it is named after: its n-th
// replica (GPU-…::3, GPU-…-3) or an instance that HAMi cuts (GPU-…[0-1]).
func cardID(s string) string {
	s = strings.TrimSpace(s)
	s, _, _ = strings.Cut(s, "::")
	s, _, _ = strings.Cut(s, "[")
	const uuid = len("GPU-00000000-0000-0000-0000-000000000000")
	if strings.HasPrefix(s, "GPU-") && len(s) > uuid+1 && (s[uuid] == '-' || s[uuid] == '_') && digitsOnly(s[uuid+1:]) {
		return s[:uuid]
	}
	return s
}

func digitsOnly(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// readRegister lists the cards of a register in their order, each once however
// often it is registered for splitting. A card without an index has the lowest
// that is left.
func readRegister(text string) []registeredCard {
	var list []registeredCard
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		if json.Unmarshal([]byte(text), &list) != nil {
			return nil // another shape than any release writes
		}
	} else {
		for one := range strings.SplitSeq(text, ":") {
			if c, ok := readCard(strings.Split(one, ",")); ok {
				list = append(list, c)
			}
		}
	}
	var out []registeredCard
	for _, c := range list {
		c.ID = cardID(c.ID)
		if c.ID == "" || slices.ContainsFunc(out, func(o registeredCard) bool { return o.ID == c.ID }) {
			continue
		}
		taken := func(index int32) bool {
			return slices.ContainsFunc(out, func(o registeredCard) bool { return *o.Index == index })
		}
		if c.Index == nil || *c.Index < 0 || *c.Index >= ledger.MaxGPUs || taken(*c.Index) {
			place := int32(0)
			for taken(place) {
				place++
			}
			c.Index = &place
		}
		out = append(out, c)
	}
	return out
}

func readCard(fields []string) (c registeredCard, ok bool) {
	if len(fields) < 4 {
		return c, false
	}
	c.ID = fields[0]
	if mib, err := strconv.ParseInt(fields[2], 10, 64); err == nil && mib > 0 {
		c.Memory = mib
	}
	kind := fields[3]
	if digitsOnly(kind) && len(fields) > 4 {
		kind = fields[4]
	}
	c.Type = kind
	if len(fields) > 8 {
		if n, err := strconv.ParseInt(fields[7], 10, 32); err == nil {
			index := int32(n)
			c.Index, c.Mode = &index, fields[8]
		}
	}
	return c, true
}

// maxRegisters bounds what is remembered of nodes that come and go.
const maxRegisters = 1 << 20

// register reads what the scheduler's device plugin wrote into a node: which
// cards it has, in which order.
func (c *Converter) register(t *ledger.Telemetry, node string, annotations map[string]string, seen period.Second) {
	for _, key := range hamiRegister {
		for _, card := range readRegister(annotations[key]) {
			if card.Memory > 0 && len(c.devices) < maxRegisters {
				c.devices[card.ID] = card.Memory
			}
			model := card.Type
			if rest, ok := strings.CutPrefix(model, "NVIDIA-"); ok && strings.HasPrefix(rest, "NVIDIA ") || strings.HasPrefix(rest, "Tesla ") {
				model = rest // HAMi writes the maker before the driver's name
			}
			t.Devices = append(t.Devices, ledger.DeviceFact{
				Cluster: c.cluster, Node: node, UUID: card.ID, Index: *card.Index, Model: series.ModelName(model),
				InMIG: card.Mode == "mig", Registered: true, First: seen, Last: seen,
			})
		}
	}
}

const whole = 1_000_000 // ppm

// hami reads the devices of a pod. Cores of 0 are no limit: the share is that
// of its memory then.
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
				s := cardShare{device: cardID(fields[0]), core: -1, memory: -1}
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
