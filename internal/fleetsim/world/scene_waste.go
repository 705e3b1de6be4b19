package world

import "strconv"

// lab is a machine of a department that ignores its costs, next to two forgotten ones. In every two days each kind of
// waste that one machine can show happens here on purpose, next to a case that stays just below the limit. Cards are
// lanes; times are hours since the start of the two days.
type lab struct {
	*builder
	n    *Node
	base int64
}

// wasteLab plays one lab for every five cells of a site that has the machine.
func (b *builder) wasteLab() {
	b.r = NewRNG(b.Config.Seed, 70, uint64(b.cell))
	n := b.newNode(nodeOpts{typ: b.Site.cut, pool: "p4d-lab", at: b.from + b.r.Between(5, 240), team: Research.Name})
	for base := b.from; base < b.To; base += 48 * 3600 {
		l := &lab{b, n, base}
		l.services()
		l.gangs()
		l.placeholders()
		l.jobs()
		l.people()
		l.hotCard()
		l.waiting()
		l.spares()
	}
}

// at is the instant that many hundredths of an hour into the story, ± two minutes.
func (l *lab) at(hundredths int64) int64 {
	return max(l.base+hundredths*36+l.r.Between(0, 120), l.n.Created+l.r.Between(60, 400))
}

func (l *lab) cards(from, count int) []SlotRef { return wholeSlots(l.n, from, count) }

// steady is one level of activity, with a little noise.
func steady(from, to, level int64) []phase { return []phase{{Span{from, to}, level, 250}} }

// jobPod is a Job of one pod on some cards for a time.
func (l *lab) jobPod(who Team, name string, slots []SlotRef, from, to, memMiB int64, how Exit) *Pod {
	name = l.runName(name)
	o := &Object{Kind: "Job", NS: who.NS, Name: name, Created: from, Completions: 1, Parallelism: 1}
	l.Objects = append(l.Objects, o)
	p := &Pod{NS: who.NS, Name: name + "-" + l.r.Word(5), Node: l.n, OwnerKind: "Job", OwnerName: name, RootKind: "Job",
		RootName: name, Container: "main",
		Requests: gpus(int64(len(slots))), Created: from, Scheduled: from + l.r.Between(2, 20),
		Slots: slots, Task: "0", MemMiB: memMiB, load: &loadOrdinary}
	p.Started = p.Scheduled + l.r.Between(8, 40)
	p.Labels = append(teamLabels(who, "batch", ""), Label{"label_batch_kubernetes_io_job_name", name})
	l.add(p)
	l.finish(p, to, how, "Completed")
	if how == exitDeleted {
		p.Reason = ""
	}
	o.Removed = p.Removed
	l.book([]*Pod{p})
	return p
}

// trainingPod is a PyTorchJob of one pod.
func (l *lab) trainingPod(who Team, slots []SlotRef, from, to, level int64, use *Load, checkpoint int64) *Pod {
	name := l.runName(who.models[0] + "-lab")
	p := &Pod{NS: who.NS, Name: name + "-master-0", Node: l.n, OwnerKind: "PyTorchJob", OwnerName: name,
		RootKind: "PyTorchJob", RootName: name,
		Container: "pytorch", Requests: gpus(int64(len(slots))), Created: from,
		Scheduled: from + l.r.Between(2, 30), Slots: slots, Member: "master/0",
		MemMiB: l.n.Type.MemMiB * 80 / 100, load: use}
	p.Started = p.Scheduled + l.r.Between(20, 60)
	p.Labels = append(teamLabels(who, "training", who.models[0]), Label{"label_training_kubeflow_org_job_name", name},
		Label{"label_training_kubeflow_org_replica_type", "master"}, Label{"label_training_kubeflow_org_replica_index", "0"})
	l.add(p)
	begin := p.Started + l.r.Between(120, 400)
	p.phases = steady(begin, to-80, level)
	for t := begin + checkpoint; checkpoint > 0 && t < to-80; t += checkpoint {
		p.Checkpoints = append(p.Checkpoints, t)
	}
	l.finish(p, to, ExitSucceeded, "Completed")
	l.book([]*Pod{p})
	return p
}

// service is a Deployment with a replica on each of some cards.
func (l *lab) service(who Team, name string, first, count int, from, to, level int64) {
	for i := range count {
		p := l.replica(who, name, SlotRef{l.n.Devices[first+i], WholeDevice}, from+int64(i), to, gpus(1))
		p.MemMiB = 19_500
		if level > 0 {
			p.phases = steady(p.Started+l.r.Between(60, 200), to, level)
		}
		l.finish(p, to, exitDeleted, "")
		l.book([]*Pod{p})
	}
}

