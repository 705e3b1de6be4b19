package series

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// HAMi and similar schedulers (Volcano's vGPU) write a node's devices into an annotation:
//
//	hami.io/node-nvidia-register: GPU-a,10,32768,100,NVIDIA-Tesla V100,0,true:GPU-b,…:
//
// A device is (UUID, replicas, memory in MiB, cores in %, type, NUMA node, health, index,
// mode). Volcano omits the cores, older releases the index; newer ones register JSON.
// kube-state-metrics exposes it as a label of kube_node_annotations if configured
// (--metric-annotations-allowlist).

// Registers are the node annotations with such a register.
var Registers = []string{"hami.io/node-nvidia-register", "volcano.sh/node-vgpu-register", "4pd.io/node-nvidia-register"}

// annotationLabel is kube-state-metrics' label for an annotation.
func annotationLabel(key string) string {
	return "annotation_" + strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, key)
}

// RegisteredCard is a device in a node's register; RegisteredCards assigns the indexes.
type RegisteredCard struct {
	ID     string `json:"id"`
	Index  *int32 `json:"index"`
	Memory int64  `json:"devmem"` // MiB
	Type   string `json:"type"`
	Mode   string `json:"mode"`
}

// CardID is the UUID of a card from the name of one of its parts: its n-th replica (GPU-…::3,
// GPU-…-3) or an instance that HAMi creates (GPU-…[0-1]).
func CardID(s string) string {
	s = strings.TrimSpace(s)
	s, _, _ = strings.Cut(s, "::")
	s, _, _ = strings.Cut(s, "[")
	const uuid = len("GPU-00000000-0000-0000-0000-000000000000")
	if strings.HasPrefix(s, "GPU-") && len(s) > uuid+1 && (s[uuid] == '-' || s[uuid] == '_') && digits(s[uuid+1:]) {
		return s[:uuid]
	}
	return s
}

// RegisteredCards lists the cards of a register in their order, each once, however often it is
// registered for splitting. A card without an index gets the lowest free one.
func RegisteredCards(text string) []RegisteredCard {
	var list []RegisteredCard
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		if json.Unmarshal([]byte(text), &list) != nil {
			return nil // not a form that any release writes
		}
	} else {
		for one := range strings.SplitSeq(text, ":") {
			if c, ok := readCard(strings.Split(one, ",")); ok {
				list = append(list, c)
			}
		}
	}
	var out []RegisteredCard
	for _, c := range list {
		c.ID = CardID(c.ID)
		if c.ID == "" || slices.ContainsFunc(out, func(o RegisteredCard) bool { return o.ID == c.ID }) {
			continue
		}
		taken := func(index int32) bool {
			return slices.ContainsFunc(out, func(o RegisteredCard) bool { return *o.Index == index })
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

func readCard(fields []string) (c RegisteredCard, ok bool) {
	if len(fields) < 4 {
		return c, false
	}
	c.ID = fields[0]
	if mib, err := strconv.ParseInt(fields[2], 10, 64); err == nil && mib > 0 {
		c.Memory = mib
	}
	kind := fields[3]
	if digits(kind) && len(fields) > 4 {
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

// Fact is a card of a node that was registered from first to last.
func (c RegisteredCard) Fact(cluster, node string, first, last period.Second) ledger.DeviceFact {
	model := c.Type
	if rest, ok := strings.CutPrefix(model, "NVIDIA-"); ok && strings.HasPrefix(rest, "NVIDIA ") ||
		strings.HasPrefix(rest, "Tesla ") {
		model = rest // HAMi writes the maker before the driver's name
	}
	return ledger.DeviceFact{
		Cluster: cluster, Node: node, UUID: c.ID, Index: *c.Index, Model: ModelName(model),
		InMIG: c.Mode == "mig", Registered: true, First: first, Last: last,
	}
}
