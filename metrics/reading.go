package metrics

import (
	"maps"
	"slices"
	"strings"
	"time"

	"gpuledger/internal/visible"
)

// Reading is the source of an answer, and the reasons why no smaller source was enough.
type Reading struct {
	Dataset   string           `json:"dataset"`
	Stretches []Stretch        `json:"read_from"` // of the window, without gaps; none: the dataset has no roll-up
	RollUps   []RollUp         `json:"roll_ups"`  // considered roll-ups, in the order of trying
	Rows      map[string]int64 `json:"rows_read"` // by table, including rows left out
	Statement string           `json:"statement"` // as sent
}

// Stretch is a part of the query's window with its source.
type Stretch struct {
	From   *time.Time `json:"from"` // nil: open
	To     *time.Time `json:"to"`
	Source string     `json:"source"` // months, days, hours, ledger, or nothing: before or after all stored data
	Why    []string   `json:"why"`    // for ledger: why no roll-up answers
}

// RollUp is a roll-up that was considered for an answer.
type RollUp struct {
	Name    string   `json:"name"`
	Keys    []string `json:"keys"` // in addition to the keys that all roll-ups have
	Answers bool     `json:"answers"`
	Why     string   `json:"why"` // why it answers or not
}

// Text is the reading for a terminal.
func (r *Reading) Text() string {
	var b strings.Builder
	visible.Fprintf(&b, "%s is read from\n", r.Dataset)
	if len(r.Stretches) == 0 {
		b.WriteString("  its own tables: it has no roll-up\n")
	}
	at := func(t *time.Time) string {
		if t == nil {
			return "…"
		}
		return t.UTC().Format("2006-01-02T15:04Z")
	}
	for _, s := range r.Stretches {
		visible.Fprintf(&b, "  %s to %s: %s\n", at(s.From), at(s.To), s.Source)
		for _, why := range s.Why {
			visible.Fprintf(&b, "    %s\n", why)
		}
	}
	if len(r.RollUps) > 0 {
		b.WriteString("roll-ups\n")
	}
	for _, u := range r.RollUps {
		sign := "-"
		if u.Answers {
			sign = "+"
		}
		visible.Fprintf(&b, "  %s %s (%s): %s\n", sign, u.Name, strings.Join(u.Keys, ", "), u.Why)
	}
	b.WriteString("rows read\n")
	for _, table := range slices.Sorted(maps.Keys(r.Rows)) {
		visible.Fprintf(&b, "  %-28s %d\n", table, r.Rows[table])
	}
	return b.String()
}
