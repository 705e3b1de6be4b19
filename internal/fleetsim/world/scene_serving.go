package world

// sharedNode is a time-sliced g6 node: four replicas per card, with notebooks and small services together.
func (b *builder) sharedNode() {
	r := b.r
	if !b.divided() {
		n := b.newNode(nodeOpts{
			typ: b.Site.shared, pool: b.pool("g6-dev", "dev"), at: b.from + r.Between(5, 240), team: Platform.Name,
		})
		for _, d := range n.Devices {
			b.wholeCard(d, n.Created+r.Between(150, 900))
		}
		return
	}
	n := b.newNode(nodeOpts{
		typ: b.Site.shared, pool: b.pool("g6-shared", "shared"),
		replicas: 4, at: b.from + r.Between(5, 240), team: Platform.Name,
	})
	for i, d := range n.Devices {
		for lane := range 4 {
			t := n.Created + r.Between(150, 4000)
			for t < b.To {
				if r.Chance(30) || (i == 3 && r.Chance(50)) {
					t += r.Between(3600, 8*3600)
					continue
				}
				want := 1
				if lane == 0 && r.Chance(15) {
					want = 2
				}
				if lane == 1 && want == 1 && b.taken(d, t) > 3 {
					t += 3600
					continue
				}
				if r.Chance(25) {
					t = b.sharedService(d, t)
				} else {
					who := Pick(r, []Team{Research, Vision, Speech, sandbox, Ranking})
					t = b.notebook(SlotRef{d, WholeDevice}, who, t, t+r.Between(3600, 9*3600), want)
				}
				t += r.Between(300, 5000)
			}
		}
	}
}

// taken is the number of replicas of the card that are claimed at t.
func (b *builder) taken(d *Device, t int64) int {
	n := 0
	for _, o := range d.Occ[WholeDevice] {
		if o.From <= t && t < o.To {
			n += o.Pod.shared
		}
	}
	return n
}

func (b *builder) sharedService(d *Device, t int64) int64 {
	r := b.r
	who := Pick(r, []Team{Ranking, Vision, Speech})
	stop := t + r.Between(4*3600, 18*3600)
	p := b.replica(who, Pick(r, who.models)+"-dev", SlotRef{d, WholeDevice}, t, stop, []Request{
		{"cpu", 2}, {"nvidia_com_gpu_shared", 1},
	})
	p.shared = 1
	p.phases = b.traffic(p.Started+60, stop, r.Between(400, 1800))
	b.finish(p, stop, exitDeleted, "")
	b.book([]*Pod{p})
	return p.End
}

// serving is two g5 nodes behind vLLM deployments with daily traffic. In some cells one of the nodes dies without an
// event and is replaced.
func (b *builder) serving() {
	r := b.r
	for i := range 2 {
		who := []Team{Ranking, Speech, Foundation}[(b.cell+i)%3]
		n := b.newNode(nodeOpts{
			typ: b.Site.Serving, pool: b.pool("g5-serving", "serving"), at: b.from + r.Between(5, 240), team: Platform.Name,
		})
		if i == 0 && b.Config.Commitments && b.cell == 0 && b.Site.Provider == AWS {
			n.Reserved = Reservations[0].ARN
		}
		dep := "vllm-" + Pick(r, who.models)
		peak := r.Between(3500, 8500)
		t := n.Created + r.Between(90, 300)
		dies := int64(0)
		if i == 1 && r.Chance(70) && b.Site.Provider != Azure {
			dies = b.from + r.Between(4*3600, b.To-b.from-3*3600)
		}
		for t < b.To {
			stop := t + r.Between(10*3600, 40*3600) // rollouts
			if dies > t && dies < stop+1200 {
				stop = b.To + 9999
			}
			p := b.replica(who, dep, SlotRef{n.Devices[0], WholeDevice}, t, stop, gpus(1))
			p.ResetAt = p.Started + r.Between(2*3600, 60*3600)
			p.serveAs(dep[5:], b.servedName())
			p.PeakTokens, p.MemMiB = peak*40, 20600
			p.phases = b.traffic(p.Started+r.Between(90, 300), min(stop, b.To), peak)
			b.finish(p, stop, exitDeleted, "")
			if dies > t && p.End > dies {
				b.endNode(n, dies, true)
			}
			b.book([]*Pod{p})
			if n.End != 0 {
				n = b.newNode(nodeOpts{
					typ: b.Site.Serving, pool: b.pool("g5-serving", "serving"), at: dies + r.Between(400, 1500), team: Platform.Name,
				})
				t, dies = n.Created+r.Between(60, 200), 0
				continue
			}
			t = p.End + r.Between(260, 700)
		}
	}
}

