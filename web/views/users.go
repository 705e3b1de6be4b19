package views

// Users is the page of who signs in.
type Users struct {
	Shell         Shell
	Sentence, Sub string
	Once          *Once
	Refused       string // why the last change was not made
	Users         []User
	Form          GrantForm
	Roles         []RoleRow
	// Fixed is on where nothing may be changed: an admin sees as somebody else.
	Fixed bool
}

// User is somebody who signs in, as a row.
type User struct {
	Name, Role, Sees string
	State            Tag
	Added, Seen      Figure
	Issuer           string // where he signs in; empty: here
	You, Disabled    bool
}

// Once is a secret that stands on this page and on no other.
type Once struct {
	Title, Label, Secret, Note string
	Of                         string // whose it is, a text from outside
}

// GrantForm asks what somebody is to have, with what was typed.
type GrantForm struct {
	Name, Role, Scope string
	Days              string // until it ends
	Roles             []RoleOption
}

// RoleOption is a role that can be given.
type RoleOption struct{ Role, Text string }

// RoleRow says what a role is for and may do.
type RoleRow struct {
	Name, For, Sees string
	May             []string
}
