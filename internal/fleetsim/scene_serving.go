package fleetsim

// sharedNode is a time-sliced g6 node: four replicas per card, notebooks and
// small services beside each other.
func (b *builder) sharedNode() {
	r := b.r
	if !b.divided() {
		n := b.newNode(nodeOpts{typ: b.site.shared, pool: b.pool("g6-dev", "dev"), at: b.from + r.between(5, 240), team: platform.name})
		for _, d := range n.devices {
			b.wholeCard(d, n.created+r.between(150, 900))
		}
		return
	}
	n := b.newNode(nodeOpts{typ: b.site.shared, pool: b.pool("g6-shared", "shared"), replicas: 4, at: b.from + r.between(5, 240), team: platform.name})
	for i, d := range n.devices {
		for lane := range 4 {
			t := n.created + r.between(150, 4000)
			for t < b.to {
				if r.chance(30) || (i == 3 && r.chance(50)) {
					t += r.between(3600, 8*3600)
					continue
				}
				want := 1
				if lane == 0 && r.chance(15) {
					want = 2
				}
				if lane == 1 && want == 1 && b.taken(d, t) > 3 {
					t += 3600
					continue
				}
				if r.chance(25) {
					t = b.sharedService(d, t)
				} else {
					who := pick(r, []team{research, vision, speech, sandbox, ranking})
					t = b.notebook(slotRef{d, wholeDevice}, who, t, t+r.between(3600, 9*3600), want)
				}
				t += r.between(300, 5000)
			}
		}
	}
}

// taken is the number of replicas of the card that are claimed at t.
func (b *builder) taken(d *device, t int64) int {
	n := 0
	for _, o := range d.occ[wholeDevice] {
		if o.from <= t && t < o.to {
			n += o.pod.shared
		}
	}
	return n
}

func (b *builder) sharedService(d *device, t int64) int64 {
	r := b.r
	who := pick(r, []team{ranking, vision, speech})
	stop := t + r.between(4*3600, 18*3600)
	p := b.replica(who, pick(r, who.models)+"-dev", slotRef{d, wholeDevice}, t, stop, []request{{"cpu", 2}, {"nvidia_com_gpu_shared", 1}})
	p.shared = 1
	p.phases = b.traffic(p.started+60, stop, r.between(400, 1800))
	b.finish(p, stop, exitDeleted, "")
	b.book([]*pod{p})
	return p.end
}

// serving is two g5 nodes behind vLLM deployments with daily traffic. One of
// the nodes dies without a word in some cells and is replaced.
func (b *builder) serving() {
	r := b.r
	for i := range 2 {
		who := []team{ranking, speech, foundation}[(b.cell+i)%3]
		n := b.newNode(nodeOpts{typ: b.site.serving, pool: b.pool("g5-serving", "serving"), at: b.from + r.between(5, 240), team: platform.name})
		if i == 0 && b.cfg.Commitments && b.cell == 0 && b.site.provider == aws {
			n.reserved = reservations[0].arn
		}
		dep := "vllm-" + pick(r, who.models)
		peak := r.between(3500, 8500)
		t := n.created + r.between(90, 300)
		dies := int64(0)
		if i == 1 && r.chance(70) && b.site.provider != azure {
			dies = b.from + r.between(4*3600, b.to-b.from-3*3600)
		}
		for t < b.to {
			stop := t + r.between(10*3600, 40*3600) // rollouts
			if dies > t && dies < stop+1200 {
				stop = b.to + 9999
			}
			p := b.replica(who, dep, slotRef{n.devices[0], wholeDevice}, t, stop, gpus(1))
			p.resetAt = p.started + r.between(2*3600, 60*3600)
			p.serveAs(dep[5:], b.servedName())
			p.peakTokens, p.memMiB = peak*40, 20600
			p.phases = b.traffic(p.started+r.between(90, 300), min(stop, b.to), peak)
			b.finish(p, stop, exitDeleted, "")
			if dies > t && p.end > dies {
				b.endNode(n, dies, true)
			}
			b.book([]*pod{p})
			if n.end != 0 {
				n = b.newNode(nodeOpts{typ: b.site.serving, pool: b.pool("g5-serving", "serving"), at: dies + r.between(400, 1500), team: platform.name})
				t, dies = n.created+r.between(60, 200), 0
				continue
			}
			t = p.end + r.between(260, 700)
		}
	}
}

// workbenches is two g6 nodes: one with a notebook that is left idle and a
// crash-looping service, one without profiling fields that runs batch jobs and
// a process nobody scheduled.
func (b *builder) workbenches() {
	r := b.r
	n := b.newNode(nodeOpts{typ: b.site.bench, pool: b.pool("g6-bench", "bench"), at: b.from + r.between(5, 240), team: research.name})
	if b.cfg.Commitments && b.cell == 0 && b.site.provider == aws {
		n.reserved = reservations[1].arn
	}
	t := n.created + r.between(100, 900)
	at := slotRef{n.devices[0], wholeDevice}
	for crashed := false; t < b.to; {
		if r.chance(25) || b.cell == 0 && !crashed && t > b.from+6*3600 {
			crashed = true
			t = b.crashLoop(at, t)
		} else {
			t = b.notebook(at, pick(r, []team{research, sandbox}), t, t+r.between(6*3600, 22*3600), 0)
		}
		t += r.between(260, 4*3600)
	}

	n = b.newNode(nodeOpts{typ: b.site.bench, pool: b.pool("g6-batch", "bench-old"), at: b.from + r.between(5, 240)})
	n.profiling = b.cell%2 == 1
	at = slotRef{n.devices[0], wholeDevice}
	t = n.created + r.between(100, 900)
	night := b.from + 2*3600 + 600
	for t < b.to {
		if b.cell == 0 && t < night+3*3600 && t+4*3600 > night {
			t = b.nightly(at, max(t, night))
			night += 86400
			continue
		}
		switch k := r.between(0, 99); {
		case k < 20:
			from := t + r.between(600, 3000)
			d := r.between(20*60, 100*60)
			at.dev.rogue = append(at.dev.rogue, span{from, from + d})
			b.plant("rogue_process", n.name, from, from+d)
			t = from + d + 300
		case k < 40:
			t += r.between(1200, 9000)
		case k < 60 && b.cell == 0:
			t = b.indexed(at, t)
		default:
			t = b.job(pick(r, []team{vision, speech, research}), pick(r, []string{"batch", "evaluation"}), at, t, min(b.to+7200, t+5*3600), "")
		}
		t += r.between(260, 1500)
	}
	from := b.from + r.between(6*3600, b.to-b.from-9*3600)
	n.cordoned = append(n.cordoned, span{from, from + r.between(3600, 3*3600)})
}

