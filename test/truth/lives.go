package truth

import (
	"cmp"
	"maps"
	"math/big"
	"slices"
	"strings"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

// Lives is the figures of docs/figures.md on the lives of runs, groups, models and experiments, on owner coverage and
// on targets (15.6 to 15.8, 23).
type Lives struct {
	Attempts    map[Try]*AttemptFigures
	Groups      map[string]*Group
	Stages      map[[2]string]*Group // by group and stage
	Scaling     map[Scale]*Scaling
	Models      map[[2]string]*Model         // by model and currency
	Experiments map[[2]string]*Experiment    // by experiment and metric
	Coverage    map[[2]string]*OwnerCoverage // by key and currency
	Targets     []Target
}

// Try names an attempt.
type Try struct {
	Run, Task string
	Number    int
}

// Sum is money and time of some postings. Money is nil if no posting has any. The money of a cause is nil, too, if its
// postings have none; it is 0 if the cause has no postings, or others have money (14.2).
type Sum struct {
	Effective        *big.Rat
	Causes           map[string]*big.Rat
	unpaid           map[string]bool // causes of postings without money
	GPUHours, Active *big.Rat
	Steps            int64 // postings, each of which an engine may have rounded
}

func newSum() Sum {
	return Sum{Causes: map[string]*big.Rat{}, unpaid: map[string]bool{}, GPUHours: new(big.Rat), Active: new(big.Rat)}
}

func (s *Sum) add(p *Posting) {
	s.Steps++
	if p.GPUHours != nil {
		s.GPUHours.Add(s.GPUHours, p.GPUHours)
		s.Active.Add(s.Active, p.ActiveGPUHours)
	}
	if p.Effective == nil {
		s.unpaid[p.Cause] = true
		return
	}
	if s.Effective == nil {
		s.Effective = new(big.Rat)
	}
	s.Effective.Add(s.Effective, p.Effective)
	if s.Causes[p.Cause] == nil {
		s.Causes[p.Cause] = new(big.Rat)
	}
	s.Causes[p.Cause].Add(s.Causes[p.Cause], p.Effective)
}

// Cause is the cost of a cause.
func (s *Sum) Cause(name string) *big.Rat {
	if v := s.Causes[name]; v != nil {
		return v
	}
	if s.Effective == nil && s.unpaid[name] {
		return nil
	}
	return new(big.Rat)
}

// LivesOf computes the Lives of a fleet.
func LivesOf(f *fleetsim.Fleet) *Lives {
	all := &Lives{Attempts: map[Try]*AttemptFigures{}, Groups: map[string]*Group{}, Stages: map[[2]string]*Group{},
		Scaling: map[Scale]*Scaling{},
		Models:  map[[2]string]*Model{}, Experiments: map[[2]string]*Experiment{}, Coverage: map[[2]string]*OwnerCoverage{}}
	parts := truths(f)
	days := newTargetDays()
	var results []world.ExperimentResult
	for _, t := range parts {
		l := t.lives(all)
		l.attempts()
		l.groups()
		l.scaling()
		served := t.inference()
		l.models(served)
		l.coverage()
		days.of(t, served)
		if t.Site == world.OnAWS {
			results = t.ExperimentResults()
		}
	}
	all.experiments(parts, results)
	all.Targets = days.judged()
	return all
}

// livesTruth is one cluster's part.
type livesTruth struct {
	*truth
	all   *Lives
	byUID map[string]*heldPod
	runs  map[string]*runLife
}

// runLife is a run with its cost over its whole life.
type runLife struct {
	*Run
	Sum
	pods []*heldPod // in order of hold start
}

func (r *runLife) label(keys ...string) string {
	return world.FirstLabel(r.pods[0].p.Labels, keys...)
}

func (t *truth) lives(all *Lives) *livesTruth {
	l := &livesTruth{truth: t, all: all, byUID: map[string]*heldPod{}}
	for _, h := range t.held {
		l.byUID[h.p.UID] = h
	}
	l.runs = t.runLives()
	return l
}

func (t *truth) runLives() map[string]*runLife {
	runs := map[string]*runLife{}
	for i := range t.out.Runs {
		runs[t.out.Runs[i].ID] = &runLife{Run: &t.out.Runs[i], Sum: newSum()}
	}
	for _, h := range t.held {
		if r := runs[h.runID]; r != nil {
			r.pods = append(r.pods, h)
		}
	}
	for i := range t.out.Postings {
		if r := runs[t.out.Postings[i].RunID]; r != nil {
			r.add(&t.out.Postings[i])
		}
	}
	return runs
}

// MayBeLost is the most that may be lost of a try whose end was not observed (6.10).
func (f *AttemptFigures) MayBeLost() *big.Rat {
	held := new(big.Rat)
	for _, cause := range []string{"used", "held_idle", "overhead", "unobserved"} {
		if c := f.Causes[cause]; c != nil {
			held.Add(held, c)
		}
	}
	if f.MayLoseFrom == 0 {
		return new(big.Rat)
	}
	return held.Mul(held, big.NewRat(f.EndAt-f.MayLoseFrom, f.EndAt-f.StartedAt))
}

// AttemptFigures is one try: its cost and its hold.
type AttemptFigures struct {
	Sum
	Attempt
	GPUs, Nodes int // slots held at most at once; machines
	GangWait    *big.Rat
}

func (l *livesTruth) attempts() {
	for i := range l.out.Attempts {
		a := &l.out.Attempts[i]
		f := &AttemptFigures{Sum: newSum(), Attempt: *a, GPUs: slotsAtOnce(a, l.runs[a.RunID].pods), GangWait: new(big.Rat)}
		nodes := map[*world.Node]bool{}
		for _, uid := range a.PodUIDs {
			nodes[l.byUID[uid].p.Node] = true
		}
		f.Nodes = len(nodes)
		l.all.Attempts[Try{a.RunID, a.Task, a.Number}] = f
	}
	waits := gangWaits(l.out)
	for i := range l.out.Postings {
		p := &l.out.Postings[i]
		f := l.all.Attempts[Try{p.RunID, p.Task, p.Attempt}]
		if f == nil {
			continue
		}
		f.add(p)
		if w := waits[waitKey(&p.Key)]; p.Cause == "overhead" && w.overhead > 0 && p.Effective != nil {
			f.GangWait.Add(f.GangWait, new(big.Rat).Mul(p.Effective, big.NewRat(w.waiting, w.overhead)))
		}
	}
}

// Group is a group of runs, or its runs of one stage.
type Group struct {
	Runs, Succeeded, Failed, Cancelled, Open int
	Attempts, Preemptions                    int
	Started, Ended                           int64 // Ended: 0 while one is open
	Team                                     string
	Priced                                   int // completed runs with a known cost
}

func (l *livesTruth) groups() {
	for _, r := range sortedRuns(l.runs) {
		name := r.label("label_gpuledger_io_group")
		if name == "" {
			continue
		}
		stage := [2]string{name, r.stage()}
		if l.all.Groups[name] == nil {
			l.all.Groups[name] = &Group{Team: r.Team}
		}
		if l.all.Stages[stage] == nil {
			l.all.Stages[stage] = &Group{Team: r.Team}
		}
		for _, g := range []*Group{l.all.Groups[name], l.all.Stages[stage]} {
			g.takeIn(r)
		}
	}
}

// stage is rule 9.4 for the spellings of the simulator.
func (r *runLife) stage() string { return strings.ReplaceAll(r.label("label_stage"), "-", "_") }

func (g *Group) takeIn(r *runLife) {
	if g.Runs++; g.Runs == 1 || r.Started < g.Started {
		g.Started = r.Started
	}
	g.Ended = max(g.Ended, r.Ended)
	switch r.Status {
	case "succeeded":
		g.Succeeded++
		if r.Effective != nil {
			g.Priced++
		}
	case "failed":
		g.Failed++
	case "cancelled":
		g.Cancelled++
	case "running", "queued":
		g.Open++
	}
	if g.Open > 0 {
		g.Ended = 0
	}
	g.Attempts += r.Attempts
	g.Preemptions += r.Preemptions
	if r.Team != g.Team {
		g.Team = ""
	}
}

func sortedRuns(runs map[string]*runLife) []*runLife {
	list := make([]*runLife, 0, len(runs))
	for _, r := range runs {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *runLife) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// Scale names similar completed runs.
type Scale struct {
	Team, Model, Kind string
	GPUs              int
}

// Scaling is their number and their use.
type Scaling struct {
	Sum
	Runs, Priced int64 // all of them, and those with a known cost
	Seconds      int64 // from first hold to end, together
	Smallest     int   // GPU count that completed any
	PerRun       *big.Rat
	Efficiency   *big.Rat // nil: no GPU-hours to compare
	CostPerRun   *big.Rat
	MeanDuration *big.Rat
}

func (l *livesTruth) scaling() {
	for _, r := range sortedRuns(l.runs) {
		if r.Status != "succeeded" || r.GPUs == 0 || r.Steps == 0 { // without a hold there are no figures
			continue
		}
		k := Scale{r.Team, r.Model, r.Kind, r.GPUs}
		s := l.all.Scaling[k]
		if s == nil {
			s = &Scaling{Sum: newSum()}
			l.all.Scaling[k] = s
		}
		s.Runs++
		s.Seconds += r.Ended - r.Started
		if r.Effective != nil {
			s.Priced++
		}
		s.merge(&r.Sum)
	}
	for k, s := range l.all.Scaling {
		s.Smallest = k.GPUs
		for o := range l.all.Scaling {
			if o.Team == k.Team && o.Model == k.Model && o.Kind == k.Kind {
				s.Smallest = min(s.Smallest, o.GPUs)
			}
		}
		s.PerRun = new(big.Rat).Quo(s.GPUHours, big.NewRat(s.Runs, 1))
		s.MeanDuration = big.NewRat(s.Seconds, s.Runs)
		if s.Effective != nil {
			s.CostPerRun = new(big.Rat).Quo(s.Effective, big.NewRat(s.Priced, 1))
		}
	}
	for k, s := range l.all.Scaling {
		k.GPUs = s.Smallest
		if s.PerRun.Sign() > 0 {
			s.Efficiency = new(big.Rat).Quo(l.all.Scaling[k].PerRun, s.PerRun)
		}
	}
}

// merge adds another sum.
func (s *Sum) merge(o *Sum) {
	s.Steps += o.Steps
	s.GPUHours.Add(s.GPUHours, o.GPUHours)
	s.Active.Add(s.Active, o.Active)
	maps.Copy(s.unpaid, o.unpaid)
	if o.Effective == nil {
		return
	}
	if s.Effective == nil {
		s.Effective = new(big.Rat)
	}
	s.Effective.Add(s.Effective, o.Effective)
	for cause, v := range o.Causes {
		if s.Causes[cause] == nil {
			s.Causes[cause] = new(big.Rat)
		}
		s.Causes[cause].Add(s.Causes[cause], v)
	}
}
