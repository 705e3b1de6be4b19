package allocation

import (
	"math/big"
	"strings"
	"testing"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"

	"pgregory.net/rapid"
)

// p3 is a p3.16xlarge of the AWS documentation: 8 GPUs, 64 vCPUs, 488 GB. Its
// weights are 72 + 57.6 + 48.8 = 178.4.
func p3(t teller) *story {
	s := newStory(t, 8)
	s.node.Node.InstanceType, s.node.Node.ProviderID = "p3.16xlarge", "aws:///us-east-1a/i-1"
	s.under(func(p *policy.Policy) { p.Split = policy.AWSSplit })
	return s
}

// asks sets a pod's requests of the host.
func asks(w *HeldWorkload, milliCPU, bytes int64) *HeldWorkload {
	w.Requests[ledger.ResourceCPU], w.Requests[ledger.ResourceMemory] = milliCPU, bytes
	return w
}

const gib = 1 << 30

// At $178.40 a GPU costs $9, a vCPU $0.90, a GB $0.10 an hour. A holder of two GPUs pays $18 for them and $26.60 for a
// quarter of the machine around them.
func TestAWSSplitToHolders(t *testing.T) {
	s := p3(t)
	s.pod("a", "9:00", "12:00", 2, 0, 1)
	s.pod("b", "9:00", "12:00", 1, 2)
	for slot := range 3 {
		s.busy(slot, "9:00", "12:00", 50*int64(1-slot/2))
	}
	s.bill("10:00", 3600, "178.4")
	c := s.allocate()
	expect(t, account(c, "10:00", "a", "b"), `
		used a 2 h $18
		held_idle b 1 h $9
		free - 5 h $45
		host - 133/18 h $66.5
		host a 133/45 h $26.6
		host b 133/90 h $13.3`)
	var gpuHours, capacity money.Amount
	for i := range c.Postings {
		p := &c.Postings[i]
		if p.Hour != at("10:00") {
			continue
		}
		if p.Cause == ledger.Host {
			if p.GPUHours != nil || p.CapacityGPUHours != nil || p.ActiveGPUHours != nil || p.EnergyKWh != nil ||
				p.Method != "resource id, host_of_gpus" {
				t.Errorf("quantities ride on the GPUs: %+v", p)
			}
			continue
		}
		gpuHours, capacity = gpuHours.Add(*p.GPUHours), capacity.Add(*p.CapacityGPUHours)
	}
	if gpuHours.String() != "3" || capacity.String() != "8" {
		t.Errorf("%s of %s GPU-hours are held", gpuHours, capacity)
	}
	for _, u := range c.Usage {
		if u.Cause == ledger.Host &&
			(u.Seconds != 0 || !u.CapacityGPUHours.IsZero() || !u.ActiveGPUHours.IsZero() || u.EnergyKWh != nil ||
				u.Activity != ledger.ActivityUnknown) {
			t.Errorf("a host row has no quantity: %+v", u)
		}
	}
}

// The example as AWS prints it: $10 an hour, a GPU-hour $0.504.
func TestAWSExampleAtTenDollars(t *testing.T) {
	s := p3(t)
	s.pod("a", "9:00", "12:00", 1, 0)
	s.busy(0, "9:00", "12:00", 50)
	s.bill("10:00", 3600, "10")
	expect(t, account(s.allocate(), "10:00", "a"), `
		used a 1 h $0.504484304933
		free - 7 h $3.531390134531
		host - 931/90 h $5.218609865469
		host a 133/90 h $0.745515695067`)
}

// Pods pay for the CPU and memory that they request: one of them has no GPU. The unrequested part has no owner.
func TestAWSSplitToRequests(t *testing.T) {
	s := p3(t)
	s.under(func(p *policy.Policy) { p.HostTo = policy.HostToRequests })
	asks(s.pod("trainer", "9:00", "12:00", 2, 0, 1), 16_000, 128*gib)
	asks(s.pod("loader", "9:00", "10:30", 0), 8_000, 32*gib)
	s.busy(0, "9:00", "12:00", 50)
	s.busy(1, "9:00", "12:00", 50)
	s.bill("10:00", 3600, "178.4")
	c := s.allocate()
	// 14.4 + 12.8 for the trainer, half of 7.2 + 3.2 for half an hour.
	expect(t, account(c, "10:00", "trainer", "loader"), `
		used trainer 2 h $18
		free - 6 h $54
		host - 74/9 h $74
		host trainer 136/45 h $27.2
		host loader 26/45 h $5.2`)
	for _, u := range c.Usage {
		if u.Cause == ledger.Host && (u.Slot != none || u.SliceID != ledger.WholeDevice || u.Device != "") {
			t.Errorf("a host row by request is of no slot: %+v", u)
		}
	}
	for _, p := range c.Postings {
		if p.Cause == ledger.Host && p.WorkloadID.IsZero() && p.OwnerID != s.node.Node.OwnerID {
			t.Error("what nobody requests is the node's owner's")
		}
	}
}

