package views

// Signed is the signed-in user, in the rail.
type Signed struct {
	Name  string
	Role  string // in words
	Scope string // in words
	By    string // the admin who views the pages as this user; empty: none
	Stays bool   // there is no session to sign out of: an API token or a proxy identifies the user
}

// Stranger is the page for a user whom the proxy signed in and this server turns away.
type Stranger struct {
	Shell   Shell
	Name    string // empty: unknown
	Reason  string // a sentence
	SignOut string // address where the proxy ends its session; empty: none
}

// SignIn is the sign-in page.
type SignIn struct {
	Shell   Shell
	Name    string
	Back    string // page to go to after sign-in
	Refused string
	// Elsewhere signs in at a provider; nil: there is none.
	Elsewhere *Link
	// Demo is set in a demo, where users sign in by links.
	Demo bool
}

// Welcome is the page to choose a password, reached by a link.
type Welcome struct {
	Shell    Shell
	Name     string // empty: the link is no longer valid
	Code     string
	Shortest int // minimum length of a password, in characters
	Refused  string
}
