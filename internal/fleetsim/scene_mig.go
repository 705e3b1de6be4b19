package fleetsim

import "strconv"

// A100 instance ids as the driver numbers them: by profile.
var (
	layoutHalves = []Slice{{ID: 1, Profile: "3g.20gb"}, {ID: 2, Profile: "3g.20gb"}}
	layoutSmall  = []Slice{{ID: 7, Profile: "1g.5gb"}, {ID: 8, Profile: "1g.5gb"}, {ID: 9, Profile: "1g.5gb"}, {ID: 10, Profile: "1g.5gb"}, {ID: 11, Profile: "1g.5gb"}, {ID: 12, Profile: "1g.5gb"}, {ID: 13, Profile: "1g.5gb"}}
	layoutFull   = []Slice{{ID: 1, Profile: "4g.20gb"}, {ID: 2, Profile: "3g.20gb"}}
	layoutMixed  = []Slice{{ID: 2, Profile: "3g.20gb"}, {ID: 3, Profile: "2g.10gb"}, {ID: 9, Profile: "1g.5gb"}}
	layoutThin   = []Slice{{ID: 1, Profile: "3g.20gb"}}
	// The same instances, told where they lie: beside those of layoutStuck no
	// profile fits, those of layoutTidy leave room for a small one.
	layoutStuck  = []Slice{{2, "3g.20gb", berth{true, 0}}, {3, "2g.10gb", berth{true, 4}}, {9, "1g.5gb", berth{true, 6}}}
	layoutTidy   = []Slice{{2, "3g.20gb", berth{true, 4}}, {3, "2g.10gb", berth{true, 0}}, {9, "1g.5gb", berth{true, 2}}}
	layoutDouble = []Slice{{ID: 15, Profile: "1g.10gb"}, {ID: 3, Profile: "2g.10gb"}, {ID: 4, Profile: "2g.10gb"}}
)

// migNode is a p4d. In cells that divide their cards it is cut in different
// ways, and one layout changes in the middle of the data.
func (b *builder) migNode() {
	r := b.r
	if !b.divided() {
		n := b.newNode(nodeOpts{typ: b.Site.cut, pool: b.pool("p4d-batch", "batch"), at: b.from + r.between(5, 240)})
		n.BillTeam = platform.name
		for _, d := range n.Devices {
			b.wholeCard(d, n.Created+r.between(150, 900))
		}
		return
	}
	n := b.newNode(nodeOpts{typ: b.Site.cut, pool: b.pool("p4d-mig", "mig"), at: b.from + r.between(5, 240)})
	n.BillTeam = platform.name
	layouts := [][]Slice{layoutHalves, layoutSmall, layoutFull, layoutMixed, nil, pick(r, [][]Slice{layoutThin, layoutDouble}), nil, nil}
	if b.cell%2 == 1 {
		layouts[1], layouts[2] = nil, nil
	}
	for i, l := range layouts {
		d := n.Devices[i]
		if l != nil {
			d.Layouts = []Layout{{b.from, l}}
		}
	}
	// Device 4 is cut anew at 10:20 of a random day, after it was drained. Every
	// other cell reuses instance ids under other profiles.
	change := b.from + 86400*r.between(0, int64(b.Config.Days-1)) + 10*3600 + 20*60
	odd := (int64(b.cell)+b.Config.Seed)%2 != 0
	next := layoutHalves
	if odd {
		next = layoutFull
	}
	n.Devices[4].Layouts = []Layout{{b.from, layoutSmall}, {change, next}}
	if odd {
		n.Devices[4].Layouts[0].Slices = layoutMixed
	}

	for i, d := range n.Devices {
		ready := n.Created + r.between(150, 900)
		switch {
		case d.Layouts == nil:
			b.wholeCard(d, ready)
		case i == 4:
			b.instances(d, d.Layouts[0].Slices, ready, change-r.between(400, 2400))
			b.instances(d, next, change+r.between(100, 900), b.To)
		default:
			b.instances(d, d.Layouts[0].Slices, ready, b.To)
		}
	}
	n.Labels = append(n.Labels, Label{"label_nvidia_com_mig_strategy", "mixed"})
}

// divided reports whether the cell cuts and shares its cards: two of five do.
func (b *builder) divided() bool { return b.cell%5 < 2 }

// instances keeps the slices of a card busy, idle or free from t to until.
func (b *builder) instances(d *Device, slices []Slice, from, until int64) {
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
				t = b.notebook(slotRef{d, s.ID}, pick(r, []Team{research, vision, sandbox}), t, min(until, t+r.between(2*3600, 14*3600)), 0)
			}
			t += r.between(120, 3000)
		}
	}
}

