package people

import (
	"errors"
	"net/http"
	"net/url"

	"gpuledger/internal/access"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

var userHeads = views.Heads(
	"Name", "Role: wide-only nowrap", "Sees: scope", "State: wide-only", "Last seen: wide-only nowrap", "Actions: acts",
)

// users lists the users who sign in.
func (d *room) users(w http.ResponseWriter, r *http.Request) {
	d.usersPage(w, r, http.StatusOK, views.Users{})
}

func (d *room) usersPage(w http.ResponseWriter, r *http.Request, status int, p views.Users) {
	list, err := d.Keeper.Users(r.Context())
	if err != nil {
		d.Broken(w, r, page.Scope{Basis: "effective", Path: "/people"}, "people", err)
		return
	}
	v, now := access.From(r.Context()), d.now()
	active := 0
	var rows []views.Row
	for i := range list {
		u := &list[i]
		state, role, change := u.State(), page.RoleWords(u.Role), ""
		tag := stateTag(state)
		name := views.Cell{Figure: views.Figure{Text: u.Name}, Name: true,
			Narrow: role + ", " + string(state), Sub: "added " + moment(&u.CreatedAt, now, "").Text}
		if u.Name == v.Name {
			name.Figure.Tag = &views.Tag{Text: "you"}
		}
		if u.Issuer != "" {
			name.Sub += ", signs in at " + issuerWords(u.Issuer)
		} else {
			change = "/people/change?name=" + url.QueryEscape(u.Name)
		}
		acts := views.Cell{}
		if state != access.Disabled {
			acts.Form = views.UserActs(u.Name, change, u.Name == v.Name, u.Issuer != access.ProxyIssuer)
		}
		if state == access.Active {
			active++
		}
		rows = append(rows, views.Row{Cells: []views.Cell{name, views.Text(role),
			named(access.ScopeWords(u.Role, u.Conditions)),
			{Tag: &tag}, {Figure: moment(u.SeenAt, now, "never")}, acts}})
	}
	p.Users = listOf("Users", "times in UTC", userHeads, rows, v.Seeing())
	if p.Form.Roles == nil {
		p.Form = views.GrantForm{Roles: rolesFor(true)}
	}
	p.Shell, p.Roles, p.Fixed = d.Shell(r, page.Passing(r), "people", "Users"), rolesTable(), v.Seeing()
	p.Sentence = format.Plural(active, "person can sign in.", "people can sign in.")
	if active == 0 { // for example in a demo, where links sign users in
		p.Sentence = "No user has chosen a password yet."
	}
	p.Sub = "A user's scope decides what they see, their role what they may do. Every change is in the audit log."
	d.Render(w, r, status, views.UsersPage(p))
}

// addUser adds a user, and shows the link to choose a password.
func (d *room) addUser(w http.ResponseWriter, r *http.Request) {
	form, ok := read(w, r)
	if !ok {
		return
	}
	var p views.Users
	var g access.Grant
	g, p.Form = d.grant(access.From(r.Context()), form, true)
	link, err := d.Keeper.AddUser(r.Context(), g, "")
	if err != nil {
		d.usersRefused(w, r, err, p)
		return
	}
	d.usersPage(w, r, http.StatusOK, views.Users{Once: d.invitation(r, "User added", access.Folded(g.Name), link)})
}

// newLink shows another link to choose a password.
func (d *room) newLink(w http.ResponseWriter, r *http.Request) {
	form, ok := read(w, r)
	if !ok {
		return
	}
	link, err := d.Keeper.Link(r.Context(), form.Get("name"), access.From(r.Context()).Actor(), d.now())
	if err != nil {
		d.usersRefused(w, r, err, views.Users{})
		return
	}
	d.usersPage(w, r, http.StatusOK, views.Users{Once: d.invitation(r, "Link created", form.Get("name"), link)})
}

// invitation is the panel with a link to choose a password.
func (d *room) invitation(r *http.Request, title, name, link string) *views.Once {
	scheme := "http://"
	if d.Gate.Secure(r) {
		scheme = "https://"
	}
	return &views.Once{Title: title, Of: name, Label: "Link", Secret: scheme + r.Host + "/welcome?code=" + link,
		Note: "anyone with this link can choose the password, once, within a day. Send it over a channel that you trust."}
}

// disable disables a user.
func (d *room) disable(w http.ResponseWriter, r *http.Request) {
	form, ok := read(w, r)
	if !ok {
		return
	}
	err := d.Keeper.DisableUser(r.Context(), form.Get("name"), access.From(r.Context()).Actor(), d.now())
	d.userChanged(w, r, err, "/people")
}

// signOutUser ends all sessions of a user.
func (d *room) signOutUser(w http.ResponseWriter, r *http.Request) {
	form, ok := read(w, r)
	if !ok {
		return
	}
	err := d.Keeper.SignOutUser(r.Context(), form.Get("name"), access.From(r.Context()).Actor(), d.now())
	d.userChanged(w, r, err, "/people")
}

// seeAs lets an admin see as a user, starting at the overview.
func (d *room) seeAs(w http.ResponseWriter, r *http.Request) {
	form, ok := read(w, r)
	if !ok {
		return
	}
	d.userChanged(w, r, d.beginSeeing(w, r, form.Get("name")), "/")
}

// userChanged redirects if there is no error.
func (d *room) userChanged(w http.ResponseWriter, r *http.Request, err error, to string) {
	if err != nil {
		d.usersRefused(w, r, err, views.Users{})
		return
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

func (d *room) usersRefused(w http.ResponseWriter, r *http.Request, err error, p views.Users) {
	refused, is := errors.AsType[*access.RefusedError](err)
	if !is {
		d.failed(w, r, err)
		return
	}
	p.Refused = sentence(refused.Reason)
	d.usersPage(w, r, http.StatusUnprocessableEntity, p)
}
