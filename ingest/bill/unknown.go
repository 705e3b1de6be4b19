package bill

import (
	"strings"

	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
)

// maxUnknown bounds how many machine types of a file are named one by one.
const maxUnknown = 100

// unknownTypes names accelerated machine types that the catalogue lacks. Their lines are kept;
// their number of GPUs is not guessed.
type unknownTypes map[string]string // type → its note, empty when there is none

// note is the note to count for a charge, empty in nearly all cases.
func (u unknownTypes) note(c *ledger.Charge) string {
	if c.InstanceType == "" {
		return ""
	}
	if note, seen := u[c.InstanceType]; seen {
		return note
	}
	name := strings.Clone(c.InstanceType)
	note := ""
	if catalog.Unknown(c.Provider, name) {
		note = "line of an accelerated machine that the catalogue does not know"
		if len(u) < maxUnknown {
			note += ": " + name
		}
	}
	if len(u) < 100*maxUnknown {
		u[name] = note
	}
	return note
}
