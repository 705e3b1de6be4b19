package page

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"gpuledger/web/views/format"
)

// hashShown is how many characters of a digest are shown.
const hashShown = 12

// AuditDetail prints the detail of an audit log entry in words; unknown details stay as
// written.
func AuditDetail(text string) string {
	var d struct {
		Version  int64    `json:"version"`
		Digest   string   `json:"digest"`
		Reason   string   `json:"reason"`
		Reasons  []string `json:"reasons"`
		Name     string   `json:"name"`
		Role     string   `json:"role"`
		Scope    []string `json:"scope"`
		Address  string   `json:"address"`
		Sessions int64    `json:"sessions"`

		From      any    `json:"from"`
		To        any    `json:"to"`
		ValidFrom string `json:"valid_from"`
		Asked     string `json:"asked_by"`
		Confirmed string `json:"confirmed_by"`
	}
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		return text
	}
	var parts []string
	if d.Name != "" {
		parts = append(parts, d.Name)
	}
	if moves := moved(d.From, d.To); moves != nil {
		parts, d.Role, d.Scope = append(parts, moves...), "", nil
	}
	if d.Role != "" {
		parts = append(parts, "as "+strings.ReplaceAll(d.Role, "_", " "))
	}
	if len(d.Scope) > 0 {
		parts = append(parts, "sees "+strings.Join(d.Scope, " or "))
	}
	if d.Address != "" {
		parts = append(parts, "from "+d.Address)
	}
	if d.Sessions > 0 {
		parts = append(parts, format.Plural(int(d.Sessions), "session", "sessions"))
	}
	if d.Version > 0 {
		parts = append(parts, "version "+strconv.FormatInt(d.Version, 10))
	}
	if d.Digest != "" {
		parts = append(parts, "sha256 "+d.Digest[:min(len(d.Digest), hashShown)])
	}
	if d.ValidFrom != "" {
		parts = append(parts, "from "+d.ValidFrom)
	}
	if d.Asked != "" {
		parts = append(parts, "requested by "+d.Asked)
	}
	if d.Confirmed != "" {
		parts = append(parts, "confirmed by "+d.Confirmed)
	}
	if d.Reason != "" {
		parts = append(parts, "“"+d.Reason+"”")
	}
	if parts = slices.Concat(parts, d.Reasons); len(parts) == 0 && text != "{}" {
		return text
	}
	return strings.Join(parts, "; ")
}
