package machines

import (
	"net/url"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics/fleet"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/chart"
	"gpuledger/web/views/format"
)

var clusterHeads = views.Heads(
	"Cluster: key.cluster", "#Nodes: key.node wide-only", "#GPUs: figure.devices", "State: figure.state_now",
	"#Active: figure.state_now", "#Held idle: figure.state_now", "#Free: figure.state_now wide-only",
	"#Silent: figure.state_now wide-only", "%Mean activity: figure.activity_now wide-only",
	"Newest sample: figure.newest_sample xl-only nowrap",
)

const (
	wholePPM    = 1_000_000
	mostHolders = 2 // named per device; the rest is counted
)

func pageNumber(n int) string { return strconv.Itoa(n) }

// fleetCounts fills in the counts on top.
func fleetCounts(p *page.Context, v *views.FleetNow, snap *fleet.Snapshot) {
	all := int64(snap.GPUs)
	count := func(state fleet.State, label string, n int, note string) views.FleetCount {
		c := views.FleetCount{Label: label, Count: format.Count(int64(n)), Note: note}
		if state != "" {
			c.State, c.Href, c.Current = stateNames[state].class, p.Scope.With("state", string(state)),
				p.Scope.Pick.State == string(state)
			if c.Current {
				c.Href = p.Scope.With("state", "")
			}
		}
		return c
	}
	share := func(n int) string { return format.WholePercent(ratio(int64(n)), ratio(all)) }
	v.States = append(v.States, count("", "GPUs", snap.GPUs, "on "+format.Plural(snap.Counts.Nodes, "node", "nodes")),
		count("", "Held", snap.Held, share(snap.Held)))
	for _, s := range fleet.States {
		v.States = append(v.States, count(s, stateNames[s].label, snap.ByState[s], share(snap.ByState[s])))
	}
	v.Facts = append(v.Facts, views.Fact{
		Name: "Mean activity", Define: "figure.activity_now", Value: meanActivity(&snap.Counts),
		Note: "of " + format.Count(int64(snap.Known)) + " with a value",
	})
	v.Strip = stateStrip(&snap.Counts, "head")
}

func meanActivity(c *fleet.Counts) views.Figure {
	if c.Known == 0 {
		return views.Figure{Text: format.NA, Title: "no device reports its activity", Zero: true}
	}
	return views.Figure{Text: format.WholePercent(ratio(c.SumPPM), ratio(int64(c.Known)*wholePPM))}
}

// stateStrip draws devices by state.
func stateStrip(c *fleet.Counts, size string) views.Strip {
	s := views.Strip{Size: size}
	var label []string
	for _, state := range fleet.States {
		n := c.ByState[state]
		if n == 0 {
			continue
		}
		name := stateNames[state]
		grow := max(n*1000/max(c.GPUs, 1), 1)
		s.Segments = append(s.Segments, views.Segment{
			Cause: name.class, Label: name.label, Amount: format.Count(int64(n)), Grow: "g" + strconv.Itoa(grow),
		})
		label = append(label, name.label+" "+format.Count(int64(n)))
	}
	s.Label = strings.Join(label, ", ")
	return s
}

// poolsPanel shows a row per cluster.
func poolsPanel(p *page.Context, snap *fleet.Snapshot) views.TablePanel {
	t := views.Table{Caption: "Clusters", Heads: clusterHeads}
	number := func(n int) views.Cell {
		return views.Cell{Figure: views.Figure{Text: format.Count(int64(n)), Zero: n == 0}}
	}
	for i := range snap.Pools {
		pool := &snap.Pools[i]
		strip := stateStrip(&pool.Counts, "row")
		sub := ""
		if pool.Placed+fleet.HeldFor < snap.AsOf {
			sub = "holders are not known"
		}
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{
			{Figure: views.Figure{Text: pool.Cluster}, Name: true, Href: p.Scope.With("cluster", pool.Cluster), Sub: sub},
			number(pool.Counts.Nodes), number(pool.GPUs), {Strip: &strip},
			number(pool.ByState[fleet.Active]), number(pool.ByState[fleet.Idle]),
			number(pool.ByState[fleet.Free]), number(pool.ByState[fleet.Silent]),
			{Figure: meanActivity(&pool.Counts)}, views.Text(ago(snap.AsOf, pool.Newest) + " ago"),
		}})
	}
	return views.TablePanel{Title: "Clusters", Note: "devices by state", Table: t}
}

