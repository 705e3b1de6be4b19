package views

// Users is the page of users and roles.
type Users struct {
	Shell         Shell
	Sentence, Sub string
	Once          *Once
	Refused       string // why the last change was not made
	Users, Roles  TablePanel
	Form          GrantForm
	// Fixed means that nothing may be changed, because an admin views the page as another user.
	Fixed bool
}

// Once is a new secret, which is shown only once.
type Once struct {
	Title, Label, Secret, Note string
	Of                         string // name of the user or token, a text from outside
}

// ChangeUser is the page that gives a user another role or scope.
type ChangeUser struct {
	Shell   Shell
	Refused string
	Form    GrantForm
}

// GrantForm is the form of a role and scope, with the values that were typed.
type GrantForm struct {
	Name, Role, Scope string
	There             bool   // the user exists: the name cannot be changed
	Days              string // lifetime of a token
	Roles             []RoleOption
}

// RoleOption is a role that can be given.
type RoleOption struct{ Role, Text string }
