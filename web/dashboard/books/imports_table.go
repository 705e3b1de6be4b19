package books

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// silence is how long a running import may send no progress before it counts as silent.
// It reports about every second.
const silence = time.Minute

var importStates = map[string][2]string{ // tone, meaning
	"published": {"good", "its data is in the ledger"},
	"unchanged": {"", "the same rows were already in the ledger"},
	"older":     {"", "a newer delivery was already in the ledger; this one is kept as history"},
	"running":   {"", "still running"},
	"refused":   {"bad", "none of its data is in the ledger"},
	"skipped":   {"", "same files as the last import: nothing was read"},
	"failed":    {"bad", "it could not be read"},
}

func importTag(state, message string) views.Tag {
	t := views.Tag{Text: state, Tone: importStates[state][0], Title: importStates[state][1]}
	if message != "" {
		t.Title = message
	}
	return t
}

// runningPanel shows running imports; those without progress for silence before now are marked.
func runningPanel(p *page.Context, rows []Import, now time.Time, before string) views.Running {
	v := views.Running{
		Again: p.Scope.With(), Trigger: "every 15s",
		Poll: "/data/running?newest=" + url.QueryEscape(newestEnd(rows)), None: "No import is running.",
	}
	for _, r := range rows {
		if r.running() {
			v.Trigger = "every 2s"
			v.Imports = append(v.Imports, runningImport(p, r, now))
		} else if before != "" && r.ID == newestEnd(rows) && r.ID != before {
			v.Said = "The import of " + r.Source.Label + " has ended: " + r.State + "."
		}
	}
	return v
}

var phaseNames = map[string]string{"survey": "surveying", "read": "reading", "publish": "publishing"}

func runningImport(p *page.Context, r Import, now time.Time) views.RunningImport {
	v := views.RunningImport{Name: r.Source.Label, Place: r.URI, Href: p.Scope.Carried("/data/" + r.ID), Phase: "starting"}
	if name, ok := phaseNames[r.Phase]; ok {
		v.Phase = name
	} else if r.Phase != "" {
		v.Phase = r.Phase
	}
	heard := r.heardFrom
	if heard.IsZero() {
		heard = r.startedAt
	}
	if now.IsZero() {
		now = heard
	}
	if quiet := now.Sub(heard); quiet > silence {
		v.Stale = &views.Tag{Text: "silent for " + format.Duration(int64(quiet.Seconds())), Tone: "warn",
			Title: "a running import reports progress every second; this one was probably killed. It is safe to import again"}
	}
	if r.Bytes > 0 && r.Phase != "publish" {
		v.Done, v.Whole = strconv.FormatInt(min(r.BytesDone, r.Bytes), 10), strconv.FormatInt(r.Bytes, 10)
		v.Label = v.Name + ", " + v.Phase + ": " + format.Bytes(r.BytesDone) + " of " + format.Bytes(r.Bytes)
	}
	fact := func(name, value, note string) {
		v.Facts = append(v.Facts, views.Fact{Name: name, Value: views.Figure{Text: value}, Note: note})
	}
	if r.Bytes > 0 {
		fact("Bytes", format.Bytes(r.BytesDone), "of "+format.Bytes(r.Bytes))
	}
	if r.Files > 0 {
		fact("Files", format.Count(r.FilesDone), "of "+format.Count(r.Files))
	}
	fact("Rows", format.Count(r.RowsDone), "read so far")
	if spent := heard.Sub(r.startedAt); spent >= time.Second && r.RowsDone > 0 {
		fact("Rate", format.Count(int64(float64(r.RowsDone)/spent.Seconds())), "rows per second")
	}
	switch {
	case r.ETA != nil && v.Stale == nil:
		fact("Phase ends in", format.Duration(*r.ETA), "at its speed so far")
	case v.Stale == nil:
		fact("Phase ends in", format.NA, "not known yet")
	}
	fact("Running for", format.Duration(max(int64(now.Sub(r.startedAt).Seconds()), 0)), "since "+format.Instant(r.Started))
	return v
}

