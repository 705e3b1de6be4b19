package views

// Account is the page of who is signed in.
type Account struct {
	Shell         Shell
	Sentence, Sub string
	Refused       string
	Said          string // what was done
	Name          string
	Role, For     string
	Sees          []string // conditions, or one word for all
	May           []string
	Sessions      TablePanel // empty: a program asks
	Fixed         bool       // nothing may be changed
	Password      bool       // he signs in with one here, and may choose another
	Shortest      int        // characters of a password
}
