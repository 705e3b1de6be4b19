package dashboard

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/fleet"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

const (
	nodesPerPage = 24
	fleetPoll    = "every 15s"
)

// fleet is the page of what machines do now.
func (d *Dashboard) fleet(w http.ResponseWriter, r *http.Request) {
	s, err := readFleetScope(r)
	if err != nil {
		d.refused(w, r, err)
		return
	}
	v := views.Fleet{Shell: d.shell(r, s, "fleet", "Fleet")}
	snap, err := d.readFleet(r.Context(), s)
	if err != nil {
		e := d.panelError(s, err, "The fleet")
		v.Error = &e
		d.render(w, r, d.failing(w, err), views.FleetPage(v))
		return
	}
	p := &pageContext{scope: s}
	v.Bar, v.Now = p.fleetBar(&snap), p.fleetNow(&snap)
	d.render(w, r, http.StatusOK, views.FleetPage(v))
}

// fleetNow is the part of the page that asks again by itself.
func (d *Dashboard) fleetNow(w http.ResponseWriter, r *http.Request) {
	s, err := readFleetScope(r)
	if err != nil {
		d.refused(w, r, err)
		return
	}
	s.path = "/fleet"
	snap, err := d.readFleet(r.Context(), s)
	if err != nil {
		d.log.WarnContext(r.Context(), "the fleet could not be read", "error", err)
		http.Error(w, "the fleet could not be read", http.StatusServiceUnavailable)
		return
	}
	p := &pageContext{scope: s}
	d.render(w, r, http.StatusOK, views.FleetNowPart(p.fleetNow(&snap)))
}

// readFleetScope is readScope with the states that there are.
func readFleetScope(r *http.Request) (scope, error) {
	s, err := readScope(r)
	if err != nil {
		return s, err
	}
	if s.pick.State != "" && !slices.Contains(fleet.States[:], fleet.State(s.pick.State)) {
		return s, &metrics.OptionError{Option: "state", Value: s.pick.State, Reason: "must be active, idle, unobserved, free or silent"}
	}
	return s, nil
}

func (d *Dashboard) readFleet(ctx context.Context, s scope) (fleet.Snapshot, error) {
	ctx, cancel := context.WithTimeout(ctx, panelTimeout)
	defer cancel()
	return d.reader.Fleet(ctx, fleet.Question{
		Now: d.clock(), Cluster: s.Cluster, Model: s.pick.Model, State: fleet.State(s.pick.State), Text: s.Text, Page: s.Page, PerPage: nodesPerPage,
	})
}

// clock is the server's time, 0 where it has none.
func (d *Dashboard) clock() period.Second {
	if now := d.now(); !now.IsZero() {
		return period.FromTime(now)
	}
	return 0
}

// fleetBar offers what the fleet differs in.
func (p *pageContext) fleetBar(snap *fleet.Snapshot) views.Bar {
	var b views.Bar
	menu := func(label, key, chosen string, list []string) {
		if len(list) < 2 && chosen == "" {
			return
		}
		m := views.Menu{Label: label, Value: "all", Items: []views.MenuItem{{Text: "All", Href: p.scope.with(key, ""), Current: chosen == ""}}}
		for _, x := range list[:min(len(list), 100)] {
			if x != "" {
				m.Items = append(m.Items, views.MenuItem{Text: x, Href: p.scope.with(key, x), Current: x == chosen})
			}
		}
		if chosen != "" {
			m.Value = chosen
		}
		b.Menus = append(b.Menus, m)
	}
	menu("Cluster", "cluster", p.scope.Cluster, snap.Clusters)
	menu("Model", "model", p.scope.pick.Model, snap.Models)
	states := views.Menu{Label: "State", Value: "all", Items: []views.MenuItem{{Text: "All", Href: p.scope.with("state", ""), Current: p.scope.pick.State == ""}}}
	for _, s := range fleet.States {
		current := p.scope.pick.State == string(s)
		if current {
			states.Value = strings.ToLower(stateNames[s].label)
		}
		states.Items = append(states.Items, views.MenuItem{Text: stateNames[s].label, Note: stateNames[s].means, Href: p.scope.with("state", string(s)), Current: current})
	}
	b.Menus = append(b.Menus, states)
	if p.scope.Text != "" {
		b.Chips = append(b.Chips, views.Chip{Label: "text is", Value: p.scope.Text, Remove: p.scope.with("q", "")})
	}
	b.Find = &views.Find{Action: p.scope.path, Label: "Find a node, device or holder", Placeholder: "Node, device, holder", Text: p.scope.Text}
	for _, kv := range p.scope.params() {
		if kv[0] != "q" && kv[1] != "" {
			b.Find.Hidden = append(b.Find.Hidden, kv)
		}
	}
	return b
}

