package fleetsim

import (
	"fmt"
)

// builder makes a world cell by cell. A cell is 40 GPUs with a life of their
// own, so fleets of any size have the same texture.
type builder struct {
	*world
	from       int64 // where the scenes in hand begin; hides that of the world
	cell       int   // one of cells
	cells      int
	r          *rng
	named      map[string]bool
	inSet      map[string]int64 // machines so far, per scale set
	seq        int
	namesGiven int // to servers
}

// team is one owner with its habits.
type team struct {
	name, ns, project, costCenter string
	models                        []string
}

var (
	foundation = team{"foundation-models", "fm-training", "atlas", "cc-4100", []string{"atlas-70b", "atlas-13b", "atlas-moe"}}
	ranking    = team{"search-ranking", "search", "rank-v3", "cc-2210", []string{"ranker-large", "ranker-base"}}
	vision     = team{"vision", "vision", "shelf-scan", "cc-3300", []string{"shelf-vit", "ocr-small"}}
	speech     = team{"speech", "speech", "call-notes", "cc-3350", []string{"whisper-tuned", "diarize"}}
	platform   = team{"ml-platform", "ml-platform", "platform", "cc-1000", nil}
	research   = team{"applied-research", "research", "explore", "cc-5000", []string{"toy-lm", "probe"}}
	sandbox    = team{"", "sandbox", "", "", []string{"scratch"}}
	allTeams   = []team{foundation, ranking, vision, speech, platform, research, sandbox}
)

func build(cfg Config, on *site) *world {
	w := &world{cfg: cfg, site: on, from: cfg.Start.AddDate(0, 0, -cfg.History).Unix(), fine: cfg.Start.Unix()}
	end := w.fine + int64(cfg.Days)*86400
	w.billTo = cfg.BilledUntil.Unix() - int64(cfg.BillLagHours)*3600
	w.billTo -= w.billTo % 3600
	switch on.provider {
	case azure: // bills whole days only
		w.billTo -= w.billTo % 86400
	case owned: // what it costs is known ahead
		w.billTo = min(end, ceilDay(cfg.BilledUntil.Unix()))
	}
	w.end = end - 60 // one step early: a node counts as up for a step after its last sample, and the data end with the day
	w.to = w.end
	b := &builder{world: w, from: w.fine, named: map[string]bool{}, inSet: map[string]int64{}}
	b.r = newRNG(cfg.Seed, 1)
	if !on.slurm {
		b.gaps()
		b.namespaces()
	}
	b.cells = 1
	if on.provider == aws {
		b.cells = max(1, (cfg.GPUs+20)/40)
	}
	for c := range b.cells {
		b.cell, b.r = c, newRNG(cfg.Seed, 2, uint64(c))
		if on.slurm {
			b.slurm()
		} else {
			b.scenes()
		}
	}
	b.from, b.r = w.fine, newRNG(cfg.Seed, 3)
	if on.provider == aws || on.provider == gcp {
		b.neverJoined()
	}
	if !on.slurm {
		b.trouble()
	}
	b.r = newRNG(cfg.Seed, 5)
	b.upgrades()
	b.driverReloads()
	b.restarts()
	if cfg.Commitments && on.provider == aws {
		b.r = newRNG(cfg.Seed, 4)
		b.blockNode()
	}
	if on.cut != "" {
		for b.cell = 0; b.cell < b.cells; b.cell += 5 {
			b.wasteLab()
		}
		b.developCard()
	}
	if on.provider == aws && on.serving != "" {
		b.officeHours()
	}
	if cfg.Savings && on.provider == aws {
		b.savings()
	}
	b.trim()
	if cfg.Labels && !on.slurm {
		b.tell()
	}
	b.wear()
	b.taints()
	if on.provider == owned {
		for _, n := range w.nodes {
			n.launch = w.ownedSince()
		}
	}
	for _, n := range w.nodes {
		for _, d := range n.devices {
			d.settle()
		}
	}
	w.to = min(w.end, cfg.Until.Unix())
	return w
}

func ceilDay(t int64) int64 { return (t + 86399) / 86400 * 86400 }

// scenes lets the cell's machines live as far as the site has them.
func (b *builder) scenes() {
	old := b.cell < max(1, b.cells*2/5)
	for _, s := range []struct {
		typ   string
		first bool // of what the fleet began with
		play  func()
	}{
		{b.site.training, true, b.trainingPair}, {b.site.spot, true, b.spotPair}, {b.site.cut, false, b.migNode},
		{b.site.shared, false, b.sharedNode}, {b.site.serving, false, b.serving}, {b.site.bench, true, b.workbenches},
	} {
		if b.from = b.fine; old && s.first {
			b.from = b.world.from
		}
		if s.typ != "" {
			s.play()
		}
	}
}

// trim forgets what would only begin after the end of the data.
func (b *builder) trim() {
	nodes, pods, objects := b.nodes[:0], b.pods[:0], b.objects[:0]
	for _, n := range b.nodes {
		if n.launch < b.to {
			n.idx = len(nodes)
			nodes = append(nodes, n)
		}
	}
	for _, p := range b.pods {
		if p.created < b.to && p.created < p.end && p.node.launch < b.to {
			p.idx = len(pods)
			pods = append(pods, p)
		}
	}
	for _, o := range b.objects {
		if o.created < b.to {
			objects = append(objects, o)
		}
	}
	b.nodes, b.pods, b.objects = nodes, pods, objects
}

// gaps plants holes in kube-state-metrics: about one a day.
func (b *builder) gaps() {
	for day := b.world.from; day < b.to; day += 86400 {
		if b.r.chance(75) {
			from := day + b.r.between(2*3600, 20*3600)
			b.ksmGaps = append(b.ksmGaps, span{from, from + b.r.between(4*60, 22*60)})
		}
	}
}