// services: two replicas where one would do, on cards for training; and two that are both needed.
func (l *lab) services() {
	l.service(Ranking, "ranker-base-online", 0, 2, l.at(30), l.at(3990), l.r.Between(1150, 1600))
	l.service(Speech, "diarize-online", 2, 2, l.at(30), l.at(2480), l.r.Between(3700, 4100))
}

// gangs wait for each other over the links, or nearly so.
func (l *lab) gangs() {
	l.trainingPod(Foundation, l.cards(2, 2), l.at(2560), l.at(3100), 9100, &loadLinks, 2400)
	l.trainingPod(Foundation, l.cards(2, 2), l.at(3120), l.at(3590), 9100, &loadNearLinks, 2400)
}

// placeholders reserve a card for later: empty, not quite empty, not for long.
func (l *lab) placeholders() {
	hold := func(name string, from, to, memMiB int64) {
		p := &Pod{NS: Research.NS, Name: name + "-" + strconv.FormatInt(l.r.Between(1000, 99999), 10), Node: l.n,
			Container: "pause", Requests: gpus(1),
			Created: from, Scheduled: from + l.r.Between(1, 15), Slots: l.cards(4, 1), MemMiB: memMiB, RootKind: "Pod"}
		p.RootName, p.Started = p.Name, p.Scheduled+l.r.Between(5, 20)
		l.add(p)
		l.finish(p, to, exitDeleted, "")
		l.book([]*Pod{p})
	}
	hold("keep-my-gpu", l.at(90), l.at(880), l.r.Between(0, 700))
	hold("warm-cache", l.at(920), l.at(1500), l.r.Between(1500, 3000))
	l.jobPod(Vision, "reserve", l.cards(4, 1), l.at(1550), l.at(2130), l.r.Between(0, 700), exitDeleted)
	hold("keep-my-gpu", l.at(2200), l.at(2560), l.r.Between(0, 700))
	full := l.jobPod(Vision, "embed-all", l.cards(4, 1), l.at(2700), l.at(3480), l.n.Type.MemMiB*993/1000, ExitSucceeded)
	full.phases = steady(full.Started+90, full.End-80, 8600)
}

// jobs: some crash and stay, some come too early, some wait for memory.
func (l *lab) jobs() {
	crashed := func(from, works, stays int64) {
		begin := l.at(from)
		p := l.jobPod(Vision, "shelf-score", l.cards(5, 1), begin, begin+works+stays, 6200, exitDeleted)
		p.phases = steady(p.Started+60, begin+works, 8300)
	}
	early := func(from, waits, works int64) {
		begin := l.at(from)
		p := l.jobPod(Speech, "bulk-transcribe", l.cards(5, 1), begin, begin+waits+works, 7100, ExitSucceeded)
		p.phases = steady(min(p.End, p.Scheduled+waits), p.End-80, 8000)
	}
	crashed(90, 3*3600, l.r.Between(75, 150)*60)
	crashed(700, 2*3600, l.r.Between(48, 55)*60)
	early(1100, l.r.Between(45, 85)*60, 2*3600)
	early(1500, l.r.Between(20, 26)*60, 2*3600)
	l.service(Vision, "ocr-small-next", 5, 1, l.at(1850), l.at(2150), 0) // it gets no requests
	for i, use := range []*Load{&loadMemory, &loadNearMemory} {
		from, to := l.at([]int64{2300, 2850}[i]), l.at([]int64{2800, 3690}[i])
		p := l.jobPod(Research, "graph-walk", l.cards(5, 1), from, to, 30_000, ExitSucceeded)
		p.phases, p.load = steady(p.Started+90, p.End-80, 9000), use
	}
}