// journalPanel lists imports that have ended, the newest first.
func journalPanel(filter string) *figures.Panel {
	return &figures.Panel{
		Title: "Imports", Note: "newest first", None: "No import has ended yet.",
		Dataset: "imports", Filter: page.Both("state != running", filter), Order: "-started_at", Limit: 50,
		Columns: []figures.Column{
			{Name: "source", Text: "Source", Cell: importCell}, {Name: "state", Text: "State", Cell: stateCell},
			{Name: "started_at", Text: "Started", Class: "wide-only nowrap"},
			{Name: "finished_at", Text: "Took", Class: "xl-only", Define: "figure.lasted", Cell: tookCell},
			{Name: "files", Text: "Files", Class: "xl-only"}, {Name: "bytes", Text: "Read", Class: "wide-only", Cell: bytesCell},
			{Name: "accepted", Text: "Accepted"}, {Name: "ignored", Text: "Ignored", Class: "xl-only"},
			{Name: "rejected", Text: "Rejected", Cell: wrongCell("rejected", "which rows, and why")},
			{
				Name: "refused", Text: "Refused", Class: "wide-only",
				Cell: wrongCell("refused", "which files or deliveries, and why"),
			},
			{Name: "restated_changed", Text: "Lines changed", Class: "xl-only", Cell: restatedCell},
		},
		Notes: []string{"Rows read = accepted + rejected + ignored. Refused files and deliveries are counted separately. " +
			"An aggregate counts as the lines that it combines."},
	}
}

func importCell(p *page.Context, r page.Record) views.Cell {
	uri := r.Text("uri")
	return views.Cell{Figure: views.Figure{Text: ledger.SourceOf(r.Text("source")).Label, Title: uri},
		Href: p.Scope.Carried("/data/" + r.Text("import_id")), Sub: page.Middle(uri, 48)}
}

func stateCell(_ *page.Context, r page.Record) views.Cell {
	tag := importTag(r.Text("state"), r.Text("message"))
	return views.Cell{Tag: &tag}
}

func tookCell(_ *page.Context, r page.Record) views.Cell {
	end := r.Value("finished_at")
	if !end.Valid {
		return views.Text(format.NA)
	}
	return views.Text(format.Elapsed(end.Time.Sub(r.Value("started_at").Time)))
}

func bytesCell(_ *page.Context, r page.Record) views.Cell {
	return views.Text(format.Bytes(r.Count("bytes")))
}

func restatedCell(_ *page.Context, r page.Record) views.Cell {
	if !r.Value("restated_added").Valid {
		return views.Cell{Figure: views.Figure{Text: "none", Title: "it replaced no delivery", Zero: true}}
	}
	lines := [3]int64{r.Count("restated_added"), r.Count("restated_removed"), r.Count("restated_changed")}
	return views.Cell{Figure: changesFigure(lines)}
}

// wrongCell counts rejections or refusals of an import and links to the reasons.
func wrongCell(name, why string) func(*page.Context, page.Record) views.Cell {
	return func(p *page.Context, r page.Record) views.Cell {
		n := r.Count(name)
		if n == 0 {
			return views.Cell{Figure: views.Figure{Text: format.Count(n), Zero: true}}
		}
		return views.Cell{
			Tag:  &views.Tag{Text: format.Count(n), Tone: "warn", Title: why},
			Href: p.Scope.Carried("/data/" + r.Text("import_id")),
		}
	}
}

