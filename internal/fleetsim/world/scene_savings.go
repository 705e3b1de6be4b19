package world

import "strconv"

// savings plays cases that the other scenes never show: work that could be interrupted on machines that never are,
// notebooks that could share a card, and MIG cards of which half would do. It has separate machines.
func (b *builder) savings() {
	b.r = NewRNG(b.Config.Seed, 71)
	n, pauses := b.interruptible()
	b.from = b.World.From // advice looks back four weeks
	b.steadyNotebooks()
	b.from = b.Begin
	b.sparseCards()
	b.lints()
	b.sweeps(n, pauses)
}

// interruptible is training with checkpoints on an on-demand machine of the type that others have as spot. Every day a
// job of the same name runs again; after each the machine is free for 20 minutes or more.
func (b *builder) interruptible() (n *Node, pauses []int64) {
	r := b.r
	n = b.newNode(nodeOpts{typ: b.Site.Spot, pool: "g5-training", at: b.from + r.Between(5, 200), team: Vision.Name})
	for t := n.Created + r.Between(200, 900); t < b.To; t += r.Between(20*60, 60*60) {
		g := &gangRun{
			team: Vision, name: "shelf-vit-again", level: 8600,
			labels: teamLabels(Vision, "training", "shelf-vit"), checkpoint: r.Between(25, 40) * 60,
		}
		pods, _, end := b.try(g, []place{{n, wholeSlots(n, 0, n.Type.GPUs)}}, t, r.Between(3*3600, 9*3600), tryDone, nil)
		if end >= b.To {
			b.stay(pods)
		}
		b.book(pods)
		t = end
		pauses = append(pauses, end)
	}
	return n, pauses
}

// steadyNotebooks are used all day, except for short breaks: at the same time they need more memory than one card has.
func (b *builder) steadyNotebooks() {
	r := b.r
	for i, who := range []Team{Research, Vision, Speech, Research} {
		n := b.newNode(nodeOpts{typ: b.Site.Bench, pool: "g6-notebooks", at: b.from + r.Between(5, 200), team: who.Name})
		begin := n.Created + r.Between(300, 1200)
		p := &Pod{NS: who.NS, Name: "notebook-steady-" + strconv.Itoa(i), Node: n, Container: "jupyter", Requests: gpus(1),
			Created: begin, Scheduled: begin + 5, Started: begin + 30,
			Slots: wholeSlots(n, 0, 1), MemMiB: r.Between(6700, 7100), RootKind: "Pod"}
		p.RootName, p.Labels = p.Name, teamLabels(who, "experiment", "")
		b.add(p)
		for at := p.Started + 60; at < b.To; at += 16*3600 + r.Between(150, 200)*60 { // in between it is idle
			p.phases = append(p.phases, steady(at, min(b.To, at+16*3600), r.Between(3500, 5200))...)
		}
		b.stay([]*Pod{p})
		b.book([]*Pod{p})
	}
}

// sparseCards are four cards in halves with one half held.
func (b *builder) sparseCards() {
	r := b.r
	n := b.newNode(nodeOpts{typ: b.Site.cut, pool: "p4d-halves", at: b.from + r.Between(5, 240), team: Ranking.Name})
	for _, d := range n.Devices[:4] {
		d.Layouts = []Layout{{b.from, layoutHalves}}
		from := n.Created + r.Between(400, 1200)
		p := b.replica(Ranking, "ranker-base-half", SlotRef{d, layoutHalves[0].ID}, from, b.To, sliceRequest(layoutHalves[0]))
		p.phases = steady(p.Started+120, b.To, r.Between(5500, 6500))
		b.stay([]*Pod{p})
		b.book([]*Pod{p})
	}
	b.stuckCards(n)
	n.Labels = append(n.Labels, Label{"label_nvidia_com_mig_strategy", "mixed"})
}
