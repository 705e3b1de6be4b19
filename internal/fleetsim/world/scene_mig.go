package world

import "strconv"

// A100 instance ids as the driver numbers them: by profile.
var (
	layoutHalves = []Slice{{ID: 1, Profile: "3g.20gb"}, {ID: 2, Profile: "3g.20gb"}}
	layoutSmall  = []Slice{
		{ID: 7, Profile: "1g.5gb"}, {ID: 8, Profile: "1g.5gb"}, {ID: 9, Profile: "1g.5gb"}, {ID: 10, Profile: "1g.5gb"},
		{ID: 11, Profile: "1g.5gb"}, {ID: 12, Profile: "1g.5gb"}, {ID: 13, Profile: "1g.5gb"},
	}
	layoutFull  = []Slice{{ID: 1, Profile: "4g.20gb"}, {ID: 2, Profile: "3g.20gb"}}
	layoutMixed = []Slice{{ID: 2, Profile: "3g.20gb"}, {ID: 3, Profile: "2g.10gb"}, {ID: 9, Profile: "1g.5gb"}}
	layoutThin  = []Slice{{ID: 1, Profile: "3g.20gb"}}
	// The same instances with known positions: no profile fits next to those of layoutStuck, those of layoutTidy leave
	// room for a small one.
	layoutStuck  = []Slice{{2, "3g.20gb", Berth{true, 0}}, {3, "2g.10gb", Berth{true, 4}}, {9, "1g.5gb", Berth{true, 6}}}
	layoutTidy   = []Slice{{2, "3g.20gb", Berth{true, 4}}, {3, "2g.10gb", Berth{true, 0}}, {9, "1g.5gb", Berth{true, 2}}}
	layoutDouble = []Slice{{ID: 15, Profile: "1g.10gb"}, {ID: 3, Profile: "2g.10gb"}, {ID: 4, Profile: "2g.10gb"}}
)

// migNode is a p4d. In cells that divide their cards its cards have different layouts, and one layout changes in the
// middle of the data.
func (b *builder) migNode() {
	r := b.r
	if !b.divided() {
		n := b.newNode(nodeOpts{typ: b.Site.cut, pool: b.pool("p4d-batch", "batch"), at: b.from + r.Between(5, 240)})
		n.BillTeam = Platform.Name
		for _, d := range n.Devices {
			b.wholeCard(d, n.Created+r.Between(150, 900))
		}
		return
	}
	n := b.newNode(nodeOpts{typ: b.Site.cut, pool: b.pool("p4d-mig", "mig"), at: b.from + r.Between(5, 240)})
	n.BillTeam = Platform.Name
	layouts := [][]Slice{
		layoutHalves, layoutSmall, layoutFull, layoutMixed, nil, Pick(r, [][]Slice{layoutThin, layoutDouble}), nil, nil,
	}
	if b.cell%2 == 1 {
		layouts[1], layouts[2] = nil, nil
	}
	for i, l := range layouts {
		d := n.Devices[i]
		if l != nil {
			d.Layouts = []Layout{{b.from, l}}
		}
	}
	// Device 4 is repartitioned at 10:20 of a random day, after it was drained. Every other cell reuses instance ids
	// under other profiles.
	change := b.from + 86400*r.Between(0, int64(b.Config.Days-1)) + 10*3600 + 20*60
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
		ready := n.Created + r.Between(150, 900)
		switch {
		case d.Layouts == nil:
			b.wholeCard(d, ready)
		case i == 4:
			b.instances(d, d.Layouts[0].Slices, ready, change-r.Between(400, 2400))
			b.instances(d, next, change+r.Between(100, 900), b.To)
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
			switch k := r.Between(0, 99); {
			case k < 18: // unused
				t += r.Between(1800, 6*3600)
				continue
			case k < 45:
				t = b.batchOn(d, s, t, until)
			case k < 75:
				t = b.sliceService(d, s, t, until)
			default:
				t = b.notebook(SlotRef{d, s.ID}, Pick(r, []Team{Research, Vision, sandbox}), t,
					min(until, t+r.Between(2*3600, 14*3600)), 0)
			}
			t += r.Between(120, 3000)
		}
	}
}

// wholeCard keeps an uncut card of the node busy.
func (b *builder) wholeCard(d *Device, t int64) {
	r := b.r
	at := SlotRef{d, WholeDevice}
	for t < b.To {
		if r.Chance(9) {
			t = b.suspendedJob(at, t)
		} else if r.Chance(60) {
			t = b.job(Pick(r, []Team{Research, Vision, Ranking}), Pick(r, []string{"evaluation", "batch"}), at, t, b.To+7200, "")
		} else {
			t = b.notebook(at, Pick(r, []Team{Research, Speech}), t, t+r.Between(2*3600, 10*3600), 0)
			if r.Chance(35) { // the next pod is there before a scrape sees the last one go
				t += r.Between(2, 15)
				continue
			}
		}
		t += r.Between(200, 2*3600)
	}
}