// workbenches is two g6 nodes: one with a notebook that is left idle and a crash-looping service, one without profiling
// fields that runs batch jobs and an unscheduled process.
func (b *builder) workbenches() {
	r := b.r
	n := b.newNode(nodeOpts{
		typ: b.Site.Bench, pool: b.pool("g6-bench", "bench"), at: b.from + r.Between(5, 240), team: Research.Name,
	})
	if b.Config.Commitments && b.cell == 0 && b.Site.Provider == AWS {
		n.Reserved = Reservations[1].ARN
	}
	t := n.Created + r.Between(100, 900)
	at := SlotRef{n.Devices[0], WholeDevice}
	for crashed := false; t < b.To; {
		if r.Chance(25) || b.cell == 0 && !crashed && t > b.from+6*3600 {
			crashed = true
			t = b.crashLoop(at, t)
		} else {
			t = b.notebook(at, Pick(r, []Team{Research, sandbox}), t, t+r.Between(6*3600, 22*3600), 0)
		}
		t += r.Between(260, 4*3600)
	}

	n = b.newNode(nodeOpts{typ: b.Site.Bench, pool: b.pool("g6-batch", "bench-old"), at: b.from + r.Between(5, 240)})
	n.Profiling = b.cell%2 == 1
	at = SlotRef{n.Devices[0], WholeDevice}
	t = n.Created + r.Between(100, 900)
	night := b.from + 2*3600 + 600
	for t < b.To {
		if b.cell == 0 && t < night+3*3600 && t+4*3600 > night {
			t = b.nightly(at, max(t, night))
			night += 86400
			continue
		}
		switch k := r.Between(0, 99); {
		case k < 20:
			from := t + r.Between(600, 3000)
			d := r.Between(20*60, 100*60)
			at.dev.rogue = append(at.dev.rogue, Span{from, from + d})
			b.plant("rogue_process", n.Name, from, from+d)
			t = from + d + 300
		case k < 40:
			t += r.Between(1200, 9000)
		case k < 60 && b.cell == 0:
			t = b.indexed(at, t)
		default:
			t = b.job(Pick(r, []Team{Vision, Speech, Research}), Pick(r, []string{"batch", "evaluation"}), at, t,
				min(b.To+7200, t+5*3600), "")
		}
		t += r.Between(260, 1500)
	}
	from := b.from + r.Between(6*3600, b.To-b.from-9*3600)
	n.Cordoned = append(n.Cordoned, Span{from, from + r.Between(3600, 3*3600)})
}

// crashLoop is a service whose container never comes up.
func (b *builder) crashLoop(at SlotRef, t int64) int64 {
	r := b.r
	stop := t + r.Between(50*60, 150*60)
	p := b.replica(Research, "probe-api", at, t, stop, gpus(1))
	for at := p.Started + 20; at < stop; {
		d := r.Between(240, 310)
		p.Crash = append(p.Crash, Span{at, min(at+d, stop)})
		at += d + r.Between(20, 90)
	}
	b.plant("crash_loop", p.NS+"/"+p.Name, p.Started, stop)
	b.finish(p, stop, exitDeleted, "")
	b.book([]*Pod{p})
	return p.End
}

// nightly is a job that is recreated each night under the same name: a new run whenever the one before it succeeded.
func (b *builder) nightly(at SlotRef, t int64) int64 {
	if t >= b.To {
		return t
	}
	g := &gangRun{
		team: Speech, name: "nightly-tune", level: 8200, checkpoint: 1500,
		labels: teamLabels(Speech, "fine_tuning", "whisper-tuned"),
	}
	pods, _, end := b.try(g, []place{{at.dev.Node, []SlotRef{at}}}, t, b.r.Between(2400, 6000), tryDone, nil)
	b.book(pods)
	return end
}

