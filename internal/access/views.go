package access

import (
	"time"

	"gpuledger/internal/ledger"
)

// LongestViewName bounds the name of a saved view, in characters.
const LongestViewName = 100

// SavedView is the address of a page that a user saved under a name.
type SavedView struct {
	ID        ledger.ID
	Name      string
	URL       string // path and parameters
	Shared    bool   // every signed-in user sees it
	Owner     string // name
	Own       bool   // it belongs to the reader
	Start     bool   // the reader starts with it
	CreatedAt time.Time
}

// Link is the address that opens the view.
func (v *SavedView) Link() string { return "/views/" + v.ID.String() }

// ViewChange is a change of a saved view; nil leaves a part as it is.
type ViewChange struct {
	Name   *string
	Shared *bool
}

// Holder is the user, token or local operator that saved views belong to.
type Holder struct {
	Key  string // identifies them
	Name string // for pages and the audit log
}

// HolderOf returns the holder of a viewer's views. Tokens of one name share their views, so that a
// rotated token keeps them. A nil viewer is the local operator: access control is off.
func HolderOf(v *Viewer) Holder {
	switch {
	case v == nil:
		return Holder{"local", "local operator"}
	case v.Kind == ByToken:
		return Holder{"token " + v.Name, v.Name}
	}
	return Holder{"user " + v.ID, v.Name}
}

// UnknownViewError means that there is no such view, or that it belongs to someone else.
type UnknownViewError struct{ ID string }

// Error implements error.
func (e *UnknownViewError) Error() string {
	return "there is no view " + Shown(e.ID) + ", or it is not yours"
}
