package waste

import "gpuledger/internal/period"

// MachineFacts is the facts about a machine apart from the holders of its GPUs.
type MachineFacts struct {
	Subject string // cluster/node
	Where   Where
	Life    period.Interval
	Others  []OtherPod
	VCPU    int64       // of the machine; 0: unknown
	Memory  int64       // in bytes; 0: unknown
	Costs   []HourMoney // of the hours with other pods
	Bare    bool        // taints are known in the cluster, and the machine has none for GPUs
}

// Key identifies the machine.
func (m *MachineFacts) Key() Key { return Key{OfMachine, m.Subject} }

// Judge makes the findings of the machine.
func (m *MachineFacts) Judge(end period.Second) (out []Finding) {
	add := func(kind Kind, v period.Interval, met int64, cost Money, numbers ...Number) {
		out = append(out, Finding{Share: Share{Cost: cost}, Kind: kind, Subject: m.Subject, Key: m.Key(), From: v.From,
			To: v.To, Met: met, Open: reaches(v.To, end), Where: m.Where,
			Evidence: EvidenceOf(kind, numbers...)})
	}
	var all []period.Interval
	for _, p := range m.Others {
		all = append(all, p.Interval)
	}
	held := union(all, 0)
	for _, v := range union(append([]period.Interval(nil), held...), MarkGapSeconds) {
		n := int64(0)
		for _, h := range held {
			n += v.Intersect(h).Seconds()
		}
		if n >= PodSeconds {
			cost, numbers := m.others(v, n)
			add(NonGPUPods, v, n, cost, append([]Number{{"held", "seconds", n}}, numbers...)...)
		}
	}
	if m.Bare {
		cost, _ := m.others(m.Life, 0)
		add(UntaintedGPUNode, m.Life, m.Life.Seconds(), cost)
	}
	return out
}