// Requests of more than the machine has are scaled down to it.
func TestRequestsBeyondTheMachine(t *testing.T) {
	s := p3(t)
	s.under(func(p *policy.Policy) { p.HostTo = policy.HostToRequests })
	asks(s.pod("a", "9:00", "12:00", 0), 64_000, 488*gib)
	asks(s.pod("b", "9:00", "12:00", 0), 64_000, 488*gib)
	s.bill("10:00", 3600, "178.4")
	expect(t, account(s.allocate(), "10:00", "a", "b"), `
		free - 8 h $72
		host a 266/45 h $53.2
		host b 266/45 h $53.2`)
}

// If a pod served two attempts in the hour, its host cost is divided between them by time.
func TestHostOfAttempts(t *testing.T) {
	s := p3(t)
	s.under(func(p *policy.Policy) { p.HostTo = policy.HostToRequests })
	asks(s.pod("a", "9:00", "12:00", 1, 0), 40_000, 0).RunID = "r"
	s.attempt(1, "t", "9:00", "10:15", "a")
	s.attempt(2, "t", "10:15", "12:00", "a")
	s.busy(0, "9:00", "12:00", 50)
	s.bill("10:00", 3600, "178.4")
	cost := map[ledger.ID]string{}
	for _, p := range s.allocate().Postings {
		if p.Hour == at("10:00") && p.Cause == ledger.Host && p.RunID == "r" {
			cost[p.AttemptID] = p.Effective.String()
		}
	}
	first, second := s.node.Attempts[0].ID, s.node.Attempts[1].ID
	if cost[first] != "9" || cost[second] != "27" {
		t.Errorf("%v", cost)
	}
}

// A machine that is not in the catalogue has the size that its node reports; if no size is known, its cost stays with
// its GPUs, and a diagnostic reports that.
func TestTheHostOfAnUnknownMachine(t *testing.T) {
	s := newStory(t, 1)
	s.under(func(p *policy.Policy) { p.Split = policy.Split{GPU: 9000, CPU: 900} })
	s.pod("a", "9:00", "12:00", 1, 0)
	s.busy(0, "9:00", "12:00", 50)
	s.bill("10:00", 3600, "18")
	c := s.allocate()
	expect(t, account(c, "10:00", "a"), `used a 1 h $18`)
	if !hasDiagnostic(c, "host_size_unknown") {
		t.Error("that the machine's size is not known must be said")
	}
	s.node.Host = HostSize{VCPU: 10}
	expect(t, account(s.allocate(), "10:00", "a"), `
		used a 1 h $9
		host a 1 h $9`)
}

// An eighth of an L4 weighs an eighth of a GPU.
func TestTheHostOfAFractionOfAGPU(t *testing.T) {
	s := newStory(t, 1)
	s.node.Node.InstanceType, s.node.Node.ProviderID = "g6f.large", "aws:///us-east-1a/i-1"
	s.under(func(p *policy.Policy) { p.Split = policy.AWSSplit })
	s.pod("a", "9:00", "12:00", 1, 0)
	s.busy(0, "9:00", "12:00", 50)
	s.bill("10:00", 3600, "3.725") // 9 × ⅛ + 0.9 × 2 + 0.1 × 8
	expect(t, account(s.allocate(), "10:00", "a"), `
		used a 1 h $1.125
		host a 104/45 h $2.6`)
}

// A node with two models of card weighs each the same: the share of the host
// does not depend on which one is held.
func TestTheHostOfMixedCards(t *testing.T) {
	s := newStory(t, 2)
	s.node.Devices[1].Model = "NVIDIA L4"
	s.node.Host = HostSize{VCPU: 20}
	s.under(func(p *policy.Policy) { p.Split = policy.Split{GPU: 9000, CPU: 900} })
	s.pod("a", "9:00", "12:00", 1, 0)
	s.pod("b", "9:00", "12:00", 1, 1)
	s.busy(0, "9:00", "12:00", 50)
	s.busy(1, "9:00", "12:00", 50)
	s.bill("10:00", 3600, "36")
	expect(t, account(s.allocate(), "10:00", "a", "b"), `
		used a 1 h $9
		used b 1 h $9
		host a 1 h $9
		host b 1 h $9`)
}

