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

// Default and longest life of a token, in days.
const (
	usualDays = 90
	mostDays  = 3650
)

var (
	tokenHeads = views.Heads(
		"Name", "Role: wide-only nowrap", "Sees: scope", "State: wide-only",
		"Ends: wide-only nowrap", "Last used: wide-only nowrap", "Actions: acts",
	)
	loginHeads = views.Heads("Login", "Sees")
)

// tokens lists the tokens of programs.
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
	var rows []views.Row
	for i := range list {
		t := &list[i]
		id, state, role, ends := t.ID.String(), t.State(now), page.RoleWords(t.Role), moment(t.ExpiresAt, now, "never")
		tag, acts := stateTag(state), views.Cell{}
		if state == access.Active {
			active++
			acts.Form = views.RevokeToken(id, t.Name)
		}
		name := views.Cell{Figure: views.Figure{Text: t.Name, Title: id}, Name: true,
			Narrow: role + ", " + string(state) + ", ends " + ends.Text,
			Sub:    page.Short(id) + ", created " + moment(&t.CreatedAt, now, "").Text}
		rows = append(rows, views.Row{Cells: []views.Cell{name, views.Text(role),
			named(access.ScopeWords(t.Role, t.Conditions)),
			{Tag: &tag}, {Figure: ends}, {Figure: moment(t.UsedAt, now, "never")}, acts}})
	}
	seeing := access.From(r.Context()).Seeing()
	p.Tokens = listOf("Tokens", "newest first, times in UTC", tokenHeads, rows, seeing)
	p.Tokens.None, rows = "No API tokens yet.", nil
	for i := range logins {
		login := views.Cell{Figure: views.Figure{Text: logins[i].Name}, Mono: true}
		rows = append(rows, views.Row{Cells: []views.Cell{login, named(logins[i].Sees())}})
	}
	p.Logins = listOf("Database logins", "for BI tools that read schema bi_v1", loginHeads, rows, false)
	p.Logins.None = "No database logins yet. gpuledger bi login NAME creates one."
	if p.Form.Roles == nil {
		p.Form = views.GrantForm{Roles: rolesFor(false), Days: strconv.Itoa(usualDays)}
	}
	p.Shell, p.Fixed = d.Shell(r, page.Passing(r), "tokens", "Tokens"), seeing
	p.Sentence = format.Plural(active, "active API token.", "active API tokens.")
	p.Sub = "Programs send a token with every request. Anyone who holds a token has its rights."
	if active == 0 {
		p.Sentence = "No active API tokens."
	}
	d.Render(w, r, status, views.TokensPage(p))
}

// createToken creates a token and shows it once.
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
		reason := "a token must end after 1 to " + strconv.Itoa(mostDays) + " days"
		d.tokensRefused(w, r, &access.RefusedError{Reason: reason}, p)
		return
	}
	_, token, err := d.Keeper.CreateToken(r.Context(), g, time.Duration(days)*24*time.Hour)
	if err != nil {
		d.tokensRefused(w, r, err, p)
		return
	}
	d.tokensPage(w, r, http.StatusOK,
		views.Tokens{Once: &views.Once{Title: "Token created", Of: g.Name, Label: "Token", Secret: token,
			Note: "programs send it in the Authorization header, after “Bearer”. " +
				"It cannot be shown again: if it is lost, revoke it and create another."}})
}

func (d *room) revokeToken(w http.ResponseWriter, r *http.Request) {
	form, ok := read(w, r)
	if !ok {
		return
	}
	id, err := ledger.ParseID(form.Get("id"))
	if err != nil {
		http.Error(w, "the id is not a token id", http.StatusBadRequest)
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
