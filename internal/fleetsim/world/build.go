package world

import (
	"fmt"
)

// builder makes a world cell by cell. A cell is 40 GPUs with separate events, so fleets of any size have the same
// texture.
type builder struct {
	*World
	from       int64 // where the current scenes begin; hides the world's
	cell       int   // one of cells
	cells      int
	r          *RNG
	named      map[string]bool
	inSet      map[string]int64 // machines so far, per scale set
	seq        int
	namesGiven int // to servers
}

// Team is one owner with its habits.
type Team struct {
	Name, NS, project, CostCenter string
	models                        []string
}

// The teams.
var (
	Foundation = Team{
		"foundation-models", "fm-training", "atlas", "cc-4100", []string{"atlas-70b", "atlas-13b", "atlas-moe"},
	}
	Ranking  = Team{"search-ranking", "search", "rank-v3", "cc-2210", []string{"ranker-large", "ranker-base"}}
	Vision   = Team{"vision", "vision", "shelf-scan", "cc-3300", []string{"shelf-vit", "ocr-small"}}
	Speech   = Team{"speech", "speech", "call-notes", "cc-3350", []string{"whisper-tuned", "diarize"}}
	Platform = Team{"ml-platform", "ml-platform", "platform", "cc-1000", nil}
	Research = Team{"applied-research", "research", "explore", "cc-5000", []string{"toy-lm", "probe"}}
	sandbox  = Team{"", "sandbox", "", "", []string{"scratch"}}
	allTeams = []Team{Foundation, Ranking, Vision, Speech, Platform, Research, sandbox}
)

func build(cfg Config, on *Site) *World {
	w := &World{Config: cfg, Site: on, From: cfg.Start.AddDate(0, 0, -cfg.History).Unix(), Fine: cfg.Start.Unix()}
	if w.Begin = w.Fine; cfg.Review {
		w.Begin = max(w.From, w.Fine-reviewed*86400)
	}
	end := w.Fine + int64(cfg.Days)*86400
	w.BillTo = cfg.BilledUntil.Unix() - int64(cfg.BillLagHours)*3600
	w.BillTo -= w.BillTo % 3600
	switch on.Provider {
	case Azure: // bills whole days only
		w.BillTo -= w.BillTo % 86400
	case Owned: // its cost is known in advance
		w.BillTo = min(end, ceilDay(cfg.BilledUntil.Unix()))
	}
	w.End = end - 60 // one step early: a node counts as up for a step after its last sample, and the data end with the day
	w.To = w.End
	b := &builder{World: w, from: w.Begin, named: map[string]bool{}, inSet: map[string]int64{}}
	b.r = NewRNG(cfg.Seed, 1)
	if !on.Slurm {
		b.gaps()
		b.namespaces()
	}
	b.cells = 1
	if on.Provider == AWS {
		b.cells = max(1, (cfg.GPUs+20)/40)
	}
	for c := range b.cells {
		b.cell, b.r = c, NewRNG(cfg.Seed, 2, uint64(c))
		if on.Slurm {
			b.slurm()
		} else {
			b.scenes()
		}
	}
	b.from, b.r = w.Fine, NewRNG(cfg.Seed, 3)
	if on.Provider == AWS || on.Provider == GCP {
		b.neverJoined()
	}
	if !on.Slurm {
		b.trouble()
	}
	b.r = NewRNG(cfg.Seed, 5)
	b.upgrades()
	b.driverReloads()
	b.restarts()
	if cfg.Commitments && on.Provider == AWS {
		b.r = NewRNG(cfg.Seed, 4)
		b.blockNode()
	}
	b.from = w.Begin
	if on.cut != "" {
		for b.cell = 0; b.cell < b.cells; b.cell += 5 {
			b.wasteLab()
		}
		b.developCard()
	}
	if on.Provider == AWS && on.Serving != "" {
		b.officeHours()
	}
	if cfg.Savings && on.Provider == AWS {
		b.savings()
	}
	if cfg.Review && on.Provider == AWS {
		b.review()
	}
	b.trim()
	if cfg.Labels && !on.Slurm {
		b.tell()
	}
	b.wear()
	b.taints()
	if on.Provider == Owned {
		for _, n := range w.Nodes {
			n.Launch = w.OwnedSince()
		}
	}
	for _, n := range w.Nodes {
		for _, d := range n.Devices {
			d.settle()
		}
	}
	w.To = min(w.End, cfg.Until.Unix())
	return w
}

