package allocation

import (
	"testing"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
)

func allAlike(p *policy.Policy) { p.CardSharing = policy.EqualShares }

// HAMi gives one pod 30 %, another 50 %, and one of four replicas is claimed: if all holders count equally, given
// shares do not matter and no part stays unclaimed.
func TestAllHoldersAlike(t *testing.T) {
	s := newStory(t, 2)
	s.pod("a", "9:00", "12:00", 1)
	s.pod("b", "9:00", "10:30", 1)
	s.placed("a", 0, ledger.EvidenceAnnotation, 300_000, -1)
	s.placed("b", 0, ledger.EvidenceAnnotation, 500_000, -1)
	s.busy(0, "9:00", "12:00", 80)
	s.bill("10:00", 3600, "20")
	s.under(allAlike)
	c := s.allocate()
	expect(t, account(c, "10:00", "a", "b"), `
		used a 3/4 h $7.5
		used b 1/4 h $2.5
		free - 1 h $10`)
	if q := quality(c, ledger.Used); q != "estimated" {
		t.Errorf("activity of a shared card is %s", q)
	}
}

func TestReplicasAlike(t *testing.T) {
	s := newStory(t, 1)
	s.node.Node.Replicas = 4
	s.pod("a", "9:00", "12:00", 2, 0)
	s.pod("b", "9:00", "12:00", 1, 0)
	s.busy(0, "9:00", "12:00", 80)
	s.bill("10:00", 3600, "6")
	s.under(allAlike)
	c := s.allocate()
	expect(t, account(c, "10:00", "a", "b"), `
		used a 1/2 h $3
		used b 1/2 h $3`)
	for _, u := range c.Usage {
		if u.Hour == at("10:00") && (u.Method != "equal_share" || u.Quality != ledger.Estimated) {
			t.Errorf("%s, %s", u.Method, u.Quality)
		}
	}
}

// Two clients of CUDA's MPS server are replicas like any other: as requested, they have two and one of the card's four
// quarters.
func TestMPSClients(t *testing.T) {
	s := newStory(t, 1)
	s.node.Node.Replicas = 4 // nvidia.com/gpu.sharing-strategy=mps, nvidia.com/gpu.replicas=4
	s.pod("server", "9:00", "12:00", 2, 0)
	s.pod("batch", "9:00", "12:00", 1, 0)
	s.busy(0, "9:00", "12:00", 80)
	s.bill("10:00", 3600, "4")
	expect(t, account(s.allocate(), "10:00", "server", "batch"), `
		used server 1/2 h $2
		used batch 1/4 h $1
		free - 1/4 h $1`)
}
