package dashboard

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

const (
	mostImports    = 50
	mostRejections = 50
)

// data is the page of what came in: running imports, configured sources, the
// journal.
func (d *Dashboard) data(w http.ResponseWriter, r *http.Request) {
	s, err := readScope(r)
	if err != nil {
		d.refused(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), panelTimeout)
	defer cancel()
	v := views.Data{Shell: d.shell(r, s, "data", "Data"), Errors: map[string]views.PanelError{}}
	p := &pageContext{scope: s}
	var rows []importRow
	var sources []Source
	var rowsErr, sourcesErr error
	parallel(
		func() {
			rows, rowsErr = readImports(ctx, d.reader, metrics.Options{Limit: "1000", Filter: both(equal("source", s.pick.Source), equal("state", s.Status))})
		},
		func() {
			if d.sources != nil {
				sources, sourcesErr = d.sources(ctx)
			}
		},
		func() {
			if extent, err := d.reader.Extent(ctx); err == nil {
				p.extent = extent
			}
		},
	)
	v.Bar = p.bar(choices{})
	v.Bar.Menus, v.Bar.Chips = nil, nil
	for _, f := range []struct{ label, key, value string }{{"source is", "source", s.pick.Source}, {"state is", "status", s.Status}} {
		if f.value != "" {
			v.Bar.Chips = append(v.Bar.Chips, views.Chip{Label: f.label, Value: f.value, Remove: s.with(f.key, "")})
		}
	}
	if rowsErr != nil {
		v.Errors["journal"] = d.panelError(s, rowsErr, "The journal of imports")
		v.Sentence = "The journal of imports could not be read."
	} else {
		v.Sentence, v.Sub = dataSentence(rows, s.pick.Source+s.Status != "")
		v.Running = p.runningPanel(rows, d.now(), "")
		v.Journal = p.journalPanel(rows)
	}
	v.Sources = p.sourcesPanel(sources, d.sources != nil, sourcesErr == nil)
	if sourcesErr != nil {
		v.Errors["sources"] = d.panelError(s, sourcesErr, "The configured sources")
	}
	d.render(w, r, http.StatusOK, views.DataPage(v))
}

// running is the part of the page that asks again by itself.
func (d *Dashboard) running(w http.ResponseWriter, r *http.Request) {
	s, err := readScope(r)
	if err != nil {
		d.refused(w, r, err)
		return
	}
	s.path = "/data"
	ctx, cancel := context.WithTimeout(r.Context(), panelTimeout)
	defer cancel()
	rows, err := readImports(ctx, d.reader, metrics.Options{Limit: "1000"})
	if err != nil {
		d.log.WarnContext(ctx, "running imports could not be read", "error", err)
		http.Error(w, "the journal could not be read", http.StatusServiceUnavailable)
		return
	}
	p := &pageContext{scope: s}
	before := r.URL.Query().Get("newest")
	v := p.runningPanel(rows, d.now(), before)
	if newest := newestEnd(rows); before != newest {
		panel := p.journalPanel(rows)
		v.Journal = &panel
	}
	d.render(w, r, http.StatusOK, views.RunningFragment(v))
}

// dataSentence says what came in.
func dataSentence(rows []importRow, filtered bool) (sentence, sub string) {
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
		return "Nothing has been imported yet.", "It starts with a bill: gpuledger import auto DIR sorts out what lies in a folder."
	}
	sentence = format.Plural(int(accepted), "row", "rows") + " came in with " + format.Plural(len(rows)-running, "import", "imports") + "."
	if running > 0 {
		sentence += " " + capital(format.Words(running)) + " " + map[bool]string{true: "is", false: "are"}[running == 1] + " running."
	}
	switch {
	case refused > 0:
		sub = capital(format.Words(refused)) + " of them were refused: nothing of those is in the ledger."
		if refused == 1 {
			sub = "One of them was refused: nothing of it is in the ledger."
		}
	case wrong > 0:
		sub = format.Plural(int(wrong), "rejection", "rejections") + " of rows, files or deliveries, each with its reason; the others count."
	default:
		sub = "Every row became a fact, or is counted as ignored."
	}
	return sentence, sub
}

// newestEnd names the last import that ended: when it changes, the journal has.
func newestEnd(rows []importRow) string {
	var newest importRow
	for _, r := range rows {
		if !r.running() && r.finishedAt.After(newest.finishedAt) {
			newest = r
		}
	}
	return newest.ID
}

