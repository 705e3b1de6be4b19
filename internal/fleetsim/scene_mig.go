package fleetsim

import "strconv"

// A100 instance ids as the driver numbers them: by profile.
var (
	layoutHalves = []slice{{id: 1, profile: "3g.20gb"}, {id: 2, profile: "3g.20gb"}}
	layoutSmall  = []slice{{id: 7, profile: "1g.5gb"}, {id: 8, profile: "1g.5gb"}, {id: 9, profile: "1g.5gb"}, {id: 10, profile: "1g.5gb"}, {id: 11, profile: "1g.5gb"}, {id: 12, profile: "1g.5gb"}, {id: 13, profile: "1g.5gb"}}
	layoutFull   = []slice{{id: 1, profile: "4g.20gb"}, {id: 2, profile: "3g.20gb"}}
	layoutMixed  = []slice{{id: 2, profile: "3g.20gb"}, {id: 3, profile: "2g.10gb"}, {id: 9, profile: "1g.5gb"}}
	layoutThin   = []slice{{id: 1, profile: "3g.20gb"}}
	// The same instances, told where they lie: beside those of layoutStuck no
	// profile fits, those of layoutTidy leave room for a small one.
	layoutStuck  = []slice{{2, "3g.20gb", berth{true, 0}}, {3, "2g.10gb", berth{true, 4}}, {9, "1g.5gb", berth{true, 6}}}
	layoutTidy   = []slice{{2, "3g.20gb", berth{true, 4}}, {3, "2g.10gb", berth{true, 0}}, {9, "1g.5gb", berth{true, 2}}}
	layoutDouble = []slice{{id: 15, profile: "1g.10gb"}, {id: 3, profile: "2g.10gb"}, {id: 4, profile: "2g.10gb"}}
)

// migNode is a p4d. In cells that divide their cards it is cut in different
// ways, and one layout changes in the middle of the data.
func (b *builder) migNode() {
	r := b.r
	if !b.divided() {
		n := b.newNode(nodeOpts{typ: b.site.cut, pool: b.pool("p4d-batch", "batch"), at: b.from + r.between(5, 240)})
		n.billTeam = platform.name
		for _, d := range n.devices {
			b.wholeCard(d, n.created+r.between(150, 900))
		}
		return
	}
	n := b.newNode(nodeOpts{typ: b.site.cut, pool: b.pool("p4d-mig", "mig"), at: b.from + r.between(5, 240)})
	n.billTeam = platform.name
	layouts := [][]slice{layoutHalves, layoutSmall, layoutFull, layoutMixed, nil, pick(r, [][]slice{layoutThin, layoutDouble}), nil, nil}
	if b.cell%2 == 1 {
		layouts[1], layouts[2] = nil, nil
	}
	for i, l := range layouts {
		d := n.devices[i]
		if l != nil {
			d.layouts = []layout{{b.from, l}}
		}
	}
	// Device 4 is cut anew at 10:20 of a random day, after it was drained. Every
	// other cell reuses instance ids under other profiles.
	change := b.from + 86400*r.between(0, int64(b.cfg.Days-1)) + 10*3600 + 20*60
	odd := (int64(b.cell)+b.cfg.Seed)%2 != 0
	next := layoutHalves
	if odd {
		next = layoutFull
	}
	n.devices[4].layouts = []layout{{b.from, layoutSmall}, {change, next}}
	if odd {
		n.devices[4].layouts[0].slices = layoutMixed
	}

	for i, d := range n.devices {
		ready := n.created + r.between(150, 900)
		switch {
		case d.layouts == nil:
			b.wholeCard(d, ready)
		case i == 4:
			b.instances(d, d.layouts[0].slices, ready, change-r.between(400, 2400))
			b.instances(d, next, change+r.between(100, 900), b.to)
		default:
			b.instances(d, d.layouts[0].slices, ready, b.to)
		}
	}
	n.labels = append(n.labels, label{"label_nvidia_com_mig_strategy", "mixed"})
}

// divided reports whether the cell cuts and shares its cards: two of five do.
func (b *builder) divided() bool { return b.cell%5 < 2 }

// instances keeps the slices of a card busy, idle or free from t to until.
func (b *builder) instances(d *device, slices []slice, from, until int64) {
	r := b.r
	for _, s := range slices {
		t := from
		for t < until-1200 {
			switch k := r.between(0, 99); {
			case k < 18: // nobody wants it
				t += r.between(1800, 6*3600)
				continue
			case k < 45:
				t = b.batchOn(d, s, t, until)
			case k < 75:
				t = b.sliceService(d, s, t, until)
			default:
				t = b.notebook(slotRef{d, s.id}, pick(r, []team{research, vision, sandbox}), t, min(until, t+r.between(2*3600, 14*3600)), 0)
			}
			t += r.between(120, 3000)
		}
	}
}