// fleetGroups groups the nodes of the page by cluster.
func fleetGroups(p *page.Context, snap *fleet.Snapshot) []views.FleetGroup {
	var out []views.FleetGroup
	for i := range snap.Nodes {
		n := &snap.Nodes[i]
		if len(out) == 0 || out[len(out)-1].Cluster != n.Cluster {
			out = append(out, views.FleetGroup{
				Cluster: n.Cluster, Note: "each cell a GPU: activity now, the hour before, holder, memory, power, temperature",
			})
		}
		g := &out[len(out)-1]
		g.Nodes = append(g.Nodes, fleetNode(p.Scope, n, snap))
	}
	return out
}

func fleetNode(at page.Scope, n *fleet.Node, snap *fleet.Snapshot) views.FleetNode {
	v := views.FleetNode{Name: n.Name}
	models := map[string]int{}
	for i := range n.Devices {
		d := &n.Devices[i]
		models[d.Model]++
		c := fleetCell(at, n, d, snap.AsOf)
		if !snap.InPart || d.Named() { // scoped users have no page for other teams' devices
			c.Href = at.Carried(devicePath(d.UUID))
		}
		v.Cells = append(v.Cells, c)
	}
	if len(models) == 1 {
		v.Lines = append(v.Lines, strconv.Itoa(len(n.Devices))+" × "+shortModel(n.Devices[0].Model))
	}
	for _, line := range []string{n.InstanceType, n.Zone} {
		if line != "" {
			v.Lines = append(v.Lines, line)
		}
	}
	if n.PriceClass != "" {
		v.Class = &views.Tag{Text: strings.ReplaceAll(string(n.PriceClass), "_", " ")}
	}
	switch {
	case len(v.Cells) <= 2:
		v.Span = "n2"
	case len(v.Cells) <= 4:
		v.Span = "n4"
	}
	return v
}

// shortModel drops the vendor, which is always the same.
func shortModel(model string) string {
	if model == "" {
		return "GPU"
	}
	return strings.TrimPrefix(model, "NVIDIA ")
}

// shortDevice shortens a UUID to its distinguishing part.
func shortDevice(uuid string) string {
	if len(uuid) <= 14 {
		return uuid
	}
	return uuid[:8] + "…" + uuid[len(uuid)-4:]
}

func devicePath(uuid string) string { return "/fleet/devices/" + url.PathEscape(uuid) }

func fleetCell(at page.Scope, n *fleet.Node, d *fleet.Device, asOf period.Second) views.FleetCell {
	name := stateNames[d.State]
	c := views.FleetCell{
		ID: "d-" + elementID(n.Name+"-"+d.UUID), Index: strconv.Itoa(int(d.Index)), State: string(d.State), Label: name.label,
		Hour: chart.Minutes(hourOf(d), wholePPM), Device: shortDevice(d.UUID), UUID: d.UUID,
		Age: ago(asOf, d.Newest),
	}
	if d.Index < 0 {
		c.Index = "?"
	}
	for _, text := range []string{memoryText(d), powerText(d.Power), heatText(d.Temperature)} {
		if text != "" {
			c.Measured = append(c.Measured, text)
		}
	}
	if d.Activity.Known && d.State != fleet.Silent {
		c.Level = strconv.FormatInt(d.Activity.Value/(wholePPM/100), 10)
	}
	c.Value = activityFigure(d.State, d.Activity, asOf, d.Newest)
	if len(d.Slices) > 0 && !d.Activity.Known && d.State != fleet.Silent {
		c.Value = views.Figure{Text: strconv.Itoa(len(d.Slices)) + " slices"}
	}
	for i := range d.Slices {
		c.Slices = append(c.Slices, fleetSlice(at, n, &d.Slices[i], asOf, d.Newest))
	}
	for i := range d.Holders[:min(len(d.Holders), mostHolders)] {
		c.Holders = append(c.Holders, holderOf(at, n, &d.Holders[i]))
	}
	if more := len(d.Holders) - mostHolders; more > 0 {
		c.More = "+ " + strconv.Itoa(more)
	}
	if len(d.Holders) == 0 && len(d.Slices) == 0 {
		switch d.State {
		case fleet.Free:
			c.Nobody = "nobody"
		case fleet.Silent:
			c.Nobody = "holder not known"
		default:
			c.Nobody = "no known holder"
		}
	}
	c.Title = cellTitle(n, d, name.label, asOf)
	c.State, c.Label = string(d.State), name.label
	return c
}