// importDetail is one import with its reasons and its first rejections.
func (d *Dashboard) importDetail(w http.ResponseWriter, r *http.Request) {
	s, err := readScope(r)
	if err != nil {
		d.refused(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), panelTimeout)
	defer cancel()
	id := chi.URLParam(r, "import")
	missing := func() {
		d.render(w, r, http.StatusNotFound, views.MessagePage(views.Message{
			Shell: d.shell(r, s, "data", "Import not found"), Sentence: "This import is not in the journal.", Sub: clip(id), Link: views.Link{Text: "All imports", Href: "/data"},
		}))
	}
	if _, err := metrics.Parse("imports", metrics.Options{Filter: equal("import_id", id)}); err != nil {
		missing()
		return
	}
	var rows []importRow
	var counts []countRow
	var rejections []rejectionRow
	var drops []deliveryRow
	var restated []restatement
	var rowsErr, countsErr, rejectionsErr, dropsErr error
	parallel(
		func() { rows, rowsErr = readImports(ctx, d.reader, metrics.Options{Filter: equal("import_id", id)}) },
		func() { counts, countsErr = readCounts(ctx, d.reader, id) },
		func() { rejections, rejectionsErr = readRejections(ctx, d.reader, id, "50") },
		func() {
			if drops, dropsErr = readDeliveries(ctx, d.reader, equal("import_id", id)); dropsErr == nil {
				restated, dropsErr = readRestatements(ctx, d.reader)
			}
		},
	)
	if rowsErr != nil {
		d.broken(w, r, s, "data", rowsErr)
		return
	}
	if len(rows) == 0 {
		missing()
		return
	}
	p := &pageContext{scope: s}
	v := views.ImportDetail{Shell: d.shell(r, s, "data", "Import"), Back: views.Link{Text: "Data", Href: "/data"}, Errors: map[string]views.PanelError{}}
	p.importView(&v, rows[0], counts, rejections)
	if rows[0].Source.Bill && rows[0].State != "refused" {
		v.Deliveries = p.dropsPanel(drops, restated)
		v.Deliveries.None = "It brought no delivery that was not there already."
	}
	v.Reasons.Title, v.Rejections.Title, v.Deliveries.Title = "Why rows are left out", "Rejections", "Deliveries"
	for name, err := range map[string]error{"reasons": countsErr, "rejections": rejectionsErr, "deliveries": dropsErr} {
		if err != nil {
			v.Errors[name] = d.panelError(s, err, "This part of the import")
		}
	}
	d.render(w, r, http.StatusOK, views.ImportPage(v))
}

// sourcesPanel lists configured sources with their schedule.
func (p *pageContext) sourcesPanel(list []Source, configured, read bool) *views.TablePanel {
	panel := &views.TablePanel{Title: "Configured sources", Note: "imported on time while serving"}
	if !configured || !read {
		return panel
	}
	if len(list) == 0 {
		panel.None = "None is configured. gpuledger --config FILE serve imports what the file names, on a schedule."
		return panel
	}
	t := views.Table{Caption: "Configured sources", Of: "sources", Heads: []views.SortLink{{Text: "Source"}, {Text: "Format", Class: "xl-only nowrap"}, {Text: "Schedule", Class: "wide-only nowrap"},
		{Text: "Looked at", Class: "wide-only nowrap"}, {Text: "Last import", Class: "xl-only nowrap"}, {Text: "Outcome"}, {Text: "Next", Class: "nowrap"}}}
	never := func(at time.Time, why string) views.Cell {
		if at.IsZero() {
			return views.Cell{Figure: views.Figure{Text: "never", Title: why, Zero: true}}
		}
		return views.Text(format.Instant(period.FromTime(at)))
	}
	for _, x := range list {
		schedule, next := views.Cell{Figure: views.Figure{Text: "by hand", Title: "no schedule is configured", Zero: true}}, views.Cell{Figure: views.Figure{Text: "by hand", Title: "gpuledger import " + x.Name, Zero: true}}
		if x.Schedule != "" {
			schedule, next = views.Text(x.Schedule), views.Text(format.Instant(period.FromTime(x.Next)))
		}
		outcome := views.Cell{Figure: views.Figure{Text: "not looked at yet", Zero: true, Title: "its first time has not come"}}
		if x.State != "" {
			tag := importTag(x.State, x.Message)
			outcome = views.Cell{Tag: &tag, Sub: x.Message}
		}
		form := x.Format
		if form == "" {
			form = "auto"
		}
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{{Figure: views.Figure{Text: x.Name}, Name: true, Sub: middle(x.Place, 60)}, views.Text(form), schedule,
			never(x.LookedAt, "not since it was configured"), never(x.ImportedAt, "no import of it succeeded yet"), outcome, next}})
	}
	panel.Table = t
	return panel
}

// capital makes the first letter large.
func capital(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}
