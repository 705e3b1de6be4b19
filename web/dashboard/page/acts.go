package page

import (
	"slices"
	"strings"

	"gpuledger/internal/access"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// NoDate is the due date of a problem that nothing in the ledger dates.
const NoDate = "no date"

// OwnerOf says who acts on something that an owner key names; for any other key it is the role.
func OwnerOf(key, value string, role access.Role) string {
	if value == "" || value == Unowned || !slices.Contains(metrics.OwnerKeys, key) {
		return "No owner. Role " + RoleWords(role) + " acts."
	}
	return "Owner: " + strings.ReplaceAll(key, "_", " ") + " " + value
}

// BeforeClose is the due date of a problem that blocks the close of a billing month: the month itself, since the
// ledger knows no planned date of a close.
func BeforeClose(month period.Month) string {
	i, err := month.Interval()
	if err != nil {
		return NoDate
	}
	return "before " + i.From.Time().Format("January") + " closes"
}