// wholeCard keeps an uncut card of the node busy.
func (b *builder) wholeCard(d *device, t int64) {
	r := b.r
	at := slotRef{d, wholeDevice}
	for t < b.to {
		if r.chance(9) {
			t = b.suspendedJob(at, t)
		} else if r.chance(60) {
			t = b.job(pick(r, []team{research, vision, ranking}), pick(r, []string{"evaluation", "batch"}), at, t, b.to+7200, "")
		} else {
			t = b.notebook(at, pick(r, []team{research, speech}), t, t+r.between(2*3600, 10*3600), 0)
			if r.chance(35) { // the next pod is there before anybody saw this one go
				t += r.between(2, 15)
				continue
			}
		}
		t += r.between(200, 2*3600)
	}
}

func sliceRequest(s slice) []request {
	return []request{{"cpu", 4}, {profileOf(s.profile).resource(), 1}}
}

func (b *builder) profileAt(ref slotRef, t int64) []request {
	for _, s := range ref.dev.layoutAt(t) {
		if s.id == ref.slice {
			return sliceRequest(s)
		}
	}
	return gpus(1)
}

// batchOn is a Job of one pod with up to three tries on a slice.
func (b *builder) batchOn(d *device, s slice, t, until int64) int64 {
	return b.job(pick(b.r, []team{research, vision, speech, sandbox}), "evaluation", slotRef{d, s.id}, t, until, "")
}

// job is a batch Job with one pod at a time and retries.
func (b *builder) job(who team, stage string, at slotRef, t, until int64, name string) int64 {
	r := b.r
	if name == "" {
		name = b.runName(pick(r, who.models) + "-" + pick(r, []string{"eval", "score", "embed"}))
	}
	o := &object{kind: "Job", ns: who.ns, name: name, created: t, completions: 1, parallelism: 1}
	b.objects = append(b.objects, o)
	for try := range 4 {
		p := &pod{ns: who.ns, name: name + "-" + r.word(5), node: at.dev.node, ownerKind: "Job", ownerName: name, rootKind: "Job", rootName: name,
			container: "main", requests: b.profileAt(at, t), created: t, scheduled: t + r.between(2, 50), slots: []slotRef{at}, task: "0"}
		p.started = p.scheduled + r.between(8, 60)
		p.labels = []label{{"label_batch_kubernetes_io_job_name", name}, {"label_stage", stage}}
		if who.name != "" && r.chance(70) {
			p.labels = append(p.labels, label{"label_team", who.name}, label{"label_project", who.project})
		}
		p.memMiB = 2000 + r.between(0, 2500)
		b.add(p)
		active := p.started + r.between(40, 420)
		stop := active + r.between(12*60, 150*60)
		failing := try < 3 && r.chance(30)
		if failing {
			stop = active + r.between(4*60, 40*60)
		}
		stop = min(stop, until-150)
		if stop < active+60 {
			active = stop
		}
		p.phases = []phase{{span{active, stop}, r.between(3500, 9500), 500}}
		if r.chance(25) && stop-active > 2400 {
			p.phases = []phase{{span{active, active + 900}, 8000, 500}, {span{active + 900, stop}, r.between(200, 700), 150}}
			b.plant("idle_job", who.ns+"/"+name, active+900, stop)
		}
		if failing {
			b.finish(p, stop, exitFailed, pick(r, []string{"Error", "OOMKilled"}))
			if r.chance(15) {
				p.statusReason, p.reason = "Evicted", ""
			}
		} else {
			b.finish(p, stop+r.between(62, 110), exitSucceeded, "Completed")
		}
		b.book([]*pod{p})
		if !failing || p.exit == exitRunning {
			o.removed = p.removed
			return p.end
		}
		t = p.end + r.between(250, 500)
		o.removed = t
		if t >= min(until-1200, b.to) {
			o.failedReason, o.failedAt, o.removed = "BackoffLimitExceeded", p.end+5, p.end+3600
			return t
		}
	}
	return t
}

// sliceService is one replica of a small Deployment.
func (b *builder) sliceService(d *device, s slice, t, until int64) int64 {
	r := b.r
	who := pick(r, []team{ranking, vision, speech})
	stop := min(until-200, t+r.between(3*3600, 20*3600))
	dep := pick(r, who.models) + "-serve"
	p := b.replica(who, dep, slotRef{d, s.id}, t, stop, sliceRequest(s))
	ready, peak := p.started+r.between(60, 240), r.between(1500, 6000)
	p.phases = b.traffic(ready, stop, peak)
	p.peakTokens, p.tritonModels = peak*40, []string{dep}
	if s.profile[0] != '1' { // what fits holds a second model
		p.tritonModels = append(p.tritonModels, dep+"-rerank")
	}
	b.finish(p, stop, exitDeleted, "")
	b.book([]*pod{p})
	return p.end
}