// crashLoop is a service whose container never comes up.
func (b *builder) crashLoop(at slotRef, t int64) int64 {
	r := b.r
	stop := t + r.between(50*60, 150*60)
	p := b.replica(research, "probe-api", at, t, stop, gpus(1))
	for at := p.started + 20; at < stop; {
		d := r.between(240, 310)
		p.crash = append(p.crash, span{at, min(at+d, stop)})
		at += d + r.between(20, 90)
	}
	b.plant("crash_loop", p.ns+"/"+p.name, p.started, stop)
	b.finish(p, stop, exitDeleted, "")
	b.book([]*pod{p})
	return p.end
}

// nightly is a job that is made anew each night under the same name: a new run
// whenever the one before it succeeded.
func (b *builder) nightly(at slotRef, t int64) int64 {
	if t >= b.to {
		return t
	}
	g := &gangRun{team: speech, name: "nightly-tune", level: 8200, checkpoint: 1500, labels: teamLabels(speech, "fine_tuning", "whisper-tuned")}
	pods, _, end := b.try(g, []place{{at.dev.node, []slotRef{at}}}, t, b.r.between(2400, 6000), tryDone, nil)
	b.book(pods)
	return end
}

// indexed is a Job of four completions, one at a time: no gang, a task each.
func (b *builder) indexed(at slotRef, t int64) int64 {
	r := b.r
	name := b.runName("shard-score")
	o := &object{kind: "Job", ns: vision.ns, name: name, created: t, completions: 4, parallelism: 2}
	b.objects = append(b.objects, o)
	for i := range 4 {
		index := string(rune('0' + i))
		p := &pod{ns: vision.ns, name: name + "-" + index + "-" + r.word(5), node: at.dev.node, ownerKind: "Job", ownerName: name, rootKind: "Job", rootName: name,
			container: "main", requests: gpus(1), created: t, scheduled: t + r.between(2, 20), slots: []slotRef{at}, task: index, memMiB: 9000}
		p.started = p.scheduled + r.between(8, 30)
		p.labels = append(teamLabels(vision, "batch", ""), label{"label_batch_kubernetes_io_job_name", name}, label{"label_batch_kubernetes_io_job_completion_index", index})
		b.add(p)
		stop := p.started + r.between(900, 3000)
		p.phases = []phase{{span{p.started + 60, stop}, 8600, 600}}
		b.finish(p, stop+r.between(62, 100), exitSucceeded, "Completed")
		b.book([]*pod{p})
		o.removed = p.removed
		if t = p.end + r.between(130, 200); t >= b.to {
			break
		}
	}
	return t
}

// neverJoined is a machine that was bought and never became a node.
func (b *builder) neverJoined() {
	r := b.r
	at := b.from + r.between(6, 15)*3600 + r.between(0, 3000)
	n := b.newNode(nodeOpts{typ: b.site.spot, pool: "stray", at: at, team: ranking.name})
	n.joined, n.end = false, min(at+r.between(3, 9)*3600+r.between(0, 3000), b.billTo-3600)
	b.pods = b.pods[:len(b.pods)-1] // no exporter runs there
	n.exporterPod = nil
	b.plant("never_joined", n.instanceID, n.launch, n.end)
}

// trouble plants episodes of not-ready, cordon and exporter silence.
func (b *builder) trouble() {
	r := b.r
	// One batch job runs entirely while its exporter is silent: nothing but its
	// request says where.
	for _, p := range b.pods {
		if p.rootKind == "Job" && len(p.slots) == 1 && p.slots[0].slice == wholeDevice && p.end-p.scheduled < 2*3600 && p.exit == exitSucceeded {
			p.node.expGaps = append(p.node.expGaps, span{p.scheduled - 90, p.end + 90})
			break
		}
	}
	for _, n := range b.nodes {
		if !n.joined {
			continue
		}
		life := n.until(b.world) - n.created
		if life < 7200 {
			continue
		}
		moment := func() int64 { return n.created + r.between(1800, life-1800) }
		if r.chance(35) {
			from := moment()
			n.notReady = append(n.notReady, span{from, from + r.between(150, 20*60)})
		}
		for range r.between(0, 1+life/86400) {
			from := moment()
			d := r.between(120, 15*60)
			if r.chance(20) {
				d = r.between(40*60, 100*60)
			}
			n.expGaps = append(n.expGaps, span{from, from + d})
		}
		if r.chance(15) {
			from := moment()
			n.cordoned = append(n.cordoned, span{from, from + r.between(1800, 9000)})
		}
	}
}