func (b *builder) namespaces() {
	for _, t := range allTeams {
		o := &object{kind: "Namespace", name: t.ns, created: b.from - 86400*90}
		if t.name != "" && t.name != research.name {
			o.labels = []label{{"label_team", t.name}, {"label_cost_center", t.costCenter}}
		}
		b.objects = append(b.objects, o)
	}
	b.objects = append(b.objects, &object{kind: "Namespace", name: "gpu-operator", created: b.from - 86400*90,
		labels: []label{{"label_team", platform.name}}})
}

// nodeOpts are the choices of a new node.
type nodeOpts struct {
	typ      string
	pool     string
	spot     bool
	planned  bool
	at       int64 // launch
	block    bool  // bought as a capacity block
	replicas int
	team     string // node label and billing tag
}

func (b *builder) newNode(o nodeOpts) *node {
	r := b.r
	n := &node{
		idx: len(b.nodes), typ: typeOf(o.typ), pool: o.pool, spot: o.spot, planned: o.planned, block: o.block, joined: true,
		zone: "us-east-1" + string(rune('a'+r.between(0, 2))), launch: o.at, replicas: max(1, o.replicas),
		modern: r.chance(40), profiling: true, phase: r.between(0, 58), phaseMilli: r.between(0, 999), billTeam: o.team,
	}
	for {
		n.name = fmt.Sprintf("ip-10-%d-%d-%d.ec2.internal", 20+b.cell%200, r.between(0, 255), r.between(4, 250))
		if !b.named[n.name] {
			b.named[n.name] = true
			break
		}
	}
	n.instanceID = fmt.Sprintf("i-0%016x", r.next())
	b.identify(n)
	n.created = n.launch + r.between(110, 240)
	n.expFrom = n.created + r.between(40, 95)
	for i := range n.typ.gpus {
		n.devices = append(n.devices, &device{uuid: "GPU-" + r.uuid(), index: i, node: n, occ: map[int32][]*occupancy{}, energy0: r.between(1e9, 9e11)})
	}
	n.labels = b.nodeLabels(n)
	if o.team != "" {
		n.labels = append(n.labels, label{"label_team", o.team})
	}
	b.nodes = append(b.nodes, n)
	if !b.site.slurm { // there it is a service of the machine
		b.exporter(n)
	}
	return n
}

// exporter adds the DaemonSet pod of dcgm-exporter.
func (b *builder) exporter(n *node) {
	p := &pod{ns: "gpu-operator", name: "nvidia-dcgm-exporter-" + b.r.word(5), node: n, ownerKind: "DaemonSet",
		ownerName: "nvidia-dcgm-exporter", rootKind: "DaemonSet", rootName: "nvidia-dcgm-exporter", container: "nvidia-dcgm-exporter",
		created: n.created + 2, scheduled: n.created + 3, started: n.created + 30}
	b.add(p)
	n.exporterPod = p
}

// add gives the pod its identity and, when its end is not yet known, lets it
// run to the end of the data.
func (b *builder) add(p *pod) *pod {
	p.idx, p.uid = len(b.pods), b.r.uuid()
	if p.end == 0 {
		p.end, p.exit = b.to, exitRunning
	}
	b.pods = append(b.pods, p)
	return p
}

// finish closes the life of a pod that ends at t; when t lies beyond the data
// it stays running.
func (b *builder) finish(p *pod, t int64, how exit, reason string) {
	if t >= b.to {
		p.end, p.exit, p.reason, p.removed, p.deletion = b.to, exitRunning, "", 0, 0
		return
	}
	p.end, p.exit, p.reason = t, how, reason
	switch how {
	case exitSucceeded:
		p.removed = t + 1200
		p.linger = b.r.between(0, 100)
	case exitFailed:
		p.removed = t + b.r.between(90, 170)
		p.linger = b.r.between(0, 60)
	case exitDeleted:
		p.deletion = t - b.r.between(2, 28)
		p.removed = t + b.r.between(0, 2)
	case exitNode:
		p.removed = t + b.r.between(35, 90)
	}
}

// endNode ends the instance at t. Pods that still run there go with it.
func (b *builder) endNode(n *node, t int64, silent bool) {
	n.end, n.silent = t, silent
	n.kubeEnd = t + b.r.between(70, 150)
	if silent {
		n.kubeEnd = t + b.r.between(130, 280)
		n.notReady = append(n.notReady, span{t + 40, n.kubeEnd})
	}
	for _, p := range b.pods {
		if p.node == n && p.end > t {
			p.end, p.exit, p.reason, p.deletion = t, exitNode, "", 0
			p.removed = min(n.kubeEnd, t+b.r.between(35, 90))
			if silent { // its pods stay as long as the Node object
				p.removed = n.kubeEnd
			}
		}
	}
}

// teamLabels are the pod labels that a well-behaved team sets.
func teamLabels(t team, stage, model string) []label {
	l := []label{{"label_team", t.name}, {"label_project", t.project}, {"label_stage", stage}}
	if model != "" {
		l = append(l, label{"label_model", model})
	}
	return l
}

func gpus(n int64) []request {
	return []request{{"cpu", 8 * n}, {"nvidia_com_gpu", n}}
}

func wholeSlots(n *node, from, count int) []slotRef {
	var s []slotRef
	for i := from; i < from+count; i++ {
		s = append(s, slotRef{n.devices[i], wholeDevice})
	}
	return s
}

func (b *builder) plant(kind, what string, from, to int64) {
	b.waste = append(b.waste, Waste{kind, what, from, min(to, b.to)})
}

// runName numbers runs so that names never repeat by accident.
func (b *builder) runName(base string) string {
	b.seq++
	return fmt.Sprintf("%s-%03d", base, b.seq)
}
