package allocation

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
)

// bare is a node without an exporter.
func bare(t *testing.T, model string, cards, replicas int) *story {
	s := newStory(t, cards)
	s.node.Devices = nil
	s.node.Node.GPUModel, s.node.Node.Replicas = model, replicas
	return s
}

// asks adds a pod that requested something and was never seen on a card.
func (s *story) asks(name, from, to, resource string, count int64) {
	s.pod(name, from, to, 0).Requests = map[string]int64{resource: count}
}

// A resource that represents a card, an instance or a core is held by the pods that request it even if no source shows
// it: it is never free.
func TestRequestsOfCardsThatNoSourceShows(t *testing.T) {
	for name, c := range map[string]struct {
		model    string
		cards    int
		replicas int
		asks     map[string]map[string]int64 // by pod
		want     string
	}{
		"AMD": {
			"Radeon Pro V520", 2, 1, map[string]map[string]int64{"a": {"amd_com_gpu": 1}}, "unobserved a 1 h $4\nfree - 1 h $4",
		},
		"Intel": {
			"Max 1100", 2, 1, map[string]map[string]int64{"a": {"gpu_intel_com_i915": 1}}, "unobserved a 1 h $4\nfree - 1 h $4",
		},
		"Gaudi": {"Gaudi", 2, 1, map[string]map[string]int64{"a": {"habana_ai_gaudi": 2}}, "unobserved a 2 h $8"},
		"TPU":   {"TPU v5e", 4, 1, map[string]map[string]int64{"a": {"google_com_tpu": 4}}, "unobserved a 4 h $8"},
		"AMD's eighths": {
			"MI300X", 1, 8, map[string]map[string]int64{"a": {"amd_com_gpu": 2}, "b": {"amd_com_cpx_nps4": 1}},
			"unobserved a 1/4 h $2\nunobserved b 1/8 h $1\nfree - 5/8 h $5",
		},
		"cores of Neuron, and devices": {"Trainium2", 2, 4,
			map[string]map[string]int64{"a": {"aws_amazon_com_neuroncore": 2}, "b": {"aws_amazon_com_neuron": 1}},
			"unobserved a 1/2 h $2\nunobserved b 1 h $4\nfree - 1/2 h $2"},
		"cores on a node that does not say how many": {
			"Trainium", 2, 1, map[string]map[string]int64{"a": {"aws_amazon_com_neuroncore": 3}}, "unobserved a 2 h $8",
		},
		"MIG, mixed": {"A100 40GB", 1, 1,
			map[string]map[string]int64{"a": {"nvidia_com_mig_1g_5gb": 2}, "b": {"nvidia_com_mig_3g_20gb": 1}},
			"unobserved a 2/7 h $2.285714285714\nunobserved b 1/2 h $4\nfree - 3/14 h $1.714285714286"},
		"MIG, suffixed": {"H100", 1, 1,
			map[string]map[string]int64{"a": {"nvidia_com_mig_1g_10gb_me": 1}, "b": {"nvidia_com_mig_1g_20gb_shared": 1}},
			"unobserved a 1/7 h $1.142857142857\nunobserved b 1/4 h $2\nfree - 17/28 h $4.857142857143"},
		"MIG beyond what a card holds goes to the next": {"A100 40GB", 2, 1,
			map[string]map[string]int64{"a": {"nvidia_com_mig_4g_20gb": 1}, "b": {"nvidia_com_mig_4g_20gb": 1}},
			"unobserved a 4/7 h $2.285714285714\nunobserved b 4/7 h $2.285714285714\nfree - 6/7 h $3.428571428572"},
		"compute instances of one instance": {"A100 40GB", 1, 1,
			map[string]map[string]int64{"a": {"nvidia_com_mig_1c_3g_20gb": 1}, "b": {"nvidia_com_mig_1c_3g_20gb": 2}},
			"unobserved a 1/6 h $1.333333333333\nunobserved b 1/3 h $2.666666666667\nfree - 1/2 h $4"},
	} {
		t.Run(name, func(t *testing.T) {
			s := bare(t, c.model, c.cards, c.replicas)
			for _, pod := range slices.Sorted(maps.Keys(c.asks)) {
				s.pod(pod, "9:00", "12:00", 0).Requests = c.asks[pod]
			}
			s.bill("10:00", 3600, "8")
			expect(t, account(s.allocate(), "10:00", "a", "b"), sorted(c.want))
		})
	}
}

