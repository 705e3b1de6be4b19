package views

// Account is the page of the signed-in user.
type Account struct {
	Shell         Shell
	Sentence, Sub string
	Refused       string
	Said          string // the change that was made
	Name          string
	Role, For     string
	Sees          []string // conditions of the scope, or "everything"
	May           []string
	Sessions      TablePanel // empty: the request has an API token
	Fixed         bool       // nothing may be changed
	Password      bool       // the user signs in with a password here, and can change it
	Shortest      int        // minimum length of a password, in characters
}
