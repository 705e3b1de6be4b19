package books

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/outgoing"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

var sourceHeads = views.Heads(
	"Source: imports.source", "Format: imports.source xl-only nowrap", "Schedule: figure.fact wide-only nowrap",
	"Checked: figure.fact wide-only nowrap", "Last import: imports.finished_at xl-only nowrap",
	"Outcome: imports.state", "Next: figure.fact nowrap",
)

// data serves the page of running imports, the journal, configured sources and export schedules.
func (d *room) data(w http.ResponseWriter, r *http.Request) {
	s, err := page.ReadScope(r)
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), page.PanelTimeout)
	defer cancel()
	v := views.Data{Shell: d.Shell(r, s, "data", "Data"), Errors: map[string]views.PanelError{}}
	p := &page.Context{Scope: s}
	var rows []Import
	var sources []Source
	var exports []outgoing.Stored
	var rowsErr, journalErr, sourcesErr, exportsErr error
	of := page.Both(page.Equal("source", s.Pick.Source), page.Equal("state", s.Status))
	page.Parallel(
		func() { rows, rowsErr = ReadImports(ctx, d.Reader, metrics.Options{Limit: "1000", Filter: of}) },
		func() { v.Journal, journalErr = journalPanel(of).Draw(ctx, d.Reader, p) },
		func() { exports, exportsErr = readExports(ctx, d.Reader) },
		func() {
			if d.Sources != nil {
				sources, sourcesErr = d.Sources(ctx)
			}
		},
		func() {
			if extent, err := d.Reader.Extent(ctx); err == nil {
				p.Extent = extent
			}
		},
	)
	v.Bar = p.Bar(page.Choices{})
	v.Bar.Menus, v.Bar.Chips = nil, p.Inapplicable()
	for _, f := range []struct{ label, key, value string }{
		{"source is", "source", s.Pick.Source}, {"state is", "status", s.Status},
	} {
		if f.value != "" {
			v.Bar.Chips = append(v.Bar.Chips, views.Chip{Label: f.label, Value: f.value, Remove: s.With(f.key, "")})
		}
	}
	if err := cmp.Or(rowsErr, journalErr); err != nil {
		v.Errors["journal"] = d.PanelError(s, err, "The journal of imports")
		v.Sentence = "The journal of imports could not be read."
	} else {
		v.Sentence, v.Sub = dataSentence(rows, s.Pick.Source+s.Status != "")
		v.Running = runningPanel(p, rows, d.Now(), "")
	}
	v.Exports = exportsPanel(exports, d.Now())
	if exportsErr != nil {
		v.Errors["exports"] = d.PanelError(s, exportsErr, "The export schedules")
	}
	v.Sources = sourcesPanel(p, sources, d.Sources != nil, sourcesErr == nil)
	if sourcesErr != nil {
		v.Errors["sources"] = d.PanelError(s, sourcesErr, "The configured sources")
	}
	d.Render(w, r, http.StatusOK, views.DataPage(v))
}

// running serves the part of the page that polls.
func (d *room) running(w http.ResponseWriter, r *http.Request) {
	s, err := page.ReadScope(r)
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	s.Path = "/data"
	ctx, cancel := context.WithTimeout(r.Context(), page.PanelTimeout)
	defer cancel()
	p := &page.Context{Scope: s}
	before := r.URL.Query().Get("newest")
	var v views.Running
	rows, err := ReadImports(ctx, d.Reader, metrics.Options{Limit: "1000"})
	if err == nil {
		v = runningPanel(p, rows, d.Now(), before)
		if newest := newestEnd(rows); before != newest {
			var panel views.TablePanel
			panel, err = journalPanel("").Draw(ctx, d.Reader, p)
			v.Journal = &panel
		}
	}
	if err != nil {
		d.Log.WarnContext(ctx, "running imports could not be read", "error", err)
		http.Error(w, "the journal could not be read", http.StatusServiceUnavailable)
		return
	}
	d.Render(w, r, http.StatusOK, views.RunningFragment(v))
}

func dataSentence(rows []Import, filtered bool) (sentence, sub string) {
	var published, refused, running int
	var accepted, wrong int64
	for _, r := range rows {
		switch r.State {
		case "running":
			running++
			continue
		case "refused":
			refused++
		case "published":
			published++
		}
		accepted += r.Accepted
		wrong += r.Rejected + r.Refused
	}
	switch {
	case len(rows) == 0 && filtered:
		return "No import matches the filter.", ""
	case len(rows) == 0:
		return "Nothing has been imported yet.",
			"Start with a bill: gpuledger import auto DIR recognizes and imports the files in a folder."
	}
	sentence = format.Plural(int(accepted), "row", "rows") + " imported in " +
		format.Plural(len(rows)-running, "import", "imports") + "."
	if running > 0 {
		sentence += " " + capital(format.Words(running)) + " " + map[bool]string{true: "is", false: "are"}[running == 1] +
			" running."
	}
	switch {
	case refused > 0:
		sub = capital(format.Words(refused)) + " of them were refused: none of their data is in the ledger."
		if refused == 1 {
			sub = "One of them was refused: none of its data is in the ledger."
		}
	case wrong > 0:
		sub = format.Plural(int(wrong), "rejection", "rejections") +
			" of rows, files or deliveries, each with its reason. Everything else was imported."
	default:
		sub = "Every row was imported or is counted as ignored."
	}
	return sentence, sub
}

