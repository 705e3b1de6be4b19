package views

import "net/url"

// FindView is the page of found names; its results are also those of the palette.
type FindView struct {
	Shell
	Text          string
	Sentence, Sub string
	Groups        []FoundGroup
}

// FoundGroup are the found names of one kind.
type FoundGroup struct {
	Title string
	Rows  []FoundRow
	More  bool // there are others
}

// FoundRow is a found name with its cost, which may be in several currencies.
type FoundRow struct {
	Name, Note, Href string
	Figures          []Figure
}

// carried are the parameters that the frame hands on, for forms.
func (s Shell) carried() (list [][2]string) {
	if len(s.Query) < 2 {
		return nil
	}
	v, err := url.ParseQuery(s.Query[1:])
	if err != nil { // the frame wrote it
		return nil
	}
	for _, name := range []string{"from", "to", "billing_period", "against", "basis", "sharing", "currency"} {
		if v.Get(name) != "" {
			list = append(list, [2]string{name, v.Get(name)})
		}
	}
	return list
}
