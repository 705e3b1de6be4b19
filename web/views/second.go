package views

// WaitingChanges is what waits for a second person, and the forms to decide on it.
type WaitingChanges struct {
	List    []WaitingChange
	Action  string   // where the forms are sent
	Token   bool     // with an operator's token
	Said    string   // what became of the last decision
	Refused []string // why not
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
	Reason      string // empty: none was asked for
	Stands      []string
	Differences []ChangedSetting
	Document    string // of a policy; empty: it is withdrawn
	Digest      Figure
	Decides     bool // whoever looks may confirm and decline it
	TakesBack   bool // he may take it back
}

// ChangedSetting is one thing that a policy would say differently.
type ChangedSetting struct{ Name, From, To string }