func sliceRequest(s Slice) []Request {
	return []Request{{"cpu", 4}, {ProfileOf(s.Profile).Resource(), 1}}
}

func (b *builder) profileAt(ref SlotRef, t int64) []Request {
	for _, s := range ref.dev.layoutAt(t) {
		if s.ID == ref.slice {
			return sliceRequest(s)
		}
	}
	return gpus(1)
}

// batchOn is a Job of one pod with up to three tries on a slice.
func (b *builder) batchOn(d *Device, s Slice, t, until int64) int64 {
	return b.job(Pick(b.r, []Team{Research, Vision, Speech, sandbox}), "evaluation", SlotRef{d, s.ID}, t, until, "")
}

// job is a batch Job with one pod at a time and retries.
func (b *builder) job(who Team, stage string, at SlotRef, t, until int64, name string) int64 {
	r := b.r
	if name == "" {
		name = b.runName(Pick(r, who.models) + "-" + Pick(r, []string{"eval", "score", "embed"}))
	}
	o := &Object{Kind: "Job", NS: who.NS, Name: name, Created: t, Completions: 1, Parallelism: 1}
	b.Objects = append(b.Objects, o)
	for try := range 4 {
		p := &Pod{NS: who.NS, Name: name + "-" + r.Word(5), Node: at.dev.Node, OwnerKind: "Job", OwnerName: name,
			RootKind: "Job", RootName: name,
			Container: "main", Requests: b.profileAt(at, t), Created: t,
			Scheduled: t + r.Between(2, 50), Slots: []SlotRef{at}, Task: "0"}
		p.Started = p.Scheduled + r.Between(8, 60)
		p.Labels = []Label{{"label_batch_kubernetes_io_job_name", name}, {"label_stage", stage}}
		if who.Name != "" && r.Chance(70) {
			p.Labels = append(p.Labels, Label{"label_team", who.Name}, Label{"label_project", who.project})
		}
		p.MemMiB = 2000 + r.Between(0, 2500)
		b.add(p)
		active := p.Started + r.Between(40, 420)
		stop := active + r.Between(12*60, 150*60)
		failing := try < 3 && r.Chance(30)
		if failing {
			stop = active + r.Between(4*60, 40*60)
		}
		stop = min(stop, until-150)
		if stop < active+60 {
			active = stop
		}
		p.phases = []phase{{Span{active, stop}, r.Between(3500, 9500), 500}}
		if r.Chance(25) && stop-active > 2400 {
			p.phases = []phase{{Span{active, active + 900}, 8000, 500}, {Span{active + 900, stop}, r.Between(200, 700), 150}}
			b.plant("idle_job", who.NS+"/"+name, active+900, stop)
		}
		if failing {
			b.finish(p, stop, ExitFailed, Pick(r, []string{"Error", "OOMKilled"}))
			if r.Chance(15) {
				p.StatusReason, p.Reason = "Evicted", ""
			}
		} else {
			b.finish(p, stop+r.Between(62, 110), ExitSucceeded, "Completed")
		}
		b.book([]*Pod{p})
		if !failing || p.Exit == exitRunning {
			o.Removed = p.Removed
			return p.End
		}
		t = p.End + r.Between(250, 500)
		o.Removed = t
		if t >= min(until-1200, b.To) {
			o.FailedReason, o.FailedAt, o.Removed = "BackoffLimitExceeded", p.End+5, p.End+3600
			return t
		}
	}
	return t
}

// sliceService is one replica of a small Deployment.
func (b *builder) sliceService(d *Device, s Slice, t, until int64) int64 {
	r := b.r
	who := Pick(r, []Team{Ranking, Vision, Speech})
	stop := min(until-200, t+r.Between(3*3600, 20*3600))
	dep := Pick(r, who.models) + "-serve"
	p := b.replica(who, dep, SlotRef{d, s.ID}, t, stop, sliceRequest(s))
	ready, peak := p.Started+r.Between(60, 240), r.Between(1500, 6000)
	p.phases = b.traffic(ready, stop, peak)
	p.PeakTokens, p.TritonModels = peak*40, []string{dep}
	if s.Profile[0] != '1' { // larger slices hold a second model
		p.TritonModels = append(p.TritonModels, dep+"-rerank")
	}
	b.finish(p, stop, exitDeleted, "")
	b.book([]*Pod{p})
	return p.End
}

