package kubernetes

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
)

// Schedulers that allocate parts of GPUs write a pod's card, and its share of it, into the pod.
const (
	// Aliyun gpushare: the card's index, its memory, the pod's memory.
	aliyunIndex, aliyunCard, aliyunPod = "ALIYUN_COM_GPU_MEM_IDX", "ALIYUN_COM_GPU_MEM_DEV", "ALIYUN_COM_GPU_MEM_POD"
	// Volcano gpushare: indices; the amount is in units that no annotation defines.
	volcanoIndex = "volcano.sh/gpu-index"
	// Tencent's gpu-manager: indices by the container's number.
	tencentIndex, tencentCores = "tencent.com/predicate-gpu-idx-", "tencent.com/vcuda-core"
	// Koordinator: JSON with minors and percents.
	koordinator = "scheduling.koordinator.sh/device-allocated"
	// Run:ai and the KAI scheduler: a fraction of each card. The card is the one of the group's
	// reservation pod; older releases write an index. A pod with several cards has, for the group
	// of each, a label with this prefix.
	kaiFraction, kaiMemory, kaiCards, kaiIndex = "gpu-fraction", "gpu-memory", "gpu-fraction-num-devices", "runai-gpu"
	kaiGroup, kaiGroups, kaiReserved           = "runai-gpu-group", "runai-gpu-group/", "run.ai/reserve_for_gpu_index"
)

// cardShare is a pod's share of one card, in ppm; -1 is unknown.
type cardShare struct {
	device       string // UUID, or "#" and the index
	core, memory int64
}

// shared adds the parts of cards in the pod's annotations to its placements and requests.
func (c *Converter) shared(t *ledger.Telemetry, f *ledger.WorkloadFact, p *corev1.Pod) {
	part, mib := fraction(p)
	cards, _ := strconv.ParseInt(p.Annotations[kaiCards], 10, 40)
	if part == 0 && mib == 0 || cards > ledger.MaxGPUs {
		cards = 0
	}
	for name, n := range map[string]int64{
		ledger.ResourceGPUFraction: part, ledger.ResourceGPUMemory: mib, ledger.ResourceGPUCards: cards,
	} {
		if n > 0 {
			f.Requests[name] = n
		}
	}
	shares := c.hami(p.Annotations)
	for _, read := range []func(*corev1.Pod) []cardShare{aliyun, volcano, tencent, koordinated} {
		if len(shares) == 0 {
			shares = read(p)
		}
	}
	t.Placements = append(t.Placements, c.placed(f, shares)...)
	t.Placements = append(t.Placements, c.groups.pod(c, f, p, part, part > 0 || mib > 0)...)
}

// placed are the placements of shares: one per card.
func (c *Converter) placed(f *ledger.WorkloadFact, shares []cardShare) []ledger.Placement {
	at := map[string]int{}
	var out []ledger.Placement
	for _, s := range shares {
		if i, twice := at[s.device]; twice { // a second container on the card
			out[i].CoreShare, out[i].MemoryShare = together(out[i].CoreShare, s.core), together(out[i].MemoryShare, s.memory)
			continue
		}
		at[s.device] = len(out)
		out = append(out, ledger.Placement{
			Cluster: c.cluster, Node: f.Node, Device: s.device, SliceID: ledger.WholeDevice, Workload: f.UID,
			Evidence: ledger.EvidenceAnnotation, CoreShare: s.core, MemoryShare: s.memory,
		})
	}
	return out
}

// together adds two shares of one device; if either is unknown, so is the sum.
func together(a, b int64) int64 {
	if a < 0 || b < 0 {
		return -1
	}
	return min(a+b, whole)
}

// indexed is a share of the card with an index; a scheduler that has not chosen yet writes -1.
func indexed(index string, core, memory int64) []cardShare {
	index = strings.TrimSpace(index)
	if !digitsOnly(index) {
		return nil
	}
	return []cardShare{{"#" + index, core, memory}}
}

func aliyun(p *corev1.Pod) []cardShare {
	card, err := strconv.ParseInt(p.Annotations[aliyunCard], 10, 40)
	pod, err2 := strconv.ParseInt(p.Annotations[aliyunPod], 10, 40)
	memory := int64(-1)
	if err == nil && err2 == nil && card > 0 && pod > 0 {
		memory = min(pod*whole/card, whole)
	}
	return indexed(p.Annotations[aliyunIndex], -1, memory)
}

func volcano(p *corev1.Pod) (out []cardShare) {
	for index := range strings.SplitSeq(p.Annotations[volcanoIndex], ",") {
		out = append(out, indexed(index, -1, -1)...)
	}
	return out
}

func tencent(p *corev1.Pod) (out []cardShare) {
	for i := range p.Spec.Containers {
		indices := strings.Split(p.Annotations[tencentIndex+strconv.Itoa(i)], ",")
		core := int64(-1)
		q, asked := p.Spec.Containers[i].Resources.Limits[tencentCores]
		if n := q.Value(); asked && n > 0 { // hundredths of a card, over all of them
			core = min(n*(whole/100)/int64(len(indices)), whole)
		}
		for _, index := range indices {
			out = append(out, indexed(index, core, -1)...)
		}
	}
	return out
}

