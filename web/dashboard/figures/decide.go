package figures

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/access"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// decisions is the state of decisions on a page.
type decisions struct {
	open    bool   // decisions over HTTP are allowed
	token   bool   // they need an operator's token
	id      string // recommendation with an open form
	note    string
	refused []string
	done    string // recommendation decided in this request, for scripts
	said    string // the result in words
}

func (d *room) decided(w http.ResponseWriter, r *http.Request, f *Page) {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the form could not be read", http.StatusBadRequest)
		return
	}
	form := r.PostForm
	id, note, to := form.Get("id"), strings.TrimSpace(form.Get("note")), form.Get("status")
	by, err := d.Desk.Admit(r.Context(), form.Get("token"), access.Advise)
	if err == nil {
		err = d.Desk.Ledger.DecideRecommendation(r.Context(), id, to, note, by)
	}
	if err != nil {
		now := decisions{id: id, note: note}
		var status int
		status, now.refused = d.DeskRefusal(r, err)
		d.answer(w, r, f, status, now)
		return
	}
	if scripted(r) {
		d.answer(w, r, f, http.StatusOK, decisions{done: id, said: decidedWords[to]})
		return
	}
	s, err := page.ReadFiltered(r, f.Dataset, f.by)
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	//nolint:gosec // redirects to this page's own path
	http.Redirect(w, r, s.With("decide", "", "row", "", "page", pageAddress(s.Page))+"#"+rowID(id), http.StatusSeeOther)
}

var decidedWords = map[string]string{
	"accepted": "Accepted.", "dismissed": "Dismissed.", "done": "Marked as done.", "open": "Open again.",
}

// scripted reports whether htmx sent the request, which needs only a part of the page.
func scripted(r *http.Request) bool { return r.Header.Get("HX-Request") == "true" }

// rowID is the anchor of a recommendation.
func rowID(id string) string { return "rec-" + id }

// choicesOf are the buttons for every status other than the current one.
func choicesOf(status string) []views.Choice {
	all := []views.Choice{
		{Status: "accepted", Text: "Accept it"}, {Status: "dismissed", Text: "Dismiss it"},
		{Status: "done", Text: "Mark it as done"}, {Status: "open", Text: "Open it again"},
	}
	return slices.DeleteFunc(all, func(c views.Choice) bool { return c.Status == status })
}

// decidable makes a row of a recommendation's cells. Its status cell names who decided, and
// links to the form.
func decidable(p *page.Context, now decisions, r page.Record, shown []Column, cells []views.Cell) views.Row {
	at := slices.IndexFunc(shown, func(c Column) bool { return c.Name == "status" })
	if at < 0 {
		return views.Row{Cells: cells}
	}
	if r.Text("status") != "open" {
		cells[at].Sub = strings.Join(slices.DeleteFunc([]string{r.Text("decided_by"), format.Day(r.Second("decided_at"))},
			func(s string) bool { return s == "" }), ", ")
		if note := r.Text("note"); note != "" {
			cells[at].Sub += ": " + note
		}
	}
	if !now.open {
		return views.Row{Cells: cells}
	}
	id, page := r.Text("recommendation_id"), pageAddress(p.Scope.Page)
	row := views.Row{ID: rowID(id), Cells: cells}
	of := r.Text("proposal") + " " + r.Text("subject")
	address := p.Scope.With("decide", id, "page", page)
	if now.id != id {
		cells[at].Act = &views.Act{Text: "Decide", Of: of, Href: address + "#" + row.ID, Row: address, Focus: now.done == id}
		return row
	}
	row.Decision = &views.Decision{Of: of, ID: id, Action: address + "#" + row.ID, Row: address, Note: now.note,
		Token: now.token, Choices: choicesOf(r.Text("status")), Refused: now.refused,
		Cancel: views.Link{Text: "Close", Href: p.Scope.With("page", page) + "#" + row.ID},
		Back:   p.Scope.With("row", id, "page", page)}
	return row
}

// decidedRow is the response for scripts: the recommendation's row as the page now shows
// it, or a sentence if it has left the page.
func decidedRow(now decisions, v *views.Figures, id string) views.DecidedRow {
	out := views.DecidedRow{Heads: v.Table.Table.Heads, Sentence: v.Sentence, Sub: v.Sub, Facts: v.Facts, Said: now.said}
	for _, row := range v.Table.Table.Rows {
		if row.ID == rowID(id) {
			out.Row = row
			return out
		}
	}
	out.Row = views.Row{
		ID: rowID(id), Others: true,
		Cells: []views.Cell{{Figure: views.Figure{Text: strings.TrimSpace(now.said + " It is no longer in this list.")}}},
	}
	for range max(len(out.Heads)-1, 0) {
		out.Row.Cells = append(out.Row.Cells, views.Cell{})
	}
	if len(out.Heads) == 0 {
		out.Heads = []views.SortLink{{}}
	}
	return out
}

// pageAddress is a page number as an address has it, empty for the first.
func pageAddress(n int) string {
	if n <= 1 {
		return ""
	}
	return strconv.Itoa(n)
}