// sorted puts unheld rows first, as account does.
func sorted(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// Under strategy single GPUs are instances of the profile in the label.
func TestInstancesThatAreOfferedAsGPUs(t *testing.T) {
	s := bare(t, "A100 40GB", 1, 1)
	s.node.Node.Labels = map[string]string{"nvidia_com_gpu_product": "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb"}
	s.asks("a", "9:00", "12:00", "nvidia_com_gpu", 1)
	s.asks("b", "9:00", "12:00", "nvidia_com_gpu", 2)
	s.bill("10:00", 3600, "7")
	expect(t, account(s.allocate(), "10:00", "a", "b"), "free - 4/7 h $4\nunobserved a 1/7 h $1\nunobserved b 2/7 h $2")
	s = newStory(t, 1)
	s.node.Node.Labels = map[string]string{"nvidia_com_gpu_product": "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb"}
	s.mig(0, 7, "1g.5gb", "9:00", "12:00", 50)
	s.node.Slices = []SliceSeen{{"GPU-0", 7, "1g.5gb", theDay, at("23:00")}}
	s.asks("a", "9:00", "12:00", "nvidia_com_gpu", 1)
	s.bill("10:00", 3600, "7")
	expect(t, account(s.allocate(), "10:00", "a"), "used a 1/7 h $1\nfree - 6/7 h $6")
}

// Names of profiles differ in attributes between exporters and resources.
func TestInstancesByOtherNames(t *testing.T) {
	for shown, asked := range map[string]string{
		"1g.5gb+me": "nvidia_com_mig_1g_5gb_me", "1g.5gb": "nvidia_com_mig_1g_5gb_me",
		"1g.5gb-me":  "nvidia_com_mig_1g_5gb_me_shared",
		"1g.5gb+gfx": "nvidia_com_mig_1g_5gb", "1g.5gb+me.all": "nvidia_com_mig_1g_5gb_me_all",
	} {
		s := newStory(t, 1)
		s.mig(0, 7, shown, "9:00", "12:00", 50)
		s.mig(0, 8, "2g.10gb", "9:00", "12:00", 50)
		s.node.Slices = []SliceSeen{{"GPU-0", 7, shown, theDay, at("23:00")}, {"GPU-0", 8, "2g.10gb", theDay, at("23:00")}}
		s.asks("a", "9:00", "12:00", asked, 1)
		s.bill("10:00", 3600, "7")
		if got := account(s.allocate(), "10:00", "a"); !slices.Contains(strings.Split(got, "\n"), "used a 1/7 h $1") {
			t.Errorf("%s asked of %s: %s", asked, shown, got)
		}
	}
}

// Requests that no card has room for are reported, not dropped: whole cards and instances exclude each other.
func TestInstancesWithoutRoom(t *testing.T) {
	s := bare(t, "A100 40GB", 1, 1)
	s.asks("a", "9:00", "12:00", "nvidia_com_gpu", 1)
	s.asks("b", "9:00", "12:00", "nvidia_com_mig_1g_5gb", 1)
	s.bill("10:00", 3600, "8")
	c := s.allocate()
	expect(t, account(c, "10:00", "a", "b"), "unobserved a 1 h $8")
	if !slices.ContainsFunc(c.Diagnostics, func(d Diagnostic) bool {
		return d.Code == "request_not_placed" && strings.Contains(d.Detail, "pod ns/b")
	}) {
		t.Errorf("%+v", c.Diagnostics)
	}
	if len(c.Usage) > 0 && c.Usage[0].SliceID != ledger.WholeDevice {
		t.Errorf("%+v", c.Usage[0])
	}
}
