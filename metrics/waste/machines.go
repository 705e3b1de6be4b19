package waste

import "gpuledger/internal/period"

// MachineFacts is what is known of a machine besides who held its GPUs.
type MachineFacts struct {
	Subject string // cluster/node
	Where   Where
	Life    period.Interval
	Others  []period.Interval // holds of pods that asked for no GPU
	Bare    bool              // taints are known, none is for GPUs, and others of the cluster have one
}

// Key names the machine.
func (m *MachineFacts) Key() Key { return Key{OfMachine, m.Subject} }

// Judge makes the findings of the machine.
func (m *MachineFacts) Judge(end period.Second) (out []Finding) {
	add := func(kind Kind, v period.Interval, numbers ...Number) {
		out = append(out, Finding{Kind: kind, Subject: m.Subject, Key: m.Key(), From: v.From, To: v.To, Open: reaches(v.To, end), Where: m.Where,
			Evidence: evidence(kind, numbers...)})
	}
	held := union(append([]period.Interval(nil), m.Others...), 0)
	for _, v := range union(append([]period.Interval(nil), held...), MarkGapSeconds) {
		n := int64(0)
		for _, h := range held {
			n += v.Intersect(h).Seconds()
		}
		if n >= PodSeconds {
			add(NonGPUPods, v, Number{"held", "seconds", n})
		}
	}
	if m.Bare {
		add(UntaintedGPUNode, m.Life)
	}
	return out
}
