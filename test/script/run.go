package script

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"gpuledger/allocation"
	"gpuledger/allocation/attempt"
	"gpuledger/allocation/fleet"
	"gpuledger/allocation/part"
	"gpuledger/allocation/policy"
	"gpuledger/allocation/share"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

type sliceSeen = allocation.SliceSeen

// Run plays the case and returns where its tables differ from what the ledger
// says. It returns an error where a statement cannot be played, where the
// engine refuses, and where a charge is not posted to the last digit.
func (c *Case) Run() ([]Difference, error) {
	var out []Difference
	err := c.play(func(s *statement, got *table) {
		if !s.want.equal(got) {
			out = append(out, c.difference(s, got))
		}
	})
	return out, err
}

// Update returns the text of the case with the tables that the ledger gives.
func (c *Case) Update() (string, error) {
	lines := slices.Clone(c.lines)
	type change struct {
		rows [2]int
		text []string
	}
	var changes []change
	err := c.play(func(s *statement, got *table) { changes = append(changes, change{s.rows, got.lines()}) })
	for _, ch := range slices.Backward(changes) {
		lines = slices.Replace(lines, ch.rows[0]-1, ch.rows[1]-1, ch.text...)
	}
	return strings.Join(lines, "\n") + "\n", err
}

// play takes the statements in turn and shows each expected table with what
// came instead.
func (c *Case) play(show func(*statement, *table)) error {
	w := newWorld(c)
	for i := range c.statements {
		s := &c.statements[i]
		if s.text != "expect" {
			if err := w.do(s); err != nil {
				return err
			}
			continue
		}
		if w.last == nil {
			return c.fault(s, s.word, "nothing is allocated yet: write allocate before expect")
		}
		got, err := w.view(s)
		if err != nil {
			return err
		}
		show(s, got)
	}
	return nil
}

// result is what an allocation gave.
type result struct {
	nodes     map[ledger.ID]*ledger.Node
	workloads map[ledger.ID]*ledger.Workload
	owners    map[ledger.ID]ledger.Owner
	charges   map[ledger.ID]*ledger.Charge
	parts     map[ledger.ID]ledger.Part
	runs      []ledger.Run
	attempts  []ledger.Attempt
	usage     []ledger.Usage
	postings  []ledger.Posting
	shared    []*share.Shared
	spans     []ledger.Span
	findings  []allocation.Diagnostic
}

func (r *result) report(list ...allocation.Diagnostic) { r.findings = append(r.findings, list...) }

// allocate takes the facts through the engine in the order of internal/posting.
func (w *world) allocate() (*result, error) {
	book, err := policy.NewBook(w.book...)
	if err != nil {
		return nil, err
	}
	r := &result{nodes: map[ledger.ID]*ledger.Node{}, workloads: map[ledger.ID]*ledger.Workload{}, owners: map[ledger.ID]ledger.Owner{}, charges: map[ledger.ID]*ledger.Charge{},
		parts: map[ledger.ID]ledger.Part{}}
	for i := range w.charges {
		r.charges[w.charges[i].ID] = &w.charges[i]
	}
	owners := &ownerBook{r: r, book: book, namespaces: w.namespaces()}
	hosts := map[ledger.ID]allocation.HostSize{}
	machines := fleet.Resolve(w.fleetInput(), book.World())
	for i := range machines {
		n := &machines[i].Node
		if said := w.machines[n.Name]; said != nil && n.GPUs != said.gpus {
			return nil, fmt.Errorf("machine %s has %d GPUs by the rules, and %d by its gpu statement", n.Name, n.GPUs, said.gpus)
		}
		n.OwnerID = owners.node(n)
		r.nodes[n.ID], hosts[n.ID] = n, allocation.HostSize{VCPU: machines[i].VCPU, MemoryMiB: machines[i].MemoryMiB}
	}
	w.attempts(r, owners, machines, book)
	parts, err := w.cut(r, owners, machines)
	if err != nil {
		return nil, err
	}
	if err := w.days(r, parts, hosts, book); err != nil {
		return nil, err
	}
	if err := w.share(r, book); err != nil {
		return nil, err
	}
	return r, w.conserved(r)
}

