package work

import (
	"slices"
	"sort"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics/timeline"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/chart"
	"gpuledger/web/views/format"
)

const (
	mostNodes     = 24  // more are combined in one stacked row
	namedNodes    = 8   // of those, the ones with the highest loss keep a row
	mostBrackets  = 40  // more attempts than that are in the table only
	othersBuckets = 120 // steps of the stacked row
)

// runChart draws the time line of a run.
func runChart(p *page.Context, v *views.RunDetail, run Run, attempts []attemptRow, line timeline.Run) {
	if len(line.Spans) == 0 {
		return
	}
	g := chart.Gantt{Span: line.Spans[0].Interval, Threshold: .1, ActivityName: signalName(line.Activity)}
	for _, s := range line.Spans {
		g.Span.From, g.Span.To = min(g.Span.From, s.From), max(g.Span.To, s.To)
	}
	bound := map[ledger.ID]bool{}
	for _, a := range attempts {
		if a.Basis == ledger.LossNone {
			bound[a.ID] = true
			v.Bound = true
		}
	}
	ganttAttempts(&g, attempts, line.Checkpoints)
	warned := map[period.Second]bool{}
	for _, i := range line.Interruptions {
		// A warning goes to every node; one mark per minute is enough.
		if minute := i.At.Floor(period.Minute); !warned[minute] {
			warned[minute] = true
			g.Interrupted = append(g.Interrupted, i.At)
		}
	}
	g.Groups = ganttGroups(p, run, line, bound, g.Span)
	for _, b := range line.Activity.Buckets {
		mean, known := b.Mean()
		if !known {
			mean = page.Gap
		}
		g.Activity = append(g.Activity, mean)
	}
	g.Memory = ganttMemory(attempts, line.Activity.Memory, g.Span)
	g.Label = ganttLabel(g, line)
	v.Chart = &g
	v.Lines = spansTable(p, line)
	if a := line.Activity; a.Held > 0 {
		note := format.Share(countAmount(a.Known), countAmount(a.Held)) + " of " + format.Count(a.Held) +
			" device-minutes have samples"
		if !a.AllIn {
			note += "; activity is the mean of " + format.Count(int64(a.Slots)) + " slots"
		}
		v.Notes = append(v.Notes, note)
	}
}

func signalName(a timeline.Activity) string {
	switch a.Signal {
	case ledger.SignalGrEngine:
		return "graphics engine, mean"
	case ledger.SignalGPUUtil:
		return "GPU utilisation, mean"
	}
	return "mean"
}

func ganttAttempts(g *chart.Gantt, attempts []attemptRow, checkpoints []timeline.Checkpoint) {
	tasks := map[string]bool{}
	for _, a := range attempts {
		tasks[a.Task] = true
	}
	last := map[period.Second]bool{}
	for _, a := range attempts {
		if a.Checkpoint != 0 {
			last[a.Checkpoint] = true
		}
		if len(tasks) > 1 || len(attempts) > mostBrackets {
			continue
		}
		end := a.Ended
		if end == 0 {
			end = g.Span.To
		}
		g.Attempts = append(g.Attempts, chart.GanttAttempt{
			Number: int(a.Number), Span: period.Interval{From: a.Started, To: end},
			Hours:   format.Duration(int64(end - a.Started)),
			Outcome: outcomeWords(a.Outcome), Tone: outcomeTones[a.Outcome],
			NoCheckpoint: a.Basis == ledger.LossNone, Running: a.Ended == 0,
		})
	}
	for _, c := range checkpoints {
		g.Checkpoints = append(g.Checkpoints, chart.GanttCheckpoint{At: c.At, Last: last[c.At]})
	}
}

// ganttMemory shows the most memory that a GPU of each attempt used.
func ganttMemory(attempts []attemptRow, peaks map[ledger.ID]timeline.Memory, span period.Interval) []chart.GanttMemory {
	var out []chart.GanttMemory
	if len(attempts) > mostBrackets {
		return nil
	}
	for _, a := range attempts {
		peak, ok := peaks[a.ID]
		if !ok {
			continue
		}
		end := a.Ended
		if end == 0 {
			end = span.To
		}
		m := chart.GanttMemory{
			Span: period.Interval{From: a.Started, To: end},
			Text: format.Gigabytes(peak.Used), Bad: a.Outcome == string(ledger.OOM), Fill: 1,
		}
		if peak.Card > 0 {
			m.Fill = float64(peak.Used) / float64(peak.Card)
		}
		out = append(out, m)
	}
	return out
}