// replica is one pod of a Deployment through its ReplicaSet.
func (b *builder) replica(who team, dep string, at slotRef, t, stop int64, want []request) *pod {
	r := b.r
	rs := dep + "-" + r.word(9)
	b.objects = append(b.objects, &object{kind: "ReplicaSet", ns: who.ns, name: rs, ownerKind: "Deployment", ownerName: dep, created: t, removed: stop + 7200})
	p := &pod{ns: who.ns, name: rs + "-" + r.word(5), node: at.dev.node, ownerKind: "ReplicaSet", ownerName: rs, rootKind: "Deployment", rootName: dep,
		container: "server", requests: want, created: t, scheduled: t + r.between(1, 20), slots: []slotRef{at}, memMiB: 3900}
	p.started = p.scheduled + r.between(20, 110)
	p.labels = append(teamLabels(who, "inference", dep), label{"label_app", dep}, label{"label_environment", "production"})
	return b.add(p)
}

// traffic is a day's curve of activity in steps of 20 minutes, quiet at night.
func (b *builder) traffic(from, to, peak int64) []phase {
	var out []phase
	for t := from; t < to; t += 1200 {
		h := (t % 86400) / 3600
		share := dailyShare[h]
		out = append(out, phase{span{t, min(t+1200, to)}, 120 + peak*share/100, 60 + peak*share/600})
	}
	return out
}

// dailyShare is the traffic of each hour in percent of the peak.
var dailyShare = [24]int64{22, 14, 8, 5, 4, 6, 14, 30, 52, 70, 84, 92, 95, 97, 100, 98, 94, 88, 82, 76, 66, 54, 42, 31}

// notebook is a bare pod: somebody works a while, then leaves it running.
func (b *builder) notebook(at slotRef, who team, t, stop int64, shared int) int64 {
	r := b.r
	stop = min(stop, b.to+3600)
	p := &pod{ns: who.ns, name: "notebook-" + pick(r, []string{"ana", "bo", "chen", "dilan", "eva", "femi", "goran", "hana"}) + "-" + strconv.FormatInt(r.between(1000, 99999), 10),
		node: at.dev.node, container: "jupyter", requests: b.profileAt(at, t), created: t, scheduled: t + r.between(1, 15), slots: []slotRef{at},
		shared: shared, memMiB: 1200 + r.between(0, 2500)}
	p.rootKind, p.rootName = "Pod", p.name
	if shared > 0 {
		p.requests = []request{{"cpu", 2}, {"nvidia_com_gpu_shared", int64(shared)}}
	}
	p.started = p.scheduled + r.between(10, 60)
	if who.name != "" && r.chance(50) {
		p.labels = []label{{"label_owner_team", who.name}, {"label_stage", "experiment"}}
	}
	b.add(p)
	work := p.started + r.between(120, 1500)
	for work < stop {
		d := r.between(600, 5400)
		p.phases = append(p.phases, phase{span{work, min(work+d, stop)}, r.between(1500, 7000), 900})
		idle := r.between(900, 5*3600)
		if idle > 2*3600 {
			b.plant("idle_notebook", who.ns+"/"+p.name, work+d, min(work+d+idle, stop))
		}
		work += d + idle
	}
	b.finish(p, stop, exitDeleted, "")
	b.book([]*pod{p})
	return p.end
}

// stuckCards are two cards whose instances are told where they lie. On the
// first no profile fits beside them. On the second that was so until they were
// made anew, under the same ids, in a better order.
func (b *builder) stuckCards(n *node) {
	others := b.r
	defer func() { b.r = others }()
	r := newRNG(b.cfg.Seed, 83)
	b.r = r
	change := b.from + 86400*r.between(0, int64(b.cfg.Days-1)) + 13*3600 + 40*60
	n.devices[4].layouts = []layout{{b.from, layoutStuck}}
	n.devices[5].layouts = []layout{{b.from, layoutStuck}, {change, layoutTidy}}
	for i, d := range n.devices[4:6] {
		s := layoutStuck[i]
		p := b.replica(ranking, "ranker-base-part", slotRef{d, s.id}, n.created+r.between(400, 1200), b.to, sliceRequest(s))
		p.phases = steady(p.started+120, b.to, r.between(5500, 6500))
		b.stay([]*pod{p})
		b.book([]*pod{p})
	}
}