// indexed is a Job of four completions, one at a time: not a gang, each a task.
func (b *builder) indexed(at SlotRef, t int64) int64 {
	r := b.r
	name := b.runName("shard-score")
	o := &Object{Kind: "Job", NS: Vision.NS, Name: name, Created: t, Completions: 4, Parallelism: 2}
	b.Objects = append(b.Objects, o)
	for i := range 4 {
		index := string(rune('0' + i))
		p := &Pod{NS: Vision.NS, Name: name + "-" + index + "-" + r.Word(5), Node: at.dev.Node, OwnerKind: "Job",
			OwnerName: name, RootKind: "Job", RootName: name,
			Container: "main", Requests: gpus(1), Created: t,
			Scheduled: t + r.Between(2, 20), Slots: []SlotRef{at}, Task: index, MemMiB: 9000}
		p.Started = p.Scheduled + r.Between(8, 30)
		p.Labels = append(teamLabels(Vision, "batch", ""), Label{"label_batch_kubernetes_io_job_name", name},
			Label{"label_batch_kubernetes_io_job_completion_index", index})
		b.add(p)
		stop := p.Started + r.Between(900, 3000)
		p.phases = []phase{{Span{p.Started + 60, stop}, 8600, 600}}
		b.finish(p, stop+r.Between(62, 100), ExitSucceeded, "Completed")
		b.book([]*Pod{p})
		o.Removed = p.Removed
		if t = p.End + r.Between(130, 200); t >= b.To {
			break
		}
	}
	return t
}

// neverJoined is a machine that was bought and never became a node.
func (b *builder) neverJoined() {
	r := b.r
	at := b.from + r.Between(6, 15)*3600 + r.Between(0, 3000)
	n := b.newNode(nodeOpts{typ: b.Site.Spot, pool: "stray", at: at, team: Ranking.Name})
	n.Joined, n.End = false, min(at+r.Between(3, 9)*3600+r.Between(0, 3000), b.BillTo-3600)
	b.Pods = b.Pods[:len(b.Pods)-1] // no exporter runs there
	n.exporterPod = nil
	b.plant("never_joined", n.InstanceID, n.Launch, n.End)
}

// trouble plants episodes of not-ready, cordon and exporter silence.
func (b *builder) trouble() {
	r := b.r
	// One batch job runs entirely while its exporter is silent: only its request shows where.
	for _, p := range b.Pods {
		if p.RootKind == "Job" && len(p.Slots) == 1 && p.Slots[0].slice == WholeDevice && p.End-p.Scheduled < 2*3600 &&
			p.Exit == ExitSucceeded {
			p.Node.ExpGaps = append(p.Node.ExpGaps, Span{p.Scheduled - 90, p.End + 90})
			break
		}
	}
	for _, n := range b.Nodes {
		if !n.Joined {
			continue
		}
		life := n.Until(b.World) - n.Created
		if life < 7200 {
			continue
		}
		moment := func() int64 { return n.Created + r.Between(1800, life-1800) }
		if r.Chance(35) {
			from := moment()
			n.NotReady = append(n.NotReady, Span{from, from + r.Between(150, 20*60)})
		}
		for range r.Between(0, 1+life/86400) {
			from := moment()
			d := r.Between(120, 15*60)
			if r.Chance(20) {
				d = r.Between(40*60, 100*60)
			}
			n.ExpGaps = append(n.ExpGaps, Span{from, from + d})
		}
		if r.Chance(15) {
			from := moment()
			n.Cordoned = append(n.Cordoned, Span{from, from + r.Between(1800, 9000)})
		}
	}
}

// officeHours is a node whose only service is there by day and scaled to zero
// at night, behind a router in the same pod that counts its requests, too.
func (b *builder) officeHours() {
	b.r = NewRNG(b.Config.Seed, 80)
	r := b.r
	n := b.newNode(nodeOpts{typ: b.Site.Serving, pool: "g5-chat", at: b.from + r.Between(5, 240), team: Platform.Name})
	for day := b.from; day < b.To; day += 86400 {
		from := max(n.Created+r.Between(90, 300), day+6*3600-r.Between(0, 1200))
		stop := day + 22*3600 - r.Between(0, 1800)
		if from >= b.To {
			return
		}
		peak := r.Between(2500, 6000)
		p := b.replica(Foundation, "chat-assist", SlotRef{n.Devices[0], WholeDevice}, from, stop, gpus(1))
		p.serveAs("chat-assist", servedNames[0])
		p.Routed, p.PeakTokens, p.MemMiB = true, peak*40, 20600
		p.phases = b.traffic(p.Started+r.Between(90, 300), min(stop, b.To), peak)
		b.finish(p, stop, exitDeleted, "")
		b.book([]*Pod{p})
	}
}