// wholeCard keeps an uncut card of the node busy.
func (b *builder) wholeCard(d *Device, t int64) {
	r := b.r
	at := slotRef{d, WholeDevice}
	for t < b.To {
		if r.chance(9) {
			t = b.suspendedJob(at, t)
		} else if r.chance(60) {
			t = b.job(pick(r, []Team{research, vision, ranking}), pick(r, []string{"evaluation", "batch"}), at, t, b.To+7200, "")
		} else {
			t = b.notebook(at, pick(r, []Team{research, speech}), t, t+r.between(2*3600, 10*3600), 0)
			if r.chance(35) { // the next pod is there before anybody saw this one go
				t += r.between(2, 15)
				continue
			}
		}
		t += r.between(200, 2*3600)
	}
}

func sliceRequest(s Slice) []Request {
	return []Request{{"cpu", 4}, {ProfileOf(s.Profile).Resource(), 1}}
}

func (b *builder) profileAt(ref slotRef, t int64) []Request {
	for _, s := range ref.dev.layoutAt(t) {
		if s.ID == ref.slice {
			return sliceRequest(s)
		}
	}
	return gpus(1)
}

// batchOn is a Job of one pod with up to three tries on a slice.
func (b *builder) batchOn(d *Device, s Slice, t, until int64) int64 {
	return b.job(pick(b.r, []Team{research, vision, speech, sandbox}), "evaluation", slotRef{d, s.ID}, t, until, "")
}

// job is a batch Job with one pod at a time and retries.
func (b *builder) job(who Team, stage string, at slotRef, t, until int64, name string) int64 {
	r := b.r
	if name == "" {
		name = b.runName(pick(r, who.models) + "-" + pick(r, []string{"eval", "score", "embed"}))
	}
	o := &Object{Kind: "Job", NS: who.NS, Name: name, Created: t, Completions: 1, Parallelism: 1}
	b.Objects = append(b.Objects, o)
	for try := range 4 {
		p := &Pod{NS: who.NS, Name: name + "-" + r.word(5), Node: at.dev.Node, ownerKind: "Job", ownerName: name, RootKind: "Job", RootName: name,
			container: "main", Requests: b.profileAt(at, t), Created: t, Scheduled: t + r.between(2, 50), slots: []slotRef{at}, Task: "0"}
		p.Started = p.Scheduled + r.between(8, 60)
		p.Labels = []Label{{"label_batch_kubernetes_io_job_name", name}, {"label_stage", stage}}
		if who.name != "" && r.chance(70) {
			p.Labels = append(p.Labels, Label{"label_team", who.name}, Label{"label_project", who.project})
		}
		p.memMiB = 2000 + r.between(0, 2500)
		b.add(p)
		active := p.Started + r.between(40, 420)
		stop := active + r.between(12*60, 150*60)
		failing := try < 3 && r.chance(30)
		if failing {
			stop = active + r.between(4*60, 40*60)
		}
		stop = min(stop, until-150)
		if stop < active+60 {
			active = stop
		}
		p.phases = []phase{{Span{active, stop}, r.between(3500, 9500), 500}}
		if r.chance(25) && stop-active > 2400 {
			p.phases = []phase{{Span{active, active + 900}, 8000, 500}, {Span{active + 900, stop}, r.between(200, 700), 150}}
			b.plant("idle_job", who.NS+"/"+name, active+900, stop)
		}
		if failing {
			b.finish(p, stop, exitFailed, pick(r, []string{"Error", "OOMKilled"}))
			if r.chance(15) {
				p.StatusReason, p.Reason = "Evicted", ""
			}
		} else {
			b.finish(p, stop+r.between(62, 110), ExitSucceeded, "Completed")
		}
		b.book([]*Pod{p})
		if !failing || p.Exit == exitRunning {
			o.removed = p.removed
			return p.End
		}
		t = p.End + r.between(250, 500)
		o.removed = t
		if t >= min(until-1200, b.To) {
			o.failedReason, o.failedAt, o.removed = "BackoffLimitExceeded", p.End+5, p.End+3600
			return t
		}
	}
	return t
}

// sliceService is one replica of a small Deployment.
func (b *builder) sliceService(d *Device, s Slice, t, until int64) int64 {
	r := b.r
	who := pick(r, []Team{ranking, vision, speech})
	stop := min(until-200, t+r.between(3*3600, 20*3600))
	dep := pick(r, who.models) + "-serve"
	p := b.replica(who, dep, slotRef{d, s.ID}, t, stop, sliceRequest(s))
	ready, peak := p.Started+r.between(60, 240), r.between(1500, 6000)
	p.phases = b.traffic(ready, stop, peak)
	p.peakTokens, p.TritonModels = peak*40, []string{dep}
	if s.Profile[0] != '1' { // what fits holds a second model
		p.TritonModels = append(p.TritonModels, dep+"-rerank")
	}
	b.finish(p, stop, exitDeleted, "")
	b.book([]*Pod{p})
	return p.End
}

