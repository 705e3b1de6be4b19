package metrics

import (
	"net/url"
	"strings"
	"time"

	"gpuledger/internal/period"
)

// Level splits a figure of costs by one step towards its bill lines: the rows of every cut add up to the figure, and so
// do the bill lines.
type Level struct {
	Cuts []Cut `json:"cuts"`
	// Lines is nil while the figure covers more time than the limit for reading lines.
	Lines *LevelLines `json:"lines,omitempty"`
}

// Cut are the rows of a figure by some keys.
type Cut struct {
	By   []string `json:"by"` // hour, day, week or month if rows differ in time, then group keys
	Rows []CutRow `json:"rows"`
	// First is the place of the first row; Next that of the next page, 0: no next page.
	First int `json:"first"`
	Next  int `json:"next"`
	// Agrees: the rows add up to the figure, digit by digit. Nil if the page shows only some of them.
	Agrees *bool `json:"agrees"`
}

// CutRow is a part of a figure that can be explained in turn.
type CutRow struct {
	Keys    []*string `json:"keys"` // in the order of By; for time, its start
	Subject string    `json:"subject"`
	Amount  Figure    `json:"amount"`
}

// LevelLines are the bill lines that a figure adds up, the largest first. Cost without a bill line has rows, too: a
// node-hour without a bill, one side of a pair of sharing.
type LevelLines struct {
	Rows     []LevelLine `json:"rows"`
	First    int         `json:"first"`
	Count    int64       `json:"count"`    // of all rows
	Postings int64       `json:"postings"` // that they add up
	Agrees   bool        `json:"agrees"`
	// Listed are all postings, if they are few.
	Listed []BehindRow `json:"listed,omitempty"`
}

// LevelLine is a bill line with the figure's share of it.
type LevelLine struct {
	Subject  string    `json:"subject"`
	File     *string   `json:"source_file"`
	Line     *int64    `json:"line"`
	Service  *string   `json:"service_name"`
	Node     *string   `json:"node"`
	Kind     string    `json:"kind"`  // of the part, or of the pair
	Cause    *string   `json:"cause"` // nil if postings have several
	From     time.Time `json:"from"`  // first service hour
	To       time.Time `json:"to"`    // end of the last one
	Postings int64     `json:"postings"`
	Amount   Figure    `json:"amount"`
}

// Narrowed is the subject of a part of a figure of costs or of spot: the same query for a window and for rows with some
// values, without groups.
func (s *Subject) Narrowed(window period.Interval, keys []string, values []*string) string {
	o := s.Given
	o.GroupBy, o.Granularity, o.Order, o.Limit = "", "", "", ""
	if window.From != 0 {
		o.From = window.From.Time().Format(time.RFC3339)
	}
	if window.To != 0 {
		o.To = window.To.Time().Format(time.RFC3339)
	}
	terms := make([]string, 0, len(keys)+1)
	if o.Filter != "" {
		terms = append(terms, "("+o.Filter+")")
	}
	for i, key := range keys {
		value := ""
		if values[i] != nil {
			value = *values[i]
		}
		terms = append(terms, key+" = '"+strings.ReplaceAll(value, "'", "''")+"'")
	}
	if len(keys) > 0 {
		o.Filter = strings.Join(terms, " and ")
	}
	v := url.Values{}
	for _, opt := range OptionList {
		if text := *opt.Get(&o); text != "" {
			v.Set(opt.Name, text)
		}
	}
	of := "costs"
	if s.Kind == "spot" {
		of, _, _ = strings.Cut(s.Text, "?")
	}
	return strings.TrimSuffix(of+"?"+v.Encode(), "?")
}