func ganttLabel(g chart.Gantt, line timeline.Run) string {
	said := []string{
		format.Plural(len(g.Attempts), "attempt", "attempts") + " on " + format.Plural(len(line.Nodes), "node", "nodes") +
			", " + format.Days(g.Span),
	}
	for _, a := range g.Attempts {
		if len(g.Attempts) <= 12 {
			said = append(said, format.Count(int64(a.Number))+" "+a.Outcome+" after "+a.Hours)
		}
	}
	if n := len(g.Interrupted); n > 0 {
		said = append(said, format.Plural(n, "interruption", "interruptions"))
	}
	return strings.Join(said, "; ")
}

// ganttGroups sorts nodes into price classes. A node's row shows, at each
// moment, the cause of most of its slots.
func ganttGroups(
	p *page.Context, run Run, line timeline.Run, bound map[ledger.ID]bool, span period.Interval,
) []chart.GanttGroup {
	spans := map[ledger.ID][]timeline.Span{}
	for _, s := range line.Spans {
		spans[s.NodeID] = append(spans[s.NodeID], s)
	}
	byClass := map[string][]timeline.Node{}
	for _, n := range line.Nodes {
		byClass[string(n.PriceClass)] = append(byClass[string(n.PriceClass)], n)
	}
	var groups []chart.GanttGroup
	var first []period.Second
	for _, class := range append(slices.Clone(page.PriceClassOrder), otherClasses(byClass)...) {
		nodes := byClass[class]
		if len(nodes) == 0 {
			continue
		}
		title := page.PriceClassName(class)
		if class == "" {
			title = "Unknown"
		}
		group := chart.GanttGroup{
			PriceClass: class, Title: title, Note: groupNote(nodes), Short: format.Plural(len(nodes), "node", "nodes"),
		}
		for _, price := range line.Prices {
			if string(price.Class) == class && price.Currency == string(p.Currency) {
				if rate := format.Ratio(price.Effective.Rat(), price.GPUHours.Rat()); rate != nil {
					paid := ", " + p.Currency.UnitPrice(rate) + " per GPU-hour"
					group.Note, group.Short = group.Note+paid, group.Short+paid
				}
			}
		}
		sort.SliceStable(nodes, func(i, j int) bool { return firstHeld(spans[nodes[i].ID]) < firstHeld(spans[nodes[j].ID]) })
		named := nodes
		if len(line.Nodes) > mostNodes && len(nodes) > namedNodes+1 {
			named = slices.Clone(nodes)
			sort.SliceStable(named, func(i, j int) bool {
				return lostSeconds(spans[named[i].ID]) > lostSeconds(spans[named[j].ID])
			})
			named = named[:namedNodes]
		}
		taken := map[ledger.ID]bool{}
		for _, n := range named {
			taken[n.ID] = true
			group.Nodes = append(group.Nodes, chart.GanttNode{Name: nodeName(n), Bars: nodeBars(spans[n.ID], bound)})
		}
		var rest []timeline.Span
		count := 0
		for _, n := range nodes {
			if !taken[n.ID] {
				rest = append(rest, spans[n.ID]...)
				count++
			}
		}
		if count > 0 {
			group.Nodes = append(group.Nodes, chart.GanttNode{
				Name: format.Plural(count, "other", "others"), Others: othersRow(rest, span),
			})
		}
		groups = append(groups, group)
		first = append(first, firstHeld(spans[nodes[0].ID]))
	}
	// The price class that the run began on comes first.
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return first[order[i]] < first[order[j]] })
	sorted := make([]chart.GanttGroup, len(groups))
	for i, k := range order {
		sorted[i] = groups[k]
	}
	return sorted
}

func otherClasses(byClass map[string][]timeline.Node) []string {
	var out []string
	for class := range byClass {
		if !slices.Contains(page.PriceClassOrder, class) {
			out = append(out, class)
		}
	}
	slices.Sort(out)
	return out
}

