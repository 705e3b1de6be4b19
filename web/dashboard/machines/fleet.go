package machines

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/fleet"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

const (
	nodesPerPage = 24
	fleetPoll    = "every 15s"
)

// othersNote is for scoped users.
const othersNote = "Holders from other teams show as “others”. So do your own new pods until the next allocation."

// fleet serves the page of the fleet's state now.
func (d *room) fleet(w http.ResponseWriter, r *http.Request) {
	s, err := readFleetScope(r)
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	v := views.Fleet{Shell: d.Shell(r, s, "fleet", "Fleet")}
	snap, err := d.readFleet(r.Context(), s)
	if err != nil {
		e := d.PanelError(s, err, "The fleet")
		v.Error = &e
		d.Render(w, r, d.Failing(w, err), views.FleetPage(v))
		return
	}
	p := &page.Context{Scope: s}
	v.Bar, v.Now = fleetBar(p, &snap), fleetNow(p, &snap)
	d.Render(w, r, http.StatusOK, views.FleetPage(v))
}

// fleetNow serves the part of the page that polls.
func (d *room) fleetNow(w http.ResponseWriter, r *http.Request) {
	s, err := readFleetScope(r)
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	s.Path = "/fleet"
	snap, err := d.readFleet(r.Context(), s)
	if err != nil {
		d.Log.WarnContext(r.Context(), "the fleet could not be read", "error", err)
		http.Error(w, "the fleet could not be read", http.StatusServiceUnavailable)
		return
	}
	p := &page.Context{Scope: s}
	d.Render(w, r, http.StatusOK, views.FleetNowPart(fleetNow(p, &snap)))
}

// readFleetScope is ReadScope, and refuses unknown states.
func readFleetScope(r *http.Request) (page.Scope, error) {
	s, err := page.ReadScope(r)
	if err != nil {
		return s, err
	}
	if s.Pick.State != "" && !slices.Contains(fleet.States[:], fleet.State(s.Pick.State)) {
		return s, &metrics.OptionError{
			Option: "state", Value: s.Pick.State, Reason: "must be active, idle, unobserved, free or silent",
		}
	}
	return s, nil
}

func (d *room) readFleet(ctx context.Context, s page.Scope) (fleet.Snapshot, error) {
	ctx, cancel := context.WithTimeout(ctx, page.PanelTimeout)
	defer cancel()
	return d.Reader.Fleet(ctx, fleet.Question{
		Now: d.clock(), Cluster: s.Cluster, Model: s.Pick.Model,
		State: fleet.State(s.Pick.State), Text: s.Text, Page: s.Page, PerPage: nodesPerPage,
	})
}

// clock is the server's time, or 0 without a clock.
func (d *room) clock() period.Second {
	if now := d.Now(); !now.IsZero() {
		return period.FromTime(now)
	}
	return 0
}

// fleetBar offers the filters of the fleet.
func fleetBar(p *page.Context, snap *fleet.Snapshot) views.Bar {
	b := views.Bar{Chips: p.Inapplicable("cluster")}
	menu := func(label, key, chosen string, list []string) {
		if len(list) < 2 && chosen == "" {
			return
		}
		m := views.Menu{
			Label: label, Value: "all",
			Items: []views.MenuItem{{Text: "All", Href: p.Scope.With(key, ""), Current: chosen == ""}},
		}
		for _, x := range list[:min(len(list), 100)] {
			if x != "" {
				m.Items = append(m.Items, views.MenuItem{Text: x, Href: p.Scope.With(key, x), Current: x == chosen})
			}
		}
		if chosen != "" {
			m.Value = chosen
		}
		b.Menus = append(b.Menus, m)
	}
	menu("Cluster", "cluster", p.Scope.Cluster, snap.Clusters)
	menu("Model", "model", p.Scope.Pick.Model, snap.Models)
	states := views.Menu{
		Label: "State", Value: "all",
		Items: []views.MenuItem{{Text: "All", Href: p.Scope.With("state", ""), Current: p.Scope.Pick.State == ""}},
	}
	for _, s := range fleet.States {
		current := p.Scope.Pick.State == string(s)
		if current {
			states.Value = strings.ToLower(stateNames[s].label)
		}
		states.Items = append(states.Items, views.MenuItem{
			Text: stateNames[s].label, Note: stateNames[s].means, Href: p.Scope.With("state", string(s)), Current: current,
		})
	}
	b.Menus = append(b.Menus, states)
	if p.Scope.Text != "" {
		b.Chips = append(b.Chips, views.Chip{Label: "text contains", Value: p.Scope.Text, Remove: p.Scope.With("q", "")})
	}
	b.Find = &views.Find{
		Action: p.Scope.Path, Label: "Find a node, device or holder",
		Placeholder: "Node, device, holder", Text: p.Scope.Text, Hidden: p.Scope.Others("q"),
	}
	return b
}