// replica is one pod of a Deployment through its ReplicaSet.
func (b *builder) replica(who Team, dep string, at SlotRef, t, stop int64, want []Request) *Pod {
	r := b.r
	rs := dep + "-" + r.Word(9)
	b.Objects = append(b.Objects, &Object{
		Kind: "ReplicaSet", NS: who.NS, Name: rs, OwnerKind: "Deployment", OwnerName: dep, Created: t, Removed: stop + 7200,
	})
	p := &Pod{NS: who.NS, Name: rs + "-" + r.Word(5), Node: at.dev.Node, OwnerKind: "ReplicaSet", OwnerName: rs,
		RootKind: "Deployment", RootName: dep,
		Container: "server", Requests: want, Created: t, Scheduled: t + r.Between(1, 20), Slots: []SlotRef{at}, MemMiB: 3900}
	p.Started = p.Scheduled + r.Between(20, 110)
	p.Labels = append(teamLabels(who, "inference", dep), Label{"label_app", dep}, Label{"label_environment", "production"})
	return b.add(p)
}

// traffic is a day's curve of activity in steps of 20 minutes, quiet at night.
func (b *builder) traffic(from, to, peak int64) []phase {
	var out []phase
	for t := from; t < to; t += 1200 {
		h := (t % 86400) / 3600
		share := DailyShare[h]
		out = append(out, phase{Span{t, min(t+1200, to)}, 120 + peak*share/100, 60 + peak*share/600})
	}
	return out
}

// DailyShare is the traffic of each hour in percent of the peak.
var DailyShare = [24]int64{22, 14, 8, 5, 4, 6, 14, 30, 52, 70, 84, 92, 95, 97, 100, 98, 94, 88, 82, 76, 66, 54, 42, 31}

// notebook is a bare pod: its user works a while, then leaves it running.
func (b *builder) notebook(at SlotRef, who Team, t, stop int64, shared int) int64 {
	r := b.r
	stop = min(stop, b.To+3600)
	p := &Pod{NS: who.NS, Name: "notebook-" +
		Pick(r, []string{"ana", "bo", "chen", "dilan", "eva", "femi", "goran", "hana"}) + "-" +
		strconv.FormatInt(r.Between(1000, 99999), 10),
		Node: at.dev.Node, Container: "jupyter", Requests: b.profileAt(at, t),
		Created: t, Scheduled: t + r.Between(1, 15), Slots: []SlotRef{at},
		shared: shared, MemMiB: 1200 + r.Between(0, 2500)}
	p.RootKind, p.RootName = "Pod", p.Name
	if shared > 0 {
		p.Requests = []Request{{"cpu", 2}, {"nvidia_com_gpu_shared", int64(shared)}}
	}
	p.Started = p.Scheduled + r.Between(10, 60)
	if who.Name != "" && r.Chance(50) {
		p.Labels = []Label{{"label_owner_team", who.Name}, {"label_stage", "experiment"}}
	}
	b.add(p)
	work := p.Started + r.Between(120, 1500)
	for work < stop {
		d := r.Between(600, 5400)
		p.phases = append(p.phases, phase{Span{work, min(work+d, stop)}, r.Between(1500, 7000), 900})
		idle := r.Between(900, 5*3600)
		if idle > 2*3600 {
			b.plant("idle_notebook", who.NS+"/"+p.Name, work+d, min(work+d+idle, stop))
		}
		work += d + idle
	}
	b.finish(p, stop, exitDeleted, "")
	b.book([]*Pod{p})
	return p.End
}

// stuckCards are two cards whose instances have known positions. On the first no further profile fits. So it was on the
// second until its instances were recreated, under the same ids, in a better order.
func (b *builder) stuckCards(n *Node) {
	others := b.r
	defer func() { b.r = others }()
	r := NewRNG(b.Config.Seed, 83)
	b.r = r
	change := b.from + 86400*r.Between(0, int64(b.Config.Days-1)) + 13*3600 + 40*60
	n.Devices[4].Layouts = []Layout{{b.from, layoutStuck}}
	n.Devices[5].Layouts = []Layout{{b.from, layoutStuck}, {change, layoutTidy}}
	for i, d := range n.Devices[4:6] {
		s := layoutStuck[i]
		p := b.replica(Ranking, "ranker-base-part", SlotRef{d, s.ID}, n.Created+r.Between(400, 1200), b.To, sliceRequest(s))
		p.phases = steady(p.Started+120, b.To, r.Between(5500, 6500))
		b.stay([]*Pod{p})
		b.book([]*Pod{p})
	}
}