func koordinated(p *corev1.Pod) (out []cardShare) {
	var devices struct {
		GPU []struct {
			Minor     *int                       `json:"minor"`
			Resources map[string]json.RawMessage `json:"resources"`
		} `json:"gpu"`
	}
	text := p.Annotations[koordinator]
	if text == "" || json.Unmarshal([]byte(text), &devices) != nil {
		return nil
	}
	for _, g := range devices.GPU {
		percent := func(name string) int64 {
			n, err := strconv.ParseInt(strings.Trim(string(g.Resources["koordinator.sh/"+name]), `"`), 10, 64)
			if err != nil || n < 1 || n > 100 {
				return -1
			}
			return n * (whole / 100)
		}
		if g.Minor != nil {
			out = append(out, indexed(strconv.Itoa(*g.Minor), percent("gpu-core"), percent("gpu-memory-ratio"))...)
		}
	}
	return out
}

// fraction is the share of each of its cards that a pod's annotation requests: a part, in ppm,
// or memory, in MiB; 0: none.
func fraction(p *corev1.Pod) (part, mib int64) {
	if text := strings.TrimSpace(p.Annotations[kaiFraction]); text != "" && len(text) < 20 &&
		strings.Trim(text, "0123456789.") == "" {
		if f, ok := new(big.Rat).SetString(text); ok && f.Sign() > 0 && f.Cmp(big.NewRat(1, 1)) <= 0 {
			ppm := new(big.Int).Quo(new(big.Int).Mul(f.Num(), big.NewInt(whole)), f.Denom())
			return max(ppm.Int64(), 1), 0
		}
	}
	if n, err := strconv.ParseInt(p.Annotations[kaiMemory], 10, 40); err == nil && n > 0 {
		return 0, n
	}
	return 0, 0
}

// groups links pods that share a card to the reservation pod that holds it for them. Both
// arrive in any order.
type groups struct {
	cards map[string]string                      // group → device
	pods  map[string]map[string]ledger.Placement // group → by UID, without the card
}

func newGroups() *groups {
	return &groups{cards: map[string]string{}, pods: map[string]map[string]ledger.Placement{}}
}

// forget drops a deleted pod.
func (g *groups) forget(uid string) {
	for name, pods := range g.pods {
		if delete(pods, uid); len(pods) == 0 {
			delete(g.pods, name)
		}
	}
}

// pod reads a pod that shares a card or reserves one, and emits its group's placements as far
// as known. A reservation pod holds nothing itself.
func (g *groups) pod(
	c *Converter, f *ledger.WorkloadFact, p *corev1.Pod, part int64, shares bool,
) (out []ledger.Placement) {
	if card := p.Annotations[kaiReserved]; card != "" {
		f.Node = ""
		group := p.Labels[kaiGroup]
		if group == "" {
			return nil
		}
		if device := kaiDevice(card); g.cards[group] != device {
			g.cards[group] = device
			for _, uid := range slices.Sorted(maps.Keys(g.pods[group])) {
				one := g.pods[group][uid]
				one.Device = device
				out = append(out, one)
			}
		}
		return out
	}
	if !shares {
		return nil
	}
	one := ledger.Placement{
		Cluster: c.cluster, Node: f.Node, Device: kaiDevice(p.Annotations[kaiIndex]),
		SliceID: ledger.WholeDevice, Workload: f.UID,
		Evidence: ledger.EvidenceAnnotation, CoreShare: -1, MemoryShare: -1,
	}
	if part > 0 {
		one.MemoryShare = part
	}
	of := groupsOf(p.Labels)
	if !terminal(p.Status.Phase) {
		for _, group := range of {
			if g.pods[group] == nil {
				g.pods[group] = map[string]ledger.Placement{}
			}
			g.pods[group][f.UID] = one
		}
	}
	if f.Node == "" {
		return nil
	}
	for _, group := range of {
		if device := g.cards[group]; device != "" {
			held := one
			held.Device = device
			out = append(out, held)
		}
	}
	if len(out) == 0 && one.Device != "" {
		out = append(out, one)
	}
	return out
}

// groupsOf are the groups of a pod, one for each of its cards.
func groupsOf(labels map[string]string) (names []string) {
	for key, name := range labels {
		if name != "" && (key == kaiGroup || strings.HasPrefix(key, kaiGroups)) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// kaiDevice is a card by UUID or index; empty if the text is neither.
func kaiDevice(text string) string {
	text = strings.TrimSpace(text)
	switch {
	case digitsOnly(text):
		return "#" + text
	case strings.HasPrefix(text, "GPU-"):
		return series.CardID(text)
	}
	return ""
}

// sharesCards reports whether annotations show that a pod has or requests a part of a card.
func sharesCards(p *corev1.Pod) bool {
	for _, key := range slices.Concat(hamiAllocated, []string{
		aliyunIndex, volcanoIndex, koordinator, kaiFraction, kaiMemory, kaiReserved,
	}) {
		if p.Annotations[key] != "" {
			return true
		}
	}
	return false
}

func digitsOnly(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