func ceilDay(t int64) int64 { return (t + 86399) / 86400 * 86400 }

// scenes plays the scenes for which the site has machines.
func (b *builder) scenes() {
	old := b.cell < max(1, b.cells*2/5)
	for _, s := range []struct {
		typ   string
		first bool // part of the fleet from the beginning
		play  func()
	}{
		{b.Site.Training, true, b.trainingPair}, {b.Site.Spot, true, b.spotPair}, {b.Site.cut, false, b.migNode},
		{b.Site.shared, false, b.sharedNode}, {b.Site.Serving, false, b.serving}, {b.Site.Bench, true, b.workbenches},
	} {
		if b.from = b.Begin; old && s.first {
			b.from = b.World.From
		}
		if s.typ != "" {
			s.play()
		}
	}
}

// trim removes everything that would only begin after the end of the data.
func (b *builder) trim() {
	nodes, pods, objects := b.Nodes[:0], b.Pods[:0], b.Objects[:0]
	for _, n := range b.Nodes {
		if n.Launch < b.To {
			n.Idx = len(nodes)
			nodes = append(nodes, n)
		}
	}
	for _, p := range b.Pods {
		if p.Created < b.To && p.Created < p.End && p.Node.Launch < b.To {
			p.Idx = len(pods)
			pods = append(pods, p)
		}
	}
	for _, o := range b.Objects {
		if o.Created < b.To {
			objects = append(objects, o)
		}
	}
	b.Nodes, b.Pods, b.Objects = nodes, pods, objects
}

// gaps plants holes in kube-state-metrics: about one a day.
func (b *builder) gaps() {
	for day := b.World.From; day < b.To; day += 86400 {
		if b.r.Chance(75) {
			from := day + b.r.Between(2*3600, 20*3600)
			b.KSMGaps = append(b.KSMGaps, Span{from, from + b.r.Between(4*60, 22*60)})
		}
	}
}