// importView fills in one import's page, except for its tables.
func importView(v *views.ImportDetail, r Import) {
	v.State = importTag(r.State, "")
	v.Sentence = r.Source.Label
	v.Sub = r.URI
	if r.State == "refused" || len(v.Rejections.Table.Rows) == 0 { // otherwise the rejections show the message
		v.Message = r.Message
	}
	v.Facts = []views.Fact{
		{Name: "Started", Define: "runs.started_at", Value: views.Figure{Text: format.Instant(r.Started)}, Note: "UTC"},
		{
			Name: "Files", Define: "imports.files", Value: views.Figure{Text: format.Count(r.Files)},
			Note: format.Bytes(r.Bytes) + " as stored",
		},
		{
			Name: "Accepted", Define: "imports.accepted", Value: views.Figure{Text: format.Count(r.Accepted)},
			Note: "of " + format.Count(r.Read) + " rows",
		},
		{
			Name: "Ignored", Define: "imports.ignored",
			Value: views.Figure{Text: format.Count(r.Ignored)}, Note: "not used, for the reasons below",
		},
		{
			Name: "Rejected", Define: "imports.rejected",
			Value: views.Figure{Text: format.Count(r.Rejected)}, Note: "invalid rows",
		},
	}
	if r.Refused > 0 {
		v.Facts = append(v.Facts, views.Fact{
			Name: "Refused", Define: "imports.refused",
			Value: views.Figure{Text: format.Count(r.Refused)}, Note: "files and deliveries",
		})
	}
	if !r.finishedAt.IsZero() {
		v.Facts[0].Note = "took " + format.Elapsed(r.finishedAt.Sub(r.startedAt))
	}
	if r.Cluster != "" {
		v.Facts = append(v.Facts, views.Fact{Name: "Cluster", Define: "key.cluster", Value: views.Figure{Text: r.Cluster}})
	}
	if r.Restated {
		v.Facts = append(v.Facts, views.Fact{
			Name: "Lines changed", Define: "imports.restated_changed",
			Value: changesFigure([3]int64{r.Added, r.Removed, r.Changed}), Note: "compared with the delivery that it replaced",
		})
	}
	if r.running() {
		v.Reasons.None = "Counted when the import ends."
	}
	if all, n := r.Rejected+r.Refused, int64(len(v.Rejections.Table.Rows)); n > 0 && n < all {
		v.Rejections.Note = "the first " + format.Count(n) + " of " + format.Count(all)
	}
	if v.Deliveries.None = "It brought no new delivery."; !r.Source.Bill || r.State == "refused" {
		v.Deliveries = views.TablePanel{Title: v.Deliveries.Title}
	}
}

// reasonsPanel counts rejected, refused and ignored rows by reason.
func reasonsPanel(filter string) *figures.Panel {
	return &figures.Panel{
		Title: "Why rows are left out", Note: "rows by reason", None: "Every row was imported.",
		Dataset: "import_counts", Filter: filter, Limit: 200,
		Columns: []figures.Column{{Name: "reason", Text: "Reason"},
			{Name: "kind", Text: "Outcome", Cell: reasonCell},
			{Name: "rows", Text: "Rows"}},
	}
}

func reasonCell(_ *page.Context, r page.Record) views.Cell {
	tag := views.Tag{Text: r.Text("kind"), Title: "not used"}
	switch tag.Text {
	case "rejected":
		tag.Tone, tag.Title = "warn", "invalid rows, with their location"
	case "refused":
		tag.Tone, tag.Title = "warn", "files and deliveries, counted separately from rows"
	}
	return views.Cell{Tag: &tag}
}

func rejectionsPanel(filter string) *figures.Panel {
	return &figures.Panel{
		Title: "Rejections", Note: "file, line, column, reason and fix",
		Dataset: "rejections", Filter: filter, Limit: 50,
		Columns: []figures.Column{{Name: "file", Text: "File and line", Cell: placeCell},
			{Name: "column", Text: "Column", Class: "wide-only", Cell: func(_ *page.Context, r page.Record) views.Cell {
				if name := r.Text("column"); name != "" {
					return views.Cell{Figure: views.Figure{Text: name}, Mono: true}
				}
				return views.Cell{
					Figure: views.Figure{Text: "all of it", Zero: true, Title: "the row, file or delivery as a whole"},
				}
			}},
			{Name: "reason", Text: "Reason", Class: "wide-only nowrap"},
			{Name: "detail", Text: "Problem and fix", Cell: func(_ *page.Context, r page.Record) views.Cell {
				detail := sentenceCase(cmp.Or(r.Text("detail"), r.Text("reason")))
				return views.Cell{Figure: views.Figure{Text: detail}, Name: true}
			}}},
	}
}

// placeCell shows the file and line of a row, or all files of a delivery.
func placeCell(_ *page.Context, r page.Record) views.Cell {
	title, line := r.Text("file"), ""
	first, rest, _ := strings.Cut(title, ", ")
	place := page.FileName(first)
	if rest != "" {
		place += " and " + format.Count(int64(strings.Count(rest, ", ")+1)) + " more"
	}
	if n := r.Count("line"); n > 0 {
		line = ":" + strconv.FormatInt(n, 10)
	}
	return views.Cell{Figure: views.Figure{Text: place + line, Title: title + line}, Mono: true}
}

// sentenceCase capitalizes a message, unless it begins with a name.
func sentenceCase(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if s == "" || strings.ContainsAny(first, "_/.:'\"0123456789") || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return capital(s)
}
