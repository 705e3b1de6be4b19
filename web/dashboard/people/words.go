package people

import (
	"net/url"
	"strings"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/period"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// moment prints a time to the minute, or to the day if it is in another year; nil prints none.
func moment(at *time.Time, now time.Time, none string) views.Figure {
	if at == nil {
		return views.Figure{Text: none}
	}
	s := period.FromTime(*at)
	f := views.Figure{Text: format.Instant(s), Title: format.Stamp(s), Copy: s.String()}
	if at.UTC().Year() != now.UTC().Year() {
		f.Text = format.Days(period.Interval{From: s, To: s + 1})
	}
	return f
}

// tones are the colours of states.
var tones = map[access.State]string{access.Active: "good", access.Invited: "warn"}

func stateTag(s access.State) views.Tag { return views.Tag{Text: string(s), Tone: tones[s]} }

// issuerWords names where a user signs in, other than here.
func issuerWords(issuer string) string {
	if issuer == access.ProxyIssuer {
		return "the proxy"
	}
	return issuer
}

// may lists a role's rights other than reading, in words.
func may(r access.Role) (list []string) {
	for _, right := range r.Rights() {
		if right != access.Read {
			list = append(list, right.Doc())
		}
	}
	if list == nil {
		list = []string{"nothing else"}
	}
	return list
}

// named is a cell of a text from outside.
func named(text string) views.Cell { return views.Cell{Figure: views.Figure{Text: text}, Name: true} }

// listOf is a panel of rows. It is fixed while an admin sees as a user, and then lacks the last
// column, the actions.
func listOf(title, note string, heads []views.SortLink, rows []views.Row, fixed bool) views.TablePanel {
	if fixed {
		heads = heads[:len(heads)-1]
		for i := range rows {
			rows[i].Cells = rows[i].Cells[:len(heads)]
		}
	}
	return views.TablePanel{Title: title, Note: note, Table: views.Table{Caption: title, Heads: heads, Rows: rows}}
}

var roleHeads = views.Heads("Role: nowrap", "Sees: sees", "May also")

// rolesTable lists what each role sees and may do.
func rolesTable() views.TablePanel {
	var rows []views.Row
	for _, r := range access.Roles() {
		sees := "nothing"
		if r.SeesAll() {
			sees = "everything, or its scope"
		} else if r.May(access.Read) {
			sees = "its scope"
		}
		cells := []views.Cell{views.Text(page.RoleWords(r)), views.Text(sees), views.Text(strings.Join(may(r), ", "))}
		rows = append(rows, views.Row{Cells: cells})
	}
	p := listOf("Roles", "what each sees and may do", roleHeads, rows, false)
	p.Notes = []string{"A user with a scope sees only that scope, whatever the role, and cannot change the books."}
	return p
}

// rolesFor are the roles of a form.
func rolesFor(users bool) (list []views.RoleOption) {
	for _, r := range access.Roles() {
		if users && !r.May(access.Read) { // only programs send data without reading
			continue
		}
		list = append(list, views.RoleOption{Role: string(r), Text: page.RoleWords(r) + ": " + r.Doc()})
	}
	return list
}

// grant reads a name, role and scope from a form, and returns them together with the form as typed.
func (d *room) grant(v *access.Viewer, form url.Values, users bool) (access.Grant, views.GrantForm) {
	typed := views.GrantForm{
		Name: form.Get("name"), Role: form.Get("role"), Scope: form.Get("scope"),
		Days: form.Get("days"), Roles: rolesFor(users),
	}
	g := access.Grant{Name: strings.TrimSpace(typed.Name), Role: access.Role(typed.Role), By: v.Actor(), At: d.now()}
	for line := range strings.Lines(typed.Scope) {
		if line = strings.TrimSpace(line); line != "" {
			g.Conditions = append(g.Conditions, line)
		}
	}
	return g, typed
}

// now is the time of a change.
func (d *room) now() time.Time { return d.Options.Now().UTC() }

// browsers and systems are parts of user agents; the first match counts.
var (
	browsers = [][2]string{
		{"Edg/", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"},
		{"Chrome/", "Chrome"}, {"Safari/", "Safari"}, {"curl/", "curl"},
	}
	systems = [][2]string{
		{"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Windows", "Windows"},
		{"Mac OS X", "macOS"}, {"CrOS", "ChromeOS"}, {"Linux", "Linux"},
	}
)

// browser names the browser and system of a user agent.
func browser(agent string) string {
	find := func(list [][2]string) string {
		for _, one := range list {
			if strings.Contains(agent, one[0]) {
				return one[1]
			}
		}
		return ""
	}
	program, system := find(browsers), find(systems)
	switch {
	case program != "" && system != "":
		return program + " on " + system
	case program+system != "":
		return program + system
	case agent == "":
		return "an unnamed program"
	}
	return page.Shorten(agent, 40)
}
