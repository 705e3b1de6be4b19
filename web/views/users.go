package views

// Users is the page of who signs in.
type Users struct {
	Shell         Shell
	Sentence, Sub string
	Once          *Once
	Refused       string // why the last change was not made
	Users, Roles  TablePanel
	Form          GrantForm
	// Fixed is on where nothing may be changed: an admin sees as somebody else.
	Fixed bool
}

// Once is a secret that stands on this page and on no other.
type Once struct {
	Title, Label, Secret, Note string
	Of                         string // whose it is, a text from outside
}

// ChangeUser is the page that gives a user another role or scope.
type ChangeUser struct {
	Shell   Shell
	Refused string
	Form    GrantForm
}

// GrantForm asks what somebody is to have, with what was typed.
type GrantForm struct {
	Name, Role, Scope string
	There             bool   // he is there already: his name stays
	Days              string // until it ends
	Roles             []RoleOption
}

// RoleOption is a role that can be given.
type RoleOption struct{ Role, Text string }
