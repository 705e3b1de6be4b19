package views

// WaitingChanges lists the changes that wait for a second person, with the forms to decide on them.
type WaitingChanges struct {
	List    []WaitingChange
	Action  string   // address of the forms
	Token   bool     // the forms ask for an operator's token
	Said    string   // result of the last decision
	Refused []string // reasons if it was refused
	Error   *PanelError
}

// Shown reports whether there is anything to show.
func (w WaitingChanges) Shown() bool {
	return len(w.List) > 0 || w.Said != "" || len(w.Refused) > 0 || w.Error != nil
}

// WaitingChange is one change that waits.
type WaitingChange struct {
	ID          string
	What, Of    string // "Reopen October 2026", "of acme"
	By, At      string
	Until       Figure
	Reason      string // empty: the change needs none
	Stands      []string
	Differences []ChangedSetting
	Document    string // of a policy to store; empty for other changes
	Digest      Figure
	Decides     bool // the user may confirm or decline it
	TakesBack   bool // the user may take it back
}

// ChangedSetting is a setting that a policy would change.
type ChangedSetting struct{ Name, From, To string }
