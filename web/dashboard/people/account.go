package people

import (
	"errors"
	"net/http"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
)

var sessionHeads = views.Heads("Browser", "From: nowrap", "Started: wide-only nowrap", "Last seen: nowrap",
	"Actions: acts")

// account shows the signed-in user, their scope and their sessions.
func (d *room) account(w http.ResponseWriter, r *http.Request) {
	said := ""
	if r.URL.Query().Get("done") == "password" {
		said = "Your password has been changed. You are signed out everywhere else."
	}
	d.accountPage(w, r, http.StatusOK, views.Account{Said: said})
}

func (d *room) accountPage(w http.ResponseWriter, r *http.Request, status int, p views.Account) {
	v, now := access.From(r.Context()), d.now()
	conditions, err := d.Keeper.Conditions(r.Context(), v)
	var sessions []access.Session
	if err == nil && v.Kind == access.BySession {
		if sessions, err = d.Keeper.Sessions(r.Context(), d.Gate.SessionOf(r), now); err == nil {
			p.Password, err = d.Keeper.HasPassword(r.Context(), d.Gate.SessionOf(r))
		}
	}
	if err != nil {
		d.Broken(w, r, page.Scope{Basis: "effective", Path: "/account"}, "account", err)
		return
	}
	p.Shell, p.Sentence = d.Shell(r, page.Passing(r), "account", "Account"),
		"You are signed in as "+v.Name+"."
	p.Name, p.Role, p.For, p.Sees, p.May = v.Name, page.RoleWords(v.Role), v.Role.Doc(), conditions, may(v.Role)
	p.Fixed, p.Shortest = v.Seeing(), access.ShortestPassword
	if v.Kind == access.ByProxy {
		p.Sub = "The proxy in front of this server names you in each request. You sign in and out there, " +
			"and your groups there decide what you see."
	}
	if v.Seeing() {
		p.Sentence = "You are viewing this as " + v.Name + "."
		p.Sub = "You are signed in as " + v.By + ". The sessions below are those of " + v.By + "."
		if v.Kind == access.ByProxy {
			p.Sub = "The proxy in front of this server names you as " + v.By + "."
		}
	}
	if len(conditions) == 0 {
		p.Sees = []string{access.ScopeWords(v.Role, nil)}
	}
	var rows []views.Row
	for i := range sessions {
		s := &sessions[i]
		began, acts := moment(&s.BeganAt, now, ""), views.Cell{}
		name := views.Cell{Figure: views.Figure{Text: browser(s.Agent), Title: s.Agent}, Name: true}
		if !s.This {
			acts.Form = views.EndSession(s.ID.String(), name.Figure.Text, began.Text)
		} else if name.Figure.Tag = (&views.Tag{Text: "this one", Tone: "good"}); len(sessions) > 1 {
			acts.Form = views.EndSession("", "", "")
		}
		if s.SeesAs != "" {
			name.Sub = "sees as " + s.SeesAs
		}
		rows = append(rows, views.Row{Cells: []views.Cell{name, named(s.Address), {Figure: began},
			{Figure: moment(&s.SeenAt, now, "")}, acts}})
	}
	p.Sessions = listOf("Your sessions", "times in UTC", sessionHeads, rows, p.Fixed)
	d.Render(w, r, status, views.AccountPage(p))
}

// changePassword lets users who know their password choose another.
func (d *room) changePassword(w http.ResponseWriter, r *http.Request) {
	form, ok := read(w, r)
	if !ok {
		return
	}
	if form.Get("password") != form.Get("again") {
		d.accountPage(w, r, http.StatusUnprocessableEntity, views.Account{Refused: "The two new passwords differ."})
		return
	}
	secret, err := d.Keeper.ChangePassword(r.Context(), d.Gate.SessionOf(r), form.Get("old"), form.Get("password"),
		d.origin(r), d.now())
	switch {
	case slowedDown(w, err):
		d.accountPage(w, r, http.StatusTooManyRequests, views.Account{
			Refused: "Too many wrong passwords. Try again in a few minutes.",
		})
	case err != nil:
		d.ended(w, r, err, "")
	default:
		d.begin(w, r, secret, "/account?done=password")
	}
}

// endSession ends one of the user's sessions.
func (d *room) endSession(w http.ResponseWriter, r *http.Request) {
	form, ok := read(w, r)
	if !ok {
		return
	}
	id, err := ledger.ParseID(form.Get("id"))
	if err != nil {
		http.Error(w, "the id is not a session id", http.StatusBadRequest)
		return
	}
	d.ended(w, r, d.Keeper.EndSession(r.Context(), d.Gate.SessionOf(r), id, d.now()), "/account")
}

// endOthers ends all of the user's sessions except this one.
func (d *room) endOthers(w http.ResponseWriter, r *http.Request) {
	d.ended(w, r, d.Keeper.EndOtherSessions(r.Context(), d.Gate.SessionOf(r), d.now()), "/account")
}

// myself ends an admin's view as another user.
func (d *room) myself(w http.ResponseWriter, r *http.Request) {
	d.ended(w, r, d.Keeper.StopSeeing(r.Context(), d.Gate.SessionOf(r), d.now()), "/people")
}

// ended redirects if there is no error.
func (d *room) ended(w http.ResponseWriter, r *http.Request, err error, to string) {
	refused, is := errors.AsType[*access.RefusedError](err)
	switch {
	case err == nil:
		http.Redirect(w, r, to, http.StatusSeeOther)
	case is:
		d.accountPage(w, r, http.StatusUnprocessableEntity, views.Account{Refused: sentence(refused.Reason)})
	default:
		d.failed(w, r, err)
	}
}
