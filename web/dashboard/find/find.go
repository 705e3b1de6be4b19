package find

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gpuledger/internal/access"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
)

const (
	most        = 8               // names of a kind
	figuresTime = 2 * time.Second // names are shown without figures after it
)

// kinds are the kinds of names by their group key, in the order of the page.
var kinds = []struct{ key, title string }{
	{"team", "Teams"}, {"project", "Projects"}, {"model", "Models"}, {"run", "Runs"}, {"service", "Services"},
	{"workload", "Workloads"}, {"node", "Nodes"}, {"device", "Devices"},
}

// find lists the names that contain the text. Scripts get the list alone.
func (d *room) find(w http.ResponseWriter, r *http.Request) {
	s, err := page.ReadScope(r)
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	v := views.FindView{Shell: d.Shell(r, s, "find", "Find"), Text: s.Text, Sentence: "Find a name.",
		Sub: "Teams, projects, models, runs, services, workloads, nodes, devices, pages and metrics."}
	if s.Text != "" {
		if v.Groups, err = d.search(r.Context(), s, v.Shell.Nav); err != nil {
			d.Broken(w, r, s, "find", err)
			return
		}
		v.Sentence, v.Sub = sentence(v.Groups)
	}
	if r.Header.Get("HX-Request") == "true" {
		d.Render(w, r, http.StatusOK, views.FoundNames(v))
		return
	}
	d.Render(w, r, http.StatusOK, views.FindPage(v))
}

// search returns the found names by kind.
func (d *room) search(ctx context.Context, s page.Scope, nav []views.NavGroup) ([]views.FoundGroup, error) {
	found, err := d.Reader.Find(ctx, s.Text, most+1)
	if err != nil {
		return nil, err
	}
	byKey := map[string][]metrics.Found{}
	for _, f := range found {
		byKey[f.Key] = append(byKey[f.Key], f)
	}
	spent := d.figures(ctx, open(s), byKey)
	groups := []views.FoundGroup{pagesNamed(s.Text, nav)}
	for _, k := range kinds {
		g := views.FoundGroup{Title: k.title, More: len(byKey[k.key]) > most}
		for _, f := range byKey[k.key][:min(len(byKey[k.key]), most)] {
			g.Rows = append(g.Rows, row(ctx, open(s), f, spent[k.key][f.Value]))
		}
		groups = append(groups, g)
	}
	groups = append(groups, metricsNamed(s.Text))
	var some []views.FoundGroup
	for _, g := range groups {
		if len(g.Rows) > 0 {
			some = append(some, g)
		}
	}
	return some, nil
}

// open is the scope without its filters: a found name replaces them.
func open(s page.Scope) page.Scope {
	for _, name := range []string{"filter", "team", "cluster", "provider"} {
		s = s.Without(name)
	}
	return s
}

// row is a found name with its figures and the page that shows it.
func row(ctx context.Context, s page.Scope, f metrics.Found, figures []views.Figure) views.FoundRow {
	r := views.FoundRow{Name: f.Name, Note: f.Place, Figures: figures,
		Href: s.Carried("/", "filter", page.Equal(f.Key, f.Value))}
	switch f.Key {
	case "run":
		r.Href = s.Carried(page.RunPath("/runs/", f.Value))
	case "service":
		r.Href = s.Carried("/inference", "filter", page.Equal(f.Key, f.Value))
	case "device":
		// Scoped users see the page of a device only if their own work held it.
		if len(figures) > 0 || !access.From(ctx).Bounded() {
			r.Href = s.Carried("/fleet/devices/" + url.PathEscape(f.Value))
		}
	}
	return r
}

// pagesNamed are the pages of the rail whose titles contain a text.
func pagesNamed(text string, nav []views.NavGroup) views.FoundGroup {
	g := views.FoundGroup{Title: "Pages"}
	for _, group := range nav {
		for _, l := range group.Links {
			if contains(l.Text, text) {
				g.Rows = append(g.Rows, views.FoundRow{Name: l.Text, Note: group.Title, Href: l.Href})
			}
		}
	}
	return bounded(g)
}

// metricsNamed are the figures whose names contain a text.
func metricsNamed(text string) views.FoundGroup {
	g, name := views.FoundGroup{Title: "Metrics"}, strings.ReplaceAll(text, " ", "_")
	for _, chapter := range metrics.Reference() {
		for _, m := range chapter.Definitions {
			if contains(m.Name, name) {
				g.Rows = append(g.Rows, views.FoundRow{Name: m.Name, Note: chapter.Title,
					Href: metrics.ReferencePath + "?of=" + url.QueryEscape(m.Anchor)})
			}
		}
	}
	return bounded(g)
}

func contains(name, text string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(text))
}

func bounded(g views.FoundGroup) views.FoundGroup {
	if len(g.Rows) > most {
		g.Rows, g.More = g.Rows[:most], true
	}
	return g
}
