package views

// Saved is the page of saved views.
type Saved struct {
	Shell         Shell
	Sentence, Sub string
	Refused       string // why the last change was not made
	Own, Shared   TablePanel
}