// replica is one pod of a Deployment through its ReplicaSet.
func (b *builder) replica(who Team, dep string, at slotRef, t, stop int64, want []Request) *Pod {
	r := b.r
	rs := dep + "-" + r.word(9)
	b.Objects = append(b.Objects, &Object{Kind: "ReplicaSet", NS: who.NS, Name: rs, ownerKind: "Deployment", ownerName: dep, Created: t, removed: stop + 7200})
	p := &Pod{NS: who.NS, Name: rs + "-" + r.word(5), Node: at.dev.Node, ownerKind: "ReplicaSet", ownerName: rs, RootKind: "Deployment", RootName: dep,
		container: "server", Requests: want, Created: t, Scheduled: t + r.between(1, 20), slots: []slotRef{at}, memMiB: 3900}
	p.Started = p.Scheduled + r.between(20, 110)
	p.Labels = append(teamLabels(who, "inference", dep), Label{"label_app", dep}, Label{"label_environment", "production"})
	return b.add(p)
}

// traffic is a day's curve of activity in steps of 20 minutes, quiet at night.
func (b *builder) traffic(from, to, peak int64) []phase {
	var out []phase
	for t := from; t < to; t += 1200 {
		h := (t % 86400) / 3600
		share := dailyShare[h]
		out = append(out, phase{Span{t, min(t+1200, to)}, 120 + peak*share/100, 60 + peak*share/600})
	}
	return out
}

// dailyShare is the traffic of each hour in percent of the peak.
var dailyShare = [24]int64{22, 14, 8, 5, 4, 6, 14, 30, 52, 70, 84, 92, 95, 97, 100, 98, 94, 88, 82, 76, 66, 54, 42, 31}

// notebook is a bare pod: somebody works a while, then leaves it running.
func (b *builder) notebook(at slotRef, who Team, t, stop int64, shared int) int64 {
	r := b.r
	stop = min(stop, b.To+3600)
	p := &Pod{NS: who.NS, Name: "notebook-" + pick(r, []string{"ana", "bo", "chen", "dilan", "eva", "femi", "goran", "hana"}) + "-" + strconv.FormatInt(r.between(1000, 99999), 10),
		Node: at.dev.Node, container: "jupyter", Requests: b.profileAt(at, t), Created: t, Scheduled: t + r.between(1, 15), slots: []slotRef{at},
		shared: shared, memMiB: 1200 + r.between(0, 2500)}
	p.RootKind, p.RootName = "Pod", p.Name
	if shared > 0 {
		p.Requests = []Request{{"cpu", 2}, {"nvidia_com_gpu_shared", int64(shared)}}
	}
	p.Started = p.Scheduled + r.between(10, 60)
	if who.name != "" && r.chance(50) {
		p.Labels = []Label{{"label_owner_team", who.name}, {"label_stage", "experiment"}}
	}
	b.add(p)
	work := p.Started + r.between(120, 1500)
	for work < stop {
		d := r.between(600, 5400)
		p.phases = append(p.phases, phase{Span{work, min(work+d, stop)}, r.between(1500, 7000), 900})
		idle := r.between(900, 5*3600)
		if idle > 2*3600 {
			b.plant("idle_notebook", who.NS+"/"+p.Name, work+d, min(work+d+idle, stop))
		}
		work += d + idle
	}
	b.finish(p, stop, exitDeleted, "")
	b.book([]*Pod{p})
	return p.End
}

// stuckCards are two cards whose instances are told where they lie. On the
// first no profile fits beside them. On the second that was so until they were
// made anew, under the same ids, in a better order.
func (b *builder) stuckCards(n *Node) {
	others := b.r
	defer func() { b.r = others }()
	r := newRNG(b.Config.Seed, 83)
	b.r = r
	change := b.from + 86400*r.between(0, int64(b.Config.Days-1)) + 13*3600 + 40*60
	n.Devices[4].Layouts = []Layout{{b.from, layoutStuck}}
	n.Devices[5].Layouts = []Layout{{b.from, layoutStuck}, {change, layoutTidy}}
	for i, d := range n.Devices[4:6] {
		s := layoutStuck[i]
		p := b.replica(ranking, "ranker-base-part", slotRef{d, s.ID}, n.Created+r.between(400, 1200), b.To, sliceRequest(s))
		p.phases = steady(p.Started+120, b.To, r.between(5500, 6500))
		b.stay([]*Pod{p})
		b.book([]*Pod{p})
	}
}
