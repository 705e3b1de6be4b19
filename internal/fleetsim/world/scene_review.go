package world

import "time"

// reviewed is how many days before Start all of a fleet with Review runs.
const reviewed = 9

// ChangeAt is when the last month of the data changes course: after an eighth of its days that have data.
func (w *World) ChangeAt() int64 {
	last := time.Unix(w.End, 0).UTC()
	month := max(w.From, time.Date(last.Year(), last.Month(), 1, 0, 0, 0, 0, time.UTC).Unix())
	return month + (w.End-month)/8/3600*3600
}

// review plays what a monthly review has to find: why one team's spend jumps, and a saving that somebody made.
func (b *builder) review() {
	b.r = NewRNG(b.Config.Seed, 90)
	b.retrain()
	b.evaluation()
}

// retrain is the jump. A new data loader feeds cards at a third of their speed, and Vision trains shelf-vit again with
// it, on more and larger machines than before: a run that dies for lack of memory, then runs to the end of the data.
func (b *builder) retrain() {
	r, at := b.r, b.ChangeAt()
	var places []place
	ready := at
	for range b.cells {
		n := b.newNode(nodeOpts{typ: b.Site.Training, pool: "p5-vision", at: at + r.Between(5, 200), team: Vision.Name})
		places = append(places, place{n, wholeSlots(n, 0, n.Type.GPUs)})
		ready = max(ready, n.Created)
	}
	how, work := tryOOM, (b.To-at)/6
	for t := ready + r.Between(200, 900); t < b.To; t += r.Between(300, 900) {
		g := &gangRun{
			team: Vision, name: b.runName("shelf-vit-retrain"), level: 3000,
			labels: teamLabels(Vision, "training", "shelf-vit"), checkpoint: r.Between(25, 40) * 60,
		}
		pods, _, end := b.try(g, places, t, work, how, nil)
		if end >= b.To {
			b.stay(pods)
		}
		b.book(pods)
		t, how, work = end, tryDone, work*2
	}
}

// evaluation is the saving. A notebook keeps four cards and uses them two hours a day, until somebody ends it and gives
// the machine back.
func (b *builder) evaluation() {
	r, until := b.r, b.ChangeAt()
	n := b.newNode(nodeOpts{
		typ: b.Site.Spot, pool: "g5-notebooks", at: b.World.From + r.Between(5, 200), team: Speech.Name,
	})
	p := &Pod{NS: Speech.NS, Name: Forgotten, Node: n, Container: "jupyter", Requests: gpus(4), RootKind: "Pod",
		RootName: Forgotten, Labels: teamLabels(Speech, "experiment", ""), Slots: wholeSlots(n, 0, 4), MemMiB: 8400,
		Created: n.Created + 300, Scheduled: n.Created + 305, Started: n.Created + 340}
	b.add(p)
	for at := p.Started + 60; at < until; at += 86400 {
		p.phases = append(p.phases, steady(at, min(until, at+2*3600), 5200)...)
	}
	b.finish(p, until, exitDeleted, "")
	b.book([]*Pod{p})
	b.endNode(n, until+r.Between(400, 900), false)
}

// Forgotten is the notebook that a fleet with Review ends at ChangeAt.
const Forgotten = "notebook-accent-eval"