func (b *builder) namespaces() {
	for _, t := range allTeams {
		o := &Object{Kind: "Namespace", Name: t.NS, Created: b.from - 86400*90}
		if t.Name != "" && t.Name != Research.Name {
			o.Labels = []Label{{"label_team", t.Name}, {"label_cost_center", t.CostCenter}}
		}
		b.Objects = append(b.Objects, o)
	}
	b.Objects = append(b.Objects, &Object{Kind: "Namespace", Name: "gpu-operator", Created: b.from - 86400*90,
		Labels: []Label{{"label_team", Platform.Name}}})
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

func (b *builder) newNode(o nodeOpts) *Node {
	r := b.r
	n := &Node{
		Idx: len(b.Nodes), Type: TypeOf(o.typ), Pool: o.pool, Spot: o.spot, Planned: o.planned, Block: o.block, Joined: true,
		Zone: "us-east-1" + string(rune('a'+r.Between(0, 2))), Launch: o.at, Replicas: max(1, o.replicas),
		Modern: r.Chance(40), Profiling: true, Phase: r.Between(0, 58), PhaseMilli: r.Between(0, 999), BillTeam: o.team,
	}
	for {
		n.Name = fmt.Sprintf("ip-10-%d-%d-%d.ec2.internal", 20+b.cell%200, r.Between(0, 255), r.Between(4, 250))
		if !b.named[n.Name] {
			b.named[n.Name] = true
			break
		}
	}
	n.InstanceID = fmt.Sprintf("i-0%016x", r.Next())
	b.identify(n)
	n.Created = n.Launch + r.Between(110, 240)
	n.ExpFrom = n.Created + r.Between(40, 95)
	for i := range n.Type.GPUs {
		n.Devices = append(n.Devices, &Device{
			UUID: "GPU-" + r.UUID(), Index: i, Node: n, Occ: map[int32][]*Occupancy{}, Energy0: r.Between(1e9, 9e11),
		})
	}
	n.Labels = b.nodeLabels(n)
	if o.team != "" {
		n.Labels = append(n.Labels, Label{"label_team", o.team})
	}
	b.Nodes = append(b.Nodes, n)
	if !b.Site.Slurm { // there it is a service of the machine
		b.exporter(n)
	}
	return n
}

// exporter adds the DaemonSet pod of dcgm-exporter.
func (b *builder) exporter(n *Node) {
	p := &Pod{NS: "gpu-operator", Name: "nvidia-dcgm-exporter-" + b.r.Word(5), Node: n, OwnerKind: "DaemonSet",
		OwnerName: "nvidia-dcgm-exporter", RootKind: "DaemonSet",
		RootName: "nvidia-dcgm-exporter", Container: "nvidia-dcgm-exporter",
		Created: n.Created + 2, Scheduled: n.Created + 3, Started: n.Created + 30}
	b.add(p)
	n.exporterPod = p
}

// add gives the pod its identity and, if its end is not yet known, lets it run to the end of the data.
func (b *builder) add(p *Pod) *Pod {
	p.Idx, p.UID = len(b.Pods), b.r.UUID()
	if p.End == 0 {
		p.End, p.Exit = b.To, exitRunning
	}
	b.Pods = append(b.Pods, p)
	return p
}

// finish ends the life of a pod at t; if t lies beyond the data, the pod stays running.
func (b *builder) finish(p *Pod, t int64, how Exit, reason string) {
	if t >= b.To {
		p.End, p.Exit, p.Reason, p.Removed, p.Deletion = b.To, exitRunning, "", 0, 0
		return
	}
	p.End, p.Exit, p.Reason = t, how, reason
	switch how {
	case ExitSucceeded:
		p.Removed = t + 1200
		p.linger = b.r.Between(0, 100)
	case ExitFailed:
		p.Removed = t + b.r.Between(90, 170)
		p.linger = b.r.Between(0, 60)
	case exitDeleted:
		p.Deletion = t - b.r.Between(2, 28)
		p.Removed = t + b.r.Between(0, 2)
	case exitNode:
		p.Removed = t + b.r.Between(35, 90)
	}
}

// endNode ends the instance at t. Pods that still run there go with it.
func (b *builder) endNode(n *Node, t int64, silent bool) {
	n.End, n.Silent = t, silent
	n.KubeEnd = t + b.r.Between(70, 150)
	if silent {
		n.KubeEnd = t + b.r.Between(130, 280)
		n.NotReady = append(n.NotReady, Span{t + 40, n.KubeEnd})
	}
	for _, p := range b.Pods {
		if p.Node == n && p.End > t {
			p.End, p.Exit, p.Reason, p.Deletion = t, exitNode, "", 0
			p.Removed = min(n.KubeEnd, t+b.r.Between(35, 90))
			if silent { // its pods stay as long as the Node object
				p.Removed = n.KubeEnd
			}
		}
	}
}

// teamLabels are the pod labels that a well-behaved team sets.
func teamLabels(t Team, stage, model string) []Label {
	l := []Label{{"label_team", t.Name}, {"label_project", t.project}, {"label_stage", stage}}
	if model != "" {
		l = append(l, Label{"label_model", model})
	}
	return l
}

func gpus(n int64) []Request {
	return []Request{{"cpu", 8 * n}, {"nvidia_com_gpu", n}}
}

func wholeSlots(n *Node, from, count int) []SlotRef {
	var s []SlotRef
	for i := from; i < from+count; i++ {
		s = append(s, SlotRef{n.Devices[i], WholeDevice})
	}
	return s
}

func (b *builder) plant(kind, what string, from, to int64) {
	b.Waste = append(b.Waste, Waste{kind, what, from, min(to, b.To)})
}

// runName numbers runs so that names never repeat by accident.
func (b *builder) runName(base string) string {
	b.seq++
	return fmt.Sprintf("%s-%03d", base, b.seq)
}

// All are the clusters of a fleet, the one on AWS first. It refuses inconsistent configurations.
func All(cfg Config) ([]*World, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	var out []*World
	add := func(on *Site) {
		own := cfg
		if on != OnAWS {
			own.Cluster = on.cluster
			own.Seed = cfg.Seed + 1_000_003*int64(len(out)) // separate seeds keep pods of different clusters distinct
			switch {
			case on == onMetal:
			case cfg.Review:
				own.History = min(cfg.History, reviewed)
			default:
				own.History = 0
			}
		}
		w := build(own, on)
		if cfg.Unbilled {
			w.BillTo = 0
		}
		out = append(out, w)
	}
	add(OnAWS)
	for _, more := range []struct {
		wanted bool
		on     *Site
	}{{cfg.GCP, onGCP}, {cfg.Azure, onAzure}, {cfg.Owned, onMetal}, {cfg.Slurm, onSlurm}} {
		if more.wanted {
			add(more.on)
		}
	}
	return out, nil
}