func (w *world) namespaces() map[[2]string]map[string]string {
	out := map[[2]string]map[string]string{}
	for _, o := range w.objects {
		if o.Kind == "Namespace" {
			key := [2]string{o.Cluster, o.Name}
			if out[key] == nil {
				out[key] = map[string]string{}
			}
			maps.Copy(out[key], o.Labels)
		}
	}
	return out
}

func (w *world) fleetInput() fleet.Input {
	in := fleet.Input{Devices: w.devices, Events: w.events, Sources: w.placementSources(), Samples: map[fleet.Name]period.Interval{}, Held: map[fleet.Name]fleet.Held{}}
	for _, name := range w.names {
		m := w.machines[name]
		if m.FirstSeen != 0 {
			in.Facts = append(in.Facts, m.NodeFact)
			continue
		}
		if m.slurm {
			in.Held[fleet.Name{Cluster: m.Cluster, Node: name}] = fleet.Held{Span: period.Interval{From: m.life.From, To: m.life.To - period.Minute + 1}, GPUs: m.gpus}
			continue
		}
		in.Samples[fleet.Name{Cluster: m.Cluster, Node: name}] = period.Interval{From: m.life.From, To: m.life.To - period.Minute + 1}
	}
	billed := map[string]fleet.Billed{}
	for _, c := range w.current() {
		if c.InstanceSeconds == nil || c.InstanceID == "" {
			continue
		}
		b, known := billed[c.InstanceID]
		b.Period.To = max(b.Period.To, c.Period.To)
		if !known || c.Period.From < b.Period.From {
			b.Period.From = c.Period.From
		}
		b.InstanceID, b.InstanceType, b.Region, b.Zone = c.InstanceID, cmp.Or(c.InstanceType, b.InstanceType), cmp.Or(c.Region, b.Region), cmp.Or(c.Zone, b.Zone)
		b.PriceClass, b.Account, b.Tags = cmp.Or(c.PriceClass, b.PriceClass), c.Account, c.Tags
		billed[c.InstanceID] = b
	}
	for _, key := range slices.Sorted(maps.Keys(billed)) {
		in.Billed = append(in.Billed, billed[key])
	}
	return in
}

// attempts resolves workloads, runs and attempts.
func (w *world) attempts(r *result, owners *ownerBook, machines []fleet.Machine, book policy.Book) {
	index := fleet.NewIndex(machines)
	built := attempt.Build(attempt.Input{
		Pods: w.pods, Objects: w.objects, Checkpoints: w.checkpoints, Placements: w.placements, Happened: w.happened, Events: w.events, Sources: w.placementSources(),
		Node: func(cluster, name string, at period.Second) (attempt.Node, bool) {
			m := index.Find(cluster, name, at)
			if m == nil {
				return attempt.Node{}, false
			}
			return attempt.Node{ID: m.ID, Keys: m.Keys, Life: m.Life, Gone: m.Gone, GPUs: m.GPUs, PriceClass: m.PriceClass}, true
		},
		Owner: func(p *ledger.WorkloadFact, root map[string]string, node ledger.ID) ledger.Owner {
			return owners.pod(p, root, r.nodes[node])
		},
	}, book.World())
	for i := range built.Workloads {
		r.workloads[built.Workloads[i].ID] = &built.Workloads[i]
	}
	r.runs, r.attempts = built.Runs, built.Attempts
	for _, f := range built.Findings {
		r.report(allocation.Diagnostic{Code: f.Code, Detail: f.Detail})
	}
}