// Seconds billed before the node appears have no owner, nor has the host's share of them.
func TestTheHostOfBilledTime(t *testing.T) {
	s := p3(t)
	s.node.Node.Life.From = at("10:30")
	s.bill("10:00", 3600, "178.4")
	expect(t, account(s.allocate(), "10:00"), `
		free - 4 h $36
		unavailable - 4 h $36
		host - 532/45 h $106.4`)
}

// Whatever the story, splitting off a host changes no quantity, and GPUs and host together cost as much as the GPUs
// without a split.
func TestTheHostIsPartOfTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyStory(t)
		s.policy.Split, s.node.Node.InstanceType = policy.GPUWhole, ""
		whole := s.allocate()
		s.node.Host = HostSize{
			VCPU: rapid.Int64Range(1, 200).Draw(t, "vcpu"), MemoryMiB: rapid.Int64Range(1, 3_000_000).Draw(t, "MiB"),
		}
		s.policy.Split = policy.Split{
			GPU: rapid.Int64Range(1, 10_000).Draw(t, "gpu"), CPU: rapid.Int64Range(0, 2_000).Draw(t, "cpu"),
			Memory: rapid.Int64Range(0, 300).Draw(t, "memory"),
		}
		s.policy.HostTo = rapid.SampledFrom([]policy.HostTo{policy.HostToHolders, policy.HostToRequests}).Draw(t, "to")
		for i := range s.node.Workloads {
			asks(&s.node.Workloads[i], rapid.Int64Range(-1, 50_000).Draw(t, "millicores"),
				rapid.Int64Range(-1, 100*gib).Draw(t, "bytes"))
		}
		split := s.allocate()

		var rows []ledger.Usage
		host := map[int64]*big.Rat{}
		for _, u := range split.Usage {
			if u.Cause != ledger.Host {
				rows = append(rows, u)
				continue
			}
			if host[int64(u.Hour)] == nil {
				host[int64(u.Hour)] = new(big.Rat)
			}
			host[int64(u.Hour)].Add(host[int64(u.Hour)], u.Weight)
		}
		if len(rows) != len(whole.Usage) {
			t.Fatalf("%d rows of GPUs, %d without a split", len(rows), len(whole.Usage))
		}
		gpus := map[int64]*big.Rat{}
		for i := range rows {
			a, b := &rows[i], &whole.Usage[i]
			if a.ID != b.ID || a.Weight.Cmp(b.Weight) != 0 || a.CapacityGPUHours.Cmp(b.CapacityGPUHours) != 0 ||
				a.ActiveGPUHours.Cmp(b.ActiveGPUHours) != 0 || a.Seconds != b.Seconds {
				t.Fatalf("%+v, without a split %+v", a, b)
			}
			if gpus[int64(a.Hour)] == nil {
				gpus[int64(a.Hour)] = new(big.Rat)
			}
			gpus[int64(a.Hour)].Add(gpus[int64(a.Hour)], a.Weight)
		}
		p := s.policy.Split
		ratio := big.NewRat(p.CPU*s.node.Host.VCPU*1024+p.Memory*s.node.Host.MemoryMiB, p.GPU*int64(s.node.Node.GPUs)*1024)
		for hour, weight := range gpus {
			want := new(big.Rat).Mul(weight, ratio)
			if got := host[hour]; want.Sign() != 0 && (got == nil || got.Cmp(want) != 0) {
				t.Fatalf("the host of an hour weighs %v, want %s", got, want)
			}
		}
		sums := func(c *Chunk) map[string]money.Amount {
			m := map[string]money.Amount{}
			for _, p := range c.Postings {
				for _, metric := range ledger.Metrics {
					if a := p.Get(metric); a != nil {
						key := p.PartID.String() + " " + string(metric)
						m[key] = m[key].Add(*a)
					}
				}
			}
			return m
		}
		want := sums(whole)
		for key, got := range sums(split) {
			if w := want[key]; got.Cmp(w) != 0 {
				t.Fatalf("%s: %s, without a split %s", key, got, w)
			}
			delete(want, key)
		}
		if len(want) > 0 {
			t.Fatalf("not posted: %v", strings.Join(keys(want), ", "))
		}
	})
}

func keys[V any](m map[string]V) (list []string) {
	for k := range m {
		list = append(list, k)
	}
	return list
}