// stateName is how a state is called, what it means, and the cause whose
// colour it takes.
type stateName struct{ label, means, class string }

var stateNames = map[fleet.State]stateName{
	fleet.Active:     {"Active", "at least 10 % in the newest minute", "used"},
	fleet.Idle:       {"Held idle", "held, below 10 %", "held_idle"},
	fleet.Unobserved: {"Unobserved", "activity or holder not known", "unobserved"},
	fleet.Free:       {"Free", "nobody holds it", "free"},
	fleet.Silent:     {"Silent", "no sample for 3 minutes", "silent"},
}

// fleetNow is what changes by itself.
func (p *pageContext) fleetNow(snap *fleet.Snapshot) views.FleetNow {
	v := views.FleetNow{Trigger: fleetPoll, Again: p.here(), Poll: "/fleet/now" + strings.TrimPrefix(p.here(), p.scope.path)}
	v.Sentence, v.Sub, v.Tag = fleetSentence(snap, p.scope.filteredFleet())
	if snap.GPUs == 0 {
		v.None = "No device has sent a sample yet."
		if p.scope.filteredFleet() {
			v.None, v.Clear = "No device matches the filter.", "/fleet"
		} else if snap.Newest != 0 {
			v.None = "No device was seen in the last hours of the data."
		}
		return v
	}
	p.fleetCounts(&v, snap)
	if len(snap.Pools) > 1 {
		panel := p.poolsPanel(snap)
		v.Pools = &panel
	}
	v.Groups = p.fleetGroups(snap)
	if len(v.Groups) == 0 {
		v.None, v.Clear = "No device is in this state.", p.scope.with("state", "")
	}
	if snap.Pages > 1 {
		first := (snap.Page-1)*nodesPerPage + 1
		v.Shown = "Nodes " + format.Count(int64(first)) + " – " + format.Count(int64(first+len(snap.Nodes)-1)) + " of " + format.Count(int64(snap.Matching))
		if snap.Page > 1 {
			v.Previous = p.scope.with("page", pageNumber(snap.Page-1))
		}
		if snap.Page < snap.Pages {
			v.Next = p.scope.with("page", pageNumber(snap.Page+1))
		}
	}
	v.Notes = []string{"Activity: graphics engine active, or GPU utilisation where a device has no better signal; hover says which",
		"Time lines: the hour before, a minute each; a gap is a minute without a sample", "A card in MIG slices counts as its busiest slice", "All times UTC"}
	return v
}

// here is the address of what is shown, with its page.
func (p *pageContext) here() string {
	if p.scope.Page > 1 {
		return p.scope.with("page", pageNumber(p.scope.Page))
	}
	return p.scope.with()
}

func (s scope) filteredFleet() bool { return s.Cluster+s.pick.Model+s.pick.State+s.Text != "" }

// fleetSentence says what the fleet does.
func fleetSentence(snap *fleet.Snapshot, filtered bool) (sentence, sub string, tag *views.Tag) {
	switch {
	case snap.GPUs == 0 && filtered:
		return "No device matches the filter.", "", nil
	case snap.GPUs == 0:
		return "No device is seen.", "Devices appear with the first sample of an exporter: remote_write to /api/v1/write, a scrape target or a file.", nil
	}
	parts := []string{}
	add := func(state fleet.State, word string) {
		if n := snap.ByState[state]; n > 0 {
			parts = append(parts, format.Count(int64(n))+" "+word)
		}
	}
	add(fleet.Active, "active")
	add(fleet.Idle, "held idle")
	add(fleet.Unobserved, "unobserved")
	add(fleet.Free, "free")
	add(fleet.Silent, "silent")
	sentence = format.Plural(snap.GPUs, "GPU", "GPUs") + ": " + strings.Join(parts, ", ") + "."
	if snap.Live {
		return sentence, "The newest sample is " + ago(snap.AsOf, snap.Newest) + " old.", &views.Tag{Text: "live", Tone: "good", Title: "as of " + format.Stamp(snap.AsOf)}
	}
	return sentence, "The data end on " + format.Stamp(snap.Newest) + ": this is the state of that minute, not of now.",
		&views.Tag{Text: "as of " + format.Instant(snap.Newest), Tone: "warn", Title: "no sample came since"}
}

// ago prints how long before at something was: "12 s".
func ago(at, was period.Second) string { return format.Duration(max(int64(at-was), 0)) }