func groupNote(nodes []timeline.Node) string {
	distinct := func(get func(timeline.Node) string) string {
		var seen []string
		for _, n := range nodes {
			if v := get(n); v != "" && !slices.Contains(seen, v) {
				seen = append(seen, v)
			}
		}
		if len(seen) > 2 {
			return format.Count(int64(len(seen))) + " kinds"
		}
		return strings.Join(seen, " and ")
	}
	parts := []string{format.Plural(len(nodes), "node", "nodes")}
	zone := distinct(func(n timeline.Node) string { return n.Zone })
	if count, many := strings.CutSuffix(zone, " kinds"); many {
		zone = count + " zones"
	}
	for _, s := range []string{zone, distinct(func(n timeline.Node) string { return n.InstanceType })} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, ", ")
}

func nodeName(n timeline.Node) string {
	name := n.InstanceID
	if name == "" {
		name, _, _ = strings.Cut(n.Name, ".")
	}
	if r := []rune(name); len(r) > 17 { // the gutter holds 17 of the mono font
		return string(r[:7]) + "…" + string(r[len(r)-9:])
	}
	return name
}

func firstHeld(spans []timeline.Span) period.Second {
	first := period.Second(1 << 60)
	for _, s := range spans {
		first = min(first, s.From)
	}
	return first
}

func lostSeconds(spans []timeline.Span) int64 {
	var sum int64
	for _, s := range spans {
		if s.Cause == ledger.Lost {
			sum += s.Seconds()
		}
	}
	return sum
}

// edge is where a span begins or ends.
type edge struct {
	at    period.Second
	cause ledger.Cause
	bound bool
	by    int
}

// nodeBars sweeps the slots of a node: each stretch takes the cause of most slots, and ties
// go to the cause that is earlier in the ledger's order.
func nodeBars(spans []timeline.Span, bound map[ledger.ID]bool) []chart.GanttBar {
	type kind struct {
		cause ledger.Cause
		bound bool
	}
	var edges []edge
	for _, s := range spans {
		b := s.Cause == ledger.Lost && bound[s.Attempt]
		edges = append(edges, edge{s.From, s.Cause, b, 1}, edge{s.To, s.Cause, b, -1})
	}
	sort.Slice(edges, func(i, j int) bool { return edges[i].at < edges[j].at })
	open := map[kind]int{}
	var bars []chart.GanttBar
	for i := 0; i < len(edges); {
		at := edges[i].at
		for ; i < len(edges) && edges[i].at == at; i++ {
			open[kind{edges[i].cause, edges[i].bound}] += edges[i].by
		}
		if i == len(edges) {
			break
		}
		best, most := kind{}, 0
		for k, n := range open {
			if n > most || (n == most && n > 0 && k.cause.Order() < best.cause.Order()) {
				best, most = k, n
			}
		}
		if most == 0 {
			continue
		}
		next := period.Interval{From: at, To: edges[i].at}
		if n := len(bars); n > 0 && bars[n-1].Cause == string(best.cause) && bars[n-1].Bound == best.bound &&
			bars[n-1].Span.To == at {
			bars[n-1].Span.To = next.To
			continue
		}
		bars = append(bars, chart.GanttBar{Span: next, Cause: string(best.cause), Bound: best.bound})
	}
	return bars
}

// othersRow stacks many nodes as shares by cause per step.
func othersRow(spans []timeline.Span, span period.Interval) []chart.GanttShare {
	step := max(span.Seconds()/othersBuckets, 1)
	totals := make([]map[ledger.Cause]int64, othersBuckets+1)
	for _, s := range spans {
		from, to := int64(s.From-span.From), int64(s.To-span.From)
		for k := from / step; k <= to/step && k < int64(len(totals)); k++ {
			overlap := min(to, (k+1)*step) - max(from, k*step)
			if overlap <= 0 {
				continue
			}
			if totals[k] == nil {
				totals[k] = map[ledger.Cause]int64{}
			}
			totals[k][s.Cause] += overlap
		}
	}
	var out []chart.GanttShare
	for k, t := range totals {
		var sum int64
		for _, n := range t {
			sum += n
		}
		if sum == 0 {
			continue
		}
		from := span.From + period.Second(int64(k)*step)
		part := period.Interval{From: from, To: min(from+period.Second(step), span.To)}
		at := 1.0
		for _, info := range ledger.Causes {
			if n := t[info.Cause]; n > 0 {
				share := float64(n) / float64(sum)
				out = append(out, chart.GanttShare{Span: part, Cause: string(info.Cause), From: at - share, To: at})
				at -= share
			}
		}
	}
	return out
}