// cut cuts the bill into parts.
func (w *world) cut(r *result, owners *ownerBook, machines []fleet.Machine) ([]ledger.Part, error) {
	named := map[string]bool{}
	bill := w.current()
	for _, c := range bill {
		named[c.InstanceID] = named[c.InstanceID] || c.InstanceSeconds != nil
	}
	cutter := part.New(part.NewFleet(fleet.Nodes(machines), func(key string) bool { return named[key] }), owners.share)
	owners.use(cutter)
	for _, c := range bill {
		cutter.Observe(c)
	}
	var parts []ledger.Part
	for _, c := range bill {
		of, err := cutter.Cut(c)
		if err != nil {
			return nil, err
		}
		parts = append(parts, of...)
	}
	parts = w.restate(r, parts)
	for i := range parts {
		r.parts[parts[i].ID] = parts[i]
	}
	return parts, nil
}

// days allocates every day of every machine, and the days of what has none.
func (w *world) days(r *result, parts []ledger.Part, hosts map[ledger.ID]allocation.HostSize, book policy.Book) error {
	byNode := map[ledger.ID][]ledger.Part{}
	for _, p := range parts {
		byNode[p.NodeID] = append(byNode[p.NodeID], p)
	}
	ids := slices.SortedFunc(maps.Keys(r.nodes), func(a, b ledger.ID) int { return bytes.Compare(a[:], b[:]) })
	for _, id := range ids {
		if n := r.nodes[id]; n.GPUs > 0 {
			if err := w.nodeDays(r, n, hosts[id], byNode[id], book); err != nil {
				return err
			}
		}
	}
	for _, day := range daysOf(period.Interval{}, byNode[ledger.ID{}]) {
		chunk, err := allocation.NodelessDay(on(byNode[ledger.ID{}], day), w.final.postings, day, book.At(day.From).Settings.Version, nil)
		if err != nil {
			return err
		}
		r.take(chunk)
	}
	w.keepFinal(r)
	return nil
}

func (r *result) take(c *allocation.Chunk) {
	r.usage, r.postings = append(r.usage, c.Usage...), append(r.postings, c.Postings...)
	r.spans = append(r.spans, c.Spans...)
	for _, p := range c.Parts {
		r.parts[p.ID] = p
	}
	r.report(c.Diagnostics...)
}

func (w *world) nodeDays(r *result, n *ledger.Node, host allocation.HostSize, parts []ledger.Part, book policy.Book) error {
	in := allocation.NodeInput{Node: *n, Host: host, Devices: slices.Clone(w.devices[fleet.Name{Cluster: n.Cluster, Node: n.Name}])}
	for i := range in.Devices {
		in.Devices[i].NodeID = n.ID
	}
	for _, e := range w.evidence {
		if e.Cluster == n.Cluster && e.Node == n.Name {
			in.Evidence = append(in.Evidence, e)
		}
	}
	for _, p := range w.placements {
		if p.Cluster == n.Cluster && p.Node == n.Name {
			in.Placements = append(in.Placements, p)
		}
	}
	r.holders(w, n, &in)
	rows := w.samples(n)
	if m := w.machines[n.Name]; m != nil {
		in.Slices = w.seenSlices(m, rows)
	}
	engines := map[policy.Policy]*allocation.NodeEngine{}
	for _, day := range daysOf(n.Life, parts) {
		pol := book.For(policy.Node{Cluster: n.Cluster, Name: n.Name, InstanceType: n.InstanceType, GPUModel: n.GPUModel}, day.From)
		if engines[pol] == nil {
			engine, err := allocation.NewNode(in, pol)
			if err != nil {
				return err
			}
			engines[pol] = engine
		}
		d := w.dayInput(n, rows, on(parts, day), day, pol.Margin())
		chunk, err := engines[pol].Day(d)
		if err != nil {
			return err
		}
		r.take(chunk)
	}
	return nil
}

// holders gives a machine its workloads and their attempts.
func (r *result) holders(w *world, n *ledger.Node, in *allocation.NodeInput) {
	of := map[ledger.ID]bool{}
	for i := range w.pods {
		p := &w.pods[i]
		v := r.workloads[ledger.NewID("workload", p.Cluster, p.UID)]
		if v != nil && v.NodeID == n.ID {
			of[v.ID] = true
			in.Workloads = append(in.Workloads, allocation.HeldWorkload{Workload: *v, System: p.System, Requests: p.Requests})
		}
	}
	for _, a := range r.attempts {
		if slices.ContainsFunc(a.Segments, func(g ledger.Segment) bool { return of[g.Workload] }) {
			in.Attempts = append(in.Attempts, a)
		}
	}
}