// cellTitle lists everything about a device, one fact per line.
func cellTitle(n *fleet.Node, d *fleet.Device, state string, asOf period.Second) string {
	lines := []string{d.UUID, shortModel(d.Model) + ", GPU " + strconv.Itoa(int(d.Index)) + " of " + n.Name, state}
	if d.Activity.Known {
		lines[2] += ", " + percentOf(d.Activity.Value)
	}
	if d.Signal != "" {
		lines = append(lines, "activity: "+signalNames[d.Signal])
	} else if len(d.Slices) == 0 {
		lines = append(lines, "no activity signal in this hour")
	}
	for i := range d.Holders {
		holder := d.Holders[i].Name
		if place := d.Holders[i].Namespace; place != "" { // others have none
			holder = place + "/" + holder
		}
		lines = append(lines, "held by "+holder)
	}
	for i := range d.Slices {
		s := &d.Slices[i]
		var line strings.Builder
		line.WriteString(s.Profile + ": " + strings.ToLower(stateNames[s.State].label))
		if s.Activity.Known {
			line.WriteString(", " + percentOf(s.Activity.Value))
		}
		for j := range s.Holders {
			line.WriteString(", " + s.Holders[j].Namespace + "/" + s.Holders[j].Name)
		}
		lines = append(lines, line.String())
	}
	return strings.Join(append(lines, "newest sample "+format.Stamp(d.Newest)+", "+ago(asOf, d.Newest)+" ago"), "\n")
}

var signalNames = map[ledger.Signal]string{
	ledger.SignalGrEngine: "graphics engine active (profiling)",
	ledger.SignalGPUUtil:  "GPU utilisation (coarse: any kernel in the sample period)",
}

// activityFigure prints the activity, or why there is none.
func activityFigure(state fleet.State, a fleet.Reading, asOf, newest period.Second) views.Figure {
	switch {
	case state == fleet.Silent:
		return views.Figure{Text: "silent " + format.Duration(int64(asOf-newest))}
	case a.Known && state == fleet.Free:
		return views.Figure{Text: "free"}
	case a.Known:
		return views.Figure{Text: percentOf(a.Value)}
	case state == fleet.Free:
		return views.Figure{Text: "free"}
	}
	return views.Figure{Text: format.NA}
}

func fleetSlice(at page.Scope, n *fleet.Node, s *fleet.Slice, asOf, newest period.Second) views.FleetSlice {
	name := stateNames[s.State]
	v := views.FleetSlice{
		State: name.class, Label: name.label, Profile: s.Profile,
		Value: activityFigure(s.State, s.Activity, asOf, newest), Title: "instance " + strconv.Itoa(int(s.ID)),
	}
	if s.State == fleet.Silent {
		v.Value.Text = "silent"
	}
	if len(s.Holders) > 0 {
		h := holderOf(at, n, &s.Holders[0])
		if more := len(s.Holders) - 1; more > 0 {
			h.Name += " + " + strconv.Itoa(more)
		}
		v.Holder = &h
	}
	return v
}

func holderOf(at page.Scope, n *fleet.Node, h *fleet.Holder) views.FleetHolder {
	if h.Other() {
		return views.FleetHolder{Name: h.Name, Title: "a workload outside your access"}
	}
	v := views.FleetHolder{Name: h.Name, Title: h.Namespace + "/" + h.Name + " on " + n.Name}
	if h.RunID != "" {
		v.Href = at.Carried(page.RunPath("/runs/", h.RunID))
		v.Title += ", of run " + h.RunName
	}
	if h.From == fleet.FromLedger {
		v.Title += ", placed by allocation"
	}
	return v
}

// hourOf is the time line of a device; for a card in slices it is their mean.
func hourOf(d *fleet.Device) []int64 {
	if len(d.Slices) == 0 || d.Hour.Known() > 0 {
		return d.Hour[:]
	}
	mean := fleet.EmptyLine()
	for m := range mean {
		var sum, n int64
		for i := range d.Slices {
			if v := d.Slices[i].Hour[m]; v >= 0 {
				sum, n = sum+v, n+1
			}
		}
		if n > 0 {
			mean[m] = sum / n
		}
	}
	return mean[:]
}
