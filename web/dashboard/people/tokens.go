package people

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// Bounds of a token's life, in days.
const (
	usualDays = 90
	mostDays  = 3650
)

// tokens lists what programs show.
func (d *room) tokens(w http.ResponseWriter, r *http.Request) {
	d.tokensPage(w, r, http.StatusOK, views.Tokens{})
}

func (d *room) tokensPage(w http.ResponseWriter, r *http.Request, status int, p views.Tokens) {
	list, err := d.Keeper.Tokens(r.Context())
	var logins []access.Login
	if err == nil {
		logins, err = d.Keeper.Logins(r.Context())
	}
	if err != nil {
		d.Broken(w, r, page.Scope{Basis: "effective", Path: "/tokens"}, "tokens", err)
		return
	}
	now, active := d.now(), 0
	for i := range list {
		t := &list[i]
		state := t.State(now)
		if state == access.Active {
			active++
		}
		p.Tokens = append(p.Tokens, views.Token{
			ID: t.ID.String(), Short: page.Short(t.ID.String()), Name: t.Name,
			Role: page.RoleWords(t.Role), Sees: access.ScopeWords(t.Role, t.Conditions),
			State: stateTag(state), Over: state != access.Active,
			Created: moment(&t.CreatedAt, now, ""), Ends: moment(t.ExpiresAt, now, "never"), Used: moment(t.UsedAt, now, "never"),
		})
	}
	for i := range logins {
		p.Logins = append(p.Logins, views.Login{Name: logins[i].Name, Sees: logins[i].Sees()})
	}
	if p.Form.Roles == nil {
		p.Form = views.GrantForm{Roles: rolesFor(false), Days: strconv.Itoa(usualDays)}
	}
	p.Shell, p.Fixed = d.Shell(r, page.Scope{Basis: "effective"}, "tokens", "Tokens"), access.From(r.Context()).Seeing()
	p.Sentence = format.Plural(active, "token opens the ledger to a program.", "tokens open the ledger to programs.")
	p.Sub = "A program shows its token with every request. Whoever has it may do what it may."
	if active == 0 {
		p.Sentence = "No token opens the ledger to a program."
	}
	d.Render(w, r, status, views.TokensPage(p))
}

// createToken makes a token and shows it, once.
func (d *room) createToken(w http.ResponseWriter, r *http.Request) {
	form, ok := read(w, r)
	if !ok {
		return
	}
	var p views.Tokens
	var g access.Grant
	g, p.Form = d.grant(access.From(r.Context()), form, false)
	days, err := strconv.Atoi(p.Form.Days)
	if err != nil || days < 1 || days > mostDays {
		p.Form.Days = strconv.Itoa(usualDays)
		d.tokensRefused(w, r, &access.RefusedError{Reason: "a token ends after 1 to " + strconv.Itoa(mostDays) + " days"}, p)
		return
	}
	_, token, err := d.Keeper.CreateToken(r.Context(), g, time.Duration(days)*24*time.Hour)
	if err != nil {
		d.tokensRefused(w, r, err, p)
		return
	}
	d.tokensPage(w, r, http.StatusOK, views.Tokens{Once: &views.Once{Title: "A token is made", Of: g.Name, Label: "Token", Secret: token,
		Note: "a program sends it in the header Authorization, after “Bearer”. " +
			"It cannot be shown again: a lost one is revoked, and another made."}})
}

// revokeToken ends a token.
func (d *room) revokeToken(w http.ResponseWriter, r *http.Request) {
	form, ok := read(w, r)
	if !ok {
		return
	}
	id, err := ledger.ParseID(form.Get("id"))
	if err != nil {
		http.Error(w, "the id is none of a token", http.StatusBadRequest)
		return
	}
	if err := d.Keeper.RevokeToken(r.Context(), id, access.From(r.Context()).Actor(), d.now()); err != nil {
		d.tokensRefused(w, r, err, views.Tokens{})
		return
	}
	http.Redirect(w, r, "/tokens", http.StatusSeeOther)
}

func (d *room) tokensRefused(w http.ResponseWriter, r *http.Request, err error, p views.Tokens) {
	refused, is := errors.AsType[*access.RefusedError](err)
	if !is {
		d.failed(w, r, err)
		return
	}
	p.Refused = sentence(refused.Reason)
	d.tokensPage(w, r, http.StatusUnprocessableEntity, p)
}