func (w *world) dayInput(n *ledger.Node, rows []ledger.SampleHour, parts []ledger.Part, day period.Interval, margin period.Second) allocation.DayInput {
	in := allocation.DayInput{Day: day, Parts: parts, CoveredUntil: w.coverage()[n.Account], Frozen: w.final.usageOf(n.ID, day), Finals: w.final.postings}
	if n.Account == "" {
		for _, until := range w.coverage() {
			in.MayBeBilledUntil = max(in.MayBeBilledUntil, until)
		}
	}
	in.Rate, in.ListRate = w.ratesOf(n, day)
	window := period.Interval{From: day.From - margin, To: day.To + margin}
	in.Samples, in.Before, in.After = around(rows, window)
	for _, s := range w.sources() {
		if s.Cluster == n.Cluster && window.Contains(s.Hour) {
			in.Sources = append(in.Sources, s)
		}
	}
	if m := w.machines[n.Name]; m != nil {
		for hour, bits := range w.listed(m) {
			if window.Contains(hour) {
				in.NodeStates = append(in.NodeStates, ledger.NodeStateHour{Cluster: n.Cluster, Name: n.Name, State: ledger.Listed, Hour: hour, Minutes: bits, Known: bits})
			}
		}
	}
	for _, s := range w.nodeStates {
		if s.Cluster == n.Cluster && s.Name == n.Name && window.Contains(s.Hour) {
			in.NodeStates = append(in.NodeStates, s)
		}
	}
	for _, s := range w.podStates {
		if s.Cluster == n.Cluster && window.Contains(s.Hour) {
			in.PodStates = append(in.PodStates, s)
		}
	}
	return in
}

// daysOf lists the days of a life and of parts.
func daysOf(life period.Interval, parts []ledger.Part) []period.Interval {
	days := map[period.Second]bool{}
	for d := life.From.Floor(period.Day); !life.Empty() && d < life.To; d += period.Day {
		days[d] = true
	}
	for i := range parts {
		days[parts[i].Hour.Floor(period.Day)] = true
	}
	var out []period.Interval
	for _, d := range slices.Sorted(maps.Keys(days)) {
		out = append(out, period.DayOf(d))
	}
	return out
}

func on(parts []ledger.Part, day period.Interval) []ledger.Part {
	var out []ledger.Part
	for i := range parts {
		if day.Contains(parts[i].Hour) {
			out = append(out, parts[i])
		}
	}
	return out
}

// doPolicy takes a version of the policy: policy [NAME] [from DATE] and its
// document, indented.
func (w *world) doPolicy(s *statement) error {
	name, from := fmt.Sprintf("case-%d", len(w.book)+1), ""
	for i := 0; i < len(s.args); i++ {
		switch {
		case s.args[i].text == "from" && i+1 < len(s.args):
			i++
			from = "valid_from: " + s.args[i].text
		case i == 0:
			name = s.args[0].text
		default:
			return w.c.fault(s, s.args[i], "write: policy [NAME] [from 2026-11-03]")
		}
	}
	// The document stands on the lines of the case, so that its errors name them.
	text := strings.Repeat("\n", max(s.line-2, 0)) + from + "\nversion: " + name + "\n" + strings.Join(undent(s.body), "\n")
	v, err := policy.Parse([]byte(text))
	if err != nil {
		return w.c.fault(s, s.word, "%s", err)
	}
	w.book = append(w.book, v)
	return nil
}

// undent takes the indentation of the first line off all lines.
func undent(lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	width := len(lines[0]) - len(strings.TrimLeft(lines[0], " "))
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l[min(width, len(l)-len(strings.TrimLeft(l, " "))):]
	}
	return out
}

func inverse(seconds int64) *big.Rat { return big.NewRat(period.Hour, seconds) }