// people: they forget notebooks, feed cards too slowly, and train without checkpoints.
func (l *lab) people() {
	forget := func(from, idle int64) {
		begin := l.at(from)
		p := &Pod{NS: Speech.NS, Name: "notebook-ivo-" + strconv.FormatInt(l.r.Between(1000, 99999), 10), Node: l.n,
			Container: "jupyter", Requests: gpus(1),
			Created: begin, Scheduled: begin + 5, Started: begin + 30, Slots: l.cards(6, 1), MemMiB: 5200, RootKind: "Pod"}
		p.RootName, p.Labels = p.Name, []Label{{"label_owner_team", Speech.Name}, {"label_stage", "experiment"}}
		l.add(p)
		p.phases = append(steady(begin+120, begin+3600, 5200), steady(begin+3600+idle, begin+5400+idle, 4700)...)
		l.finish(p, begin+5460+idle, exitDeleted, "")
		l.book([]*Pod{p})
	}
	forget(80, l.r.Between(150, 200)*60)
	forget(700, l.r.Between(104, 114)*60)
	starve := func(from, to, cpu int64) {
		begin, end := l.at(from), l.at(to)
		p := l.jobPod(Vision, "augment", l.cards(6, 1), begin, end, 11_000, ExitSucceeded)
		p.phases = steady(p.Started+60, p.End-80, l.r.Between(2700, 3600))
		l.n.CPUFull = append(l.n.CPUFull, CPUStretch{Span{begin - 600, end + 600}, cpu})
	}
	starve(1110, 1690, 9650)
	starve(1710, 1930, 9650) // too short
	starve(2000, 2520, 8400) // some CPU is left
	l.trainingPod(Research, l.cards(6, 1), l.at(2600), l.at(3120), 8800, &loadOrdinary, 0)
	nearlyFull := l.jobPod(Vision, "embed-all", l.cards(6, 1), l.at(3160), l.at(3790), l.n.Type.MemMiB*945/1000,
		ExitSucceeded)
	nearlyFull.phases = steady(nearlyFull.Started+90, nearlyFull.End-80, 8600)
}

// hotCard throttles and reports errors, sometimes while the card is free.
func (l *lab) hotCard() {
	d := l.n.Devices[7]
	l.trainingPod(Speech, l.cards(7, 1), l.at(90), l.at(1190), 9000, &loadOrdinary, 1800)
	l.trainingPod(Speech, l.cards(7, 1), l.at(1900), l.at(2690), 9000, &loadOrdinary, 1800)
	// keeps its card busier than a smaller one should be
	l.service(Vision, "shelf-vit-online", 7, 1, l.at(3130), l.at(3890), 3900)
	d.Throttled = append(d.Throttled,
		Throttling{Span{l.at(200), l.at(900)}, l.r.Between(220, 500), l.r.Chance(50)},
		Throttling{Span{l.at(2000), l.at(2600)}, l.r.Between(50, 80), false})
	d.Faults = append(d.Faults, Fault{Span{l.at(1010), l.at(1090)}, 79}, Fault{Span{l.at(2810), l.at(2900)}, 31})
}

// waiting is a job for the whole machine, which waits until the last one is
// gone while more and more cards lie free.
func (l *lab) waiting() {
	asked := l.at(3400)
	p := l.trainingPod(Foundation, l.cards(0, 8), l.at(4060), l.at(4700), 9300, &loadOrdinary, 2400)
	p.Created = asked
}

// spares are two small unused machines: one for long enough.
func (l *lab) spares() {
	for _, hours := range []int64{l.r.Between(27, 40), l.r.Between(19, 22)} {
		n := l.newNode(nodeOpts{typ: l.Site.Bench, pool: "g6-spare", at: l.base + l.r.Between(5, 4000), team: Platform.Name})
		if end := n.Created + hours*3600; end < l.To {
			l.endNode(n, end, false)
		}
	}
}

// developCard makes one MIG card a playground: every pod with a slice is labelled as development.
func (b *builder) developCard() {
	for _, n := range b.Nodes {
		if n.Type.Name != b.Site.cut || len(n.Devices) < 6 || n.Devices[5].Layouts == nil {
			continue
		}
		for _, list := range n.Devices[5].Occ {
			for _, o := range list {
				o.Pod.Labels = append(dropLabel(o.Pod.Labels, "label_environment"), Label{"label_environment", "development"})
			}
		}
	}
}

// GCPEnvironment is the environment label of the Google project.
const GCPEnvironment = "prod"

// Environment is the machine's environment in its billing tag.
func (n *Node) Environment() string {
	switch n.Pool {
	case "g6-shared", "g6-dev", "g6-bench", "p4d-lab":
		return "dev"
	}
	return "prod"
}

func dropLabel(list []Label, key string) []Label {
	var out []Label
	for _, l := range list {
		if l.Key != key {
			out = append(out, l)
		}
	}
	return out
}