// stateName is a state's label, its meaning, and the cause whose colour it takes.
type stateName struct{ label, means, class string }

var stateNames = map[fleet.State]stateName{
	fleet.Active:     {"Active", "at least 10 % in the newest minute", "used"},
	fleet.Idle:       {"Held idle", "held, below 10 %", "held_idle"},
	fleet.Unobserved: {"Unobserved", "activity or holder not known", "unobserved"},
	fleet.Free:       {"Free", "without a holder", "free"},
	fleet.Silent:     {"Silent", "no sample for 3 minutes", "silent"},
}

// fleetNow lays out the part of the page that polls.
func fleetNow(p *page.Context, snap *fleet.Snapshot) views.FleetNow {
	v := views.FleetNow{Trigger: fleetPoll, Again: here(p), Poll: "/fleet/now" + strings.TrimPrefix(here(p), p.Scope.Path)}
	v.Sentence, v.Sub, v.Tag = fleetSentence(snap, filteredFleet(p.Scope))
	if snap.GPUs == 0 {
		v.None = "No device has sent a sample yet."
		if filteredFleet(p.Scope) {
			v.None, v.Clear = "No device matches the filter.",
				p.Scope.Carried("/fleet", "cluster", "")
		} else if snap.Newest != 0 {
			v.None = "No device was seen in the last hours of the data."
		}
		return v
	}
	fleetCounts(p, &v, snap)
	if len(snap.Pools) > 1 {
		panel := poolsPanel(p, snap)
		v.Pools = &panel
	}
	v.Groups = fleetGroups(p, snap)
	if len(v.Groups) == 0 {
		v.None, v.Clear = "No device is in this state.", p.Scope.With("state", "")
	}
	if snap.Pages > 1 {
		first := (snap.Page-1)*nodesPerPage + 1
		v.Shown = "Nodes " + format.Count(int64(first)) + " – " + format.Count(int64(first+len(snap.Nodes)-1)) + " of " +
			format.Count(int64(snap.Matching))
		if snap.Page > 1 {
			v.Previous = p.Scope.With("page", pageNumber(snap.Page-1))
		}
		if snap.Page < snap.Pages {
			v.Next = p.Scope.With("page", pageNumber(snap.Page+1))
		}
	}
	v.Notes = []string{"Activity is graphics engine active, or GPU utilisation if a device has no better signal; " +
		"hover over a device to see which.",
		"Time lines show the hour before, by minute; a gap is a minute without a sample.",
		"A card in MIG slices counts as its busiest slice.", "All times are UTC."}
	if snap.InPart {
		v.Notes = append(v.Notes, othersNote)
	}
	return v
}

// here is the current address, with the page number.
func here(p *page.Context) string {
	if p.Scope.Page > 1 {
		return p.Scope.With("page", pageNumber(p.Scope.Page))
	}
	return p.Scope.With()
}

func filteredFleet(s page.Scope) bool { return s.Cluster+s.Pick.Model+s.Pick.State+s.Text != "" }

// fleetSentence counts devices by state.
func fleetSentence(snap *fleet.Snapshot, filtered bool) (sentence, sub string, tag *views.Tag) {
	switch {
	case snap.GPUs == 0 && filtered:
		return "No device matches the filter.", "", nil
	case snap.GPUs == 0:
		return "No devices yet.",
			"Devices appear with the first sample of an exporter: remote_write to /api/v1/write, a scrape target or a file.", nil
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
		return sentence, "The newest sample is " + ago(snap.AsOf, snap.Newest) + " old.",
			&views.Tag{Text: "live", Tone: "good", Title: "as of " + format.Stamp(snap.AsOf)}
	}
	return sentence, "The data ends on " + format.Stamp(snap.Newest) + ". This is the state at that minute, not now.",
		&views.Tag{Text: "as of " + format.Instant(snap.Newest), Tone: "warn", Title: "no newer sample"}
}

// ago prints the time from was to at: "12 s".
func ago(at, was period.Second) string { return format.Duration(max(int64(at-was), 0)) }
