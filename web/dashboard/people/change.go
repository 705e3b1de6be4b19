package people

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"gpuledger/internal/access"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
)

// changePage shows the form that changes a user.
func (d *room) changePage(w http.ResponseWriter, r *http.Request) {
	if access.From(r.Context()).Seeing() { // seeing as a user, an admin changes nothing
		http.Redirect(w, r, "/people", http.StatusSeeOther)
		return
	}
	name := r.URL.Query().Get("name")
	list, err := d.Keeper.Users(r.Context())
	if err != nil {
		d.Broken(w, r, page.Scope{Basis: "effective", Path: "/people"}, "people", err)
		return
	}
	i := slices.IndexFunc(list, func(u access.User) bool { return u.Name == name })
	if i < 0 {
		d.usersPage(w, r, http.StatusNotFound, views.Users{Refused: sentence("there is no such user")})
		return
	}
	d.askChange(w, r, http.StatusOK, views.ChangeUser{Form: views.GrantForm{
		Name: name, Role: string(list[i].Role), Scope: strings.Join(list[i].Conditions, "\n")}})
}

func (d *room) askChange(w http.ResponseWriter, r *http.Request, status int, p views.ChangeUser) {
	p.Shell = d.Shell(r, page.Passing(r), "people", "Change a user")
	p.Form.There, p.Form.Roles = true, rolesFor(true)
	d.Render(w, r, status, views.ChangeUserPage(p))
}

// change gives a user another role or scope.
func (d *room) change(w http.ResponseWriter, r *http.Request) {
	form, ok := read(w, r)
	if !ok {
		return
	}
	g, typed := d.grant(access.From(r.Context()), form, true)
	c := access.Change{Name: form.Get("name"), Role: g.Role, Conditions: &g.Conditions, By: g.By, At: g.At}
	_, err := d.Keeper.SetUser(r.Context(), c)
	if refused, is := errors.AsType[*access.RefusedError](err); is {
		d.askChange(w, r, http.StatusUnprocessableEntity, views.ChangeUser{Refused: sentence(refused.Reason), Form: typed})
		return
	}
	d.userChanged(w, r, err, "/people")
}
