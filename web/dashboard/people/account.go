package people

import (
	"errors"
	"net/http"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
)

// account says who is signed in, what he sees, and where else he is.
func (d *room) account(w http.ResponseWriter, r *http.Request) {
	d.accountPage(w, r, http.StatusOK, "")
}

func (d *room) accountPage(w http.ResponseWriter, r *http.Request, status int, refused string) {
	v, now := access.From(r.Context()), d.now()
	conditions, err := d.Keeper.Conditions(r.Context(), v)
	var sessions []access.Session
	if err == nil && v.Kind == access.BySession {
		sessions, err = d.Keeper.Sessions(r.Context(), d.Gate.SessionOf(r), now)
	}
	if err != nil {
		d.Broken(w, r, page.Scope{Basis: "effective", Path: "/account"}, "account", err)
		return
	}
	p := views.Account{
		Shell:    d.Shell(r, page.Scope{Basis: "effective"}, "account", "Account"),
		Sentence: "You are signed in as " + v.Name + ".", Refused: refused,
		Role: page.RoleWords(v.Role), For: v.Role.Doc(), Sees: conditions, May: may(v.Role),
		Others: len(sessions) > 1, Fixed: v.Seeing(),
	}
	if v.Seeing() {
		p.Sentence, p.Sub = "You are seeing this as "+v.Name+".", "You are signed in as "+v.By+", whose sessions stand below."
	}
	if len(conditions) == 0 {
		p.Sees = []string{access.ScopeWords(v.Role, nil)}
	}
	for i := range sessions {
		s := &sessions[i]
		p.Sessions = append(p.Sessions, views.Session{
			ID: s.ID.String(), Browser: browser(s.From.Agent), Agent: s.From.Agent, Address: s.From.Address,
			SeesAs: s.SeesAs, Began: moment(&s.BeganAt, now, ""), Seen: moment(&s.SeenAt, now, ""), This: s.This,
		})
	}
	d.Render(w, r, status, views.AccountPage(p))
}

// endSession ends one of one's own sessions.
func (d *room) endSession(w http.ResponseWriter, r *http.Request) {
	form, ok := read(w, r)
	if !ok {
		return
	}
	id, err := ledger.ParseID(form.Get("id"))
	if err != nil {
		http.Error(w, "the id is none of a session", http.StatusBadRequest)
		return
	}
	d.ended(w, r, d.Keeper.EndSession(r.Context(), d.Gate.SessionOf(r), id, d.now()), "/account")
}

// endOthers ends all of one's sessions but this one.
func (d *room) endOthers(w http.ResponseWriter, r *http.Request) {
	d.ended(w, r, d.Keeper.EndOtherSessions(r.Context(), d.Gate.SessionOf(r), d.now()), "/account")
}

// myself lets an admin see as himself again.
func (d *room) myself(w http.ResponseWriter, r *http.Request) {
	d.ended(w, r, d.Keeper.StopSeeing(r.Context(), d.Gate.SessionOf(r), d.now()), "/people")
}

// ended goes on where nothing went wrong.
func (d *room) ended(w http.ResponseWriter, r *http.Request, err error, to string) {
	refused, is := errors.AsType[*access.RefusedError](err)
	switch {
	case err == nil:
		http.Redirect(w, r, to, http.StatusSeeOther)
	case is:
		d.accountPage(w, r, http.StatusUnprocessableEntity, sentence(refused.Reason))
	default:
		d.failed(w, r, err)
	}
}