// newestEnd is the id of the import that ended last; a new one means that the journal changed.
func newestEnd(rows []Import) string {
	var newest Import
	for _, r := range rows {
		if !r.running() && r.finishedAt.After(newest.finishedAt) {
			newest = r
		}
	}
	return newest.ID
}

// importDetail shows one import with its reasons and its first rejections.
func (d *room) importDetail(w http.ResponseWriter, r *http.Request) {
	s, err := page.ReadScope(r)
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), page.PanelTimeout)
	defer cancel()
	id := chi.URLParam(r, "import")
	missing := func() {
		d.Render(w, r, http.StatusNotFound, views.MessagePage(views.Message{
			Shell: d.Shell(r, s, "data", "Import not found"), Sentence: "This import is not in the journal.",
			Sub: page.Clip(id), Link: views.Link{Text: "All imports", Href: s.Carried("/data")},
		}))
	}
	if _, err := metrics.Parse("imports", metrics.Options{Filter: page.Equal("import_id", id)}); err != nil {
		missing()
		return
	}
	var rows []Import
	var rowsErr, countsErr, rejectionsErr, dropsErr error
	p, of := &page.Context{Scope: s}, page.Equal("import_id", id)
	v := views.ImportDetail{
		Shell: d.Shell(r, s, "data", "Import"),
		Back:  views.Link{Text: "Data", Href: s.Carried("/data")}, Errors: map[string]views.PanelError{},
	}
	page.Parallel(
		func() {
			rows, rowsErr = ReadImports(ctx, d.Reader, metrics.Options{Filter: of})
		},
		func() { v.Reasons, countsErr = reasonsPanel(of).Draw(ctx, d.Reader, p) },
		func() { v.Rejections, rejectionsErr = rejectionsPanel(of).Draw(ctx, d.Reader, p) },
		func() {
			changes, err := readChanges(ctx, d.Reader)
			if dropsErr = err; err == nil {
				v.Deliveries, dropsErr = dropsPanel(of, changes).Draw(ctx, d.Reader, p)
			}
		},
	)
	if rowsErr != nil {
		d.Broken(w, r, s, "data", rowsErr)
		return
	}
	if len(rows) == 0 {
		missing()
		return
	}
	importView(&v, rows[0])
	for name, err := range map[string]error{"reasons": countsErr, "rejections": rejectionsErr, "deliveries": dropsErr} {
		if err != nil {
			v.Errors[name] = d.PanelError(s, err, "This part of the import")
		}
	}
	d.Render(w, r, http.StatusOK, views.ImportPage(v))
}

// sourcesPanel lists configured sources with their schedule.
func sourcesPanel(p *page.Context, list []Source, configured, read bool) *views.TablePanel {
	panel := &views.TablePanel{Title: "Configured sources", Note: "imported on time while serving"}
	if !configured || !read {
		return panel
	}
	if len(list) == 0 {
		panel.None = "No sources are configured. gpuledger --config FILE serve imports the file's sources on a schedule."
		return panel
	}
	t := views.Table{Caption: "Configured sources", Heads: sourceHeads}
	never := func(at time.Time, why string) views.Cell {
		if at.IsZero() {
			return views.Cell{Figure: views.Figure{Text: "never", Title: why, Zero: true}}
		}
		return views.Text(format.Instant(period.FromTime(at)))
	}
	for _, x := range list {
		schedule, next := views.Cell{Figure: views.Figure{Text: "by hand", Title: "no schedule is configured", Zero: true}},
			views.Cell{Figure: views.Figure{Text: "by hand", Title: "gpuledger import " + x.Name, Zero: true}}
		if x.Schedule != "" {
			schedule, next = views.Text(x.Schedule), views.Text(format.Instant(period.FromTime(x.Next)))
		}
		outcome := views.Cell{
			Figure: views.Figure{Text: "not checked yet", Zero: true, Title: "its first scheduled time has not come"},
		}
		if x.State != "" {
			tag := importTag(x.State, x.Message)
			outcome = views.Cell{Tag: &tag, Sub: x.Message}
		}
		form := x.Format
		if form == "" {
			form = "auto"
		}
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{{Figure: views.Figure{Text: x.Name}, Name: true,
			Sub: page.Middle(x.Place, 60)}, views.Text(form), schedule,
			never(x.LookedAt, "not checked since it was configured"),
			never(x.ImportedAt, "no successful import yet"), outcome, next}})
	}
	panel.Table = t
	return panel
}

// capital makes the first letter upper case.
func capital(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}
