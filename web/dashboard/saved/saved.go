package saved

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// formBytes bounds a form.
const formBytes = 16 << 10

// pathShown is how many characters of an address are shown.
const pathShown = 48

var (
	ownHeads = views.Heads("Name", "Link to send: wide-only nowrap", "Page: xl-only", "Seen by: nowrap", "Saved: wide-only nowrap",
		"Actions: acts")
	allHeads = views.Heads("Name", "Link to send: wide-only nowrap", "Page: xl-only", "Owner", "Saved: wide-only nowrap",
		"Actions: acts")
)

// views lists the viewer's views and those that others share.
func (d *room) views(w http.ResponseWriter, r *http.Request) { d.page(w, r, http.StatusOK, "") }

func (d *room) page(w http.ResponseWriter, r *http.Request, status int, refused string) {
	s := page.Passing(r)
	list, err := d.Desk.Shelf.List(r.Context())
	if err != nil {
		d.Broken(w, r, s, "views", err)
		return
	}
	fixed := access.From(r.Context()).Seeing()
	p := views.Saved{
		Shell: d.Shell(r, s, "views", "Views"), Sub: "A view is a page with its period and filters. Send its link: each reader sees only their part.",
		Refused: refused,
		Own:     views.TablePanel{Title: "Your views", Table: views.Table{Caption: "Your views", Heads: ownHeads}},
		Shared: views.TablePanel{
			Title: "Shared by others", Note: "you see only your part of them",
			Table: views.Table{Caption: "Shared by others", Heads: allHeads},
		},
	}
	p.Own.None = "You have no saved views yet. Open a page, then “Save view” next to its filters."
	for i := range list {
		panel := &p.Shared
		if list[i].Own {
			panel = &p.Own
		}
		panel.Table.Rows = append(panel.Table.Rows, row(&list[i], fixed))
	}
	p.Sentence = format.Plural(len(p.Own.Table.Rows), "saved view.", "saved views.")
	if len(p.Own.Table.Rows) == 0 {
		p.Sentence = "No saved views."
		if n := len(p.Shared.Table.Rows); n > 0 {
			p.Sentence = "No saved views of your own. Others share " + format.Count(int64(n)) + " with you."
		}
	}
	d.Render(w, r, status, views.SavedPage(p))
}

func row(v *access.SavedView, fixed bool) views.Row {
	saved := period.FromTime(v.CreatedAt)
	name := views.Cell{Figure: views.Figure{Text: v.Name}, Href: v.Link(), Narrow: v.URL}
	if v.Start {
		name.Sub = "your start page"
	}
	send := views.Cell{Figure: views.Figure{Text: v.Link()}, Mono: true, Href: v.Link()}
	at := views.Cell{Figure: views.Figure{Text: page.Middle(v.URL, pathShown), Title: v.URL}, Mono: true}
	who := views.Cell{Figure: views.Figure{Text: v.Owner}, Name: true}
	if v.Own {
		who = views.Text("only you")
		if v.Shared {
			who = views.Text("everyone")
		}
	}
	acts := views.Cell{}
	if !fixed {
		acts.Form = views.SavedActs(v)
	}
	return views.Row{Cells: []views.Cell{name, send, at, who,
		{Figure: views.Figure{Text: format.Instant(saved), Title: format.Stamp(saved)}}, acts}}
}

// open redirects to the address of a view.
func (d *room) open(w http.ResponseWriter, r *http.Request) {
	v, err := d.Desk.Shelf.View(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		d.failed(w, r, err)
		return
	}
	//nolint:gosec // Local passes only paths of this server
	http.Redirect(w, r, page.Local(v.URL), http.StatusSeeOther)
}

// save saves the address of a page.
func (d *room) save(w http.ResponseWriter, r *http.Request) {
	d.changed(w, r, func(ctx context.Context, form url.Values) error {
		_, err := d.Desk.Shelf.Save(ctx, form.Get("name"), form.Get("url"), form.Get("shared") != "")
		return err
	})
}

// change does with a view what the pressed button says.
func (d *room) change(w http.ResponseWriter, r *http.Request) {
	shelf, id := d.Desk.Shelf, chi.URLParam(r, "id")
	d.changed(w, r, func(ctx context.Context, form url.Values) error {
		switch do := form.Get("do"); do {
		case "rename":
			return shelf.Rename(ctx, id, form.Get("name"))
		case "share", "unshare":
			return shelf.Share(ctx, id, do == "share")
		case "start", "unstart":
			return shelf.StartWith(ctx, id, do == "start")
		case "delete":
			return shelf.Drop(ctx, id)
		default:
			return &metrics.OptionError{Option: "do", Value: do,
				Reason: "must be rename, share, unshare, start, unstart or delete"}
		}
	})
}

// changed makes a change from a form, and goes back to the list.
func (d *room) changed(w http.ResponseWriter, r *http.Request, change func(context.Context, url.Values) error) {
	r.Body = http.MaxBytesReader(w, r.Body, formBytes)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the form could not be read", http.StatusBadRequest)
		return
	}
	if err := change(r.Context(), r.PostForm); err != nil {
		d.failed(w, r, err)
		return
	}
	http.Redirect(w, r, Path, http.StatusSeeOther)
}

// failed answers a view that does not exist, or a refused change above the list.
func (d *room) failed(w http.ResponseWriter, r *http.Request, err error) {
	if _, ok := errors.AsType[*access.UnknownViewError](err); ok {
		d.Render(w, r, http.StatusNotFound, views.MessagePage(views.Message{
			Shell:    d.Shell(r, page.Scope{Basis: "effective"}, "views", "Not found"),
			Sentence: "There is no such view.", Sub: "It was deleted, or its owner does not share it.",
			Link: views.Link{Text: "To the saved views", Href: Path},
		}))
		return
	}
	status, reasons := d.DeskRefusal(r, err)
	d.page(w, r, status, reasons[0])
}
