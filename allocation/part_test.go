package allocation

import (
	"testing"

	"gpuledger/internal/ledger"
)

// A pod that requests a part of a card has the card that its annotation or an exporter names, and otherwise nothing: it
// gets no whole card that happens to be free.
func TestPartsOfCards(t *testing.T) {
	s := newStory(t, 2)
	part := func(name string, requests map[string]int64) { s.pod(name, "9:00", "12:00", 0).Requests = requests }
	part("placed", map[string]int64{"nvidia_com_gpu": 1, "nvidia_com_gpumem": 4000})
	s.placed("placed", 0, ledger.EvidenceAnnotation, -1, 250_000, "9:00", "12:00")
	part("named", map[string]int64{ledger.ResourceGPUFraction: 500_000})
	s.named("named", 0, ledger.WholeDevice, "9:00", "12:00")
	part("unknown", map[string]int64{"nvidia_com_gpu": 1, "nvidia_com_gpucores": 30})
	part("memory", map[string]int64{ledger.ResourceGPUMemory: 4096})
	s.busy(0, "9:00", "12:00", 80)
	s.bill("10:00", 3600, "16")
	c := s.allocate()
	expect(t, account(c, "10:00", "placed", "named", "unknown", "memory"), `
		used placed 1/4 h $2
		used named 1/2 h $4
		free - 5/4 h $10`)
	missing := 0
	for _, d := range c.Diagnostics {
		if d.Code == "request_not_placed" {
			missing++
		}
	}
	if missing != 2 {
		t.Errorf("%d pods are said to be without a card: %+v", missing, c.Diagnostics)
	}
}

// A card of which only its MIG mode is known is not given away whole.
func TestCardInMIGModeIsNotTakenWhole(t *testing.T) {
	s := newStory(t, 2)
	for i := range s.node.Devices {
		s.node.Devices[i].InMIG = s.node.Devices[i].Index == 0
	}
	s.pod("a", "9:00", "12:00", 1)
	s.pod("b", "9:30", "12:00", 1)
	s.bill("10:00", 3600, "16")
	c := s.allocate()
	expect(t, account(c, "10:00", "a", "b"), `
		free - 1 h $8
		unobserved a 1 h $8`)
	if !hasDiagnostic(c, "request_not_placed") {
		t.Error("b has no card")
	}
}
