package ingest

import (
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// shownRows is how many rejected rows a Summary lists, and fewRows how many an error names;
// both list all files and deliveries.
const (
	shownRows = 20
	fewRows   = 5
)

// Summary is the result of an import.
type Summary struct {
	Source   string      `json:"source"`
	State    ImportState `json:"state"`
	Files    int         `json:"files"`
	Bytes    int64       `json:"bytes"` // as stored
	RowsRead int64       `json:"rows_read"`
	Accepted int64       `json:"accepted"`
	Rejected int64       `json:"rejected"`
	Ignored  int64       `json:"ignored"` // RowsRead = Accepted + Rejected + Ignored
	Refused  int64       `json:"refused"` // files and deliveries, not rows

	RejectedByReason map[string]int64    `json:"rejected_by_reason"` // rows, files and deliveries: Rejected + Refused
	IgnoredByReason  map[string]int64    `json:"ignored_by_reason"`
	NotedByReason    map[string]int64    `json:"noted_by_reason,omitempty"` // accepted, but worth a look
	Rejections       []Rejection         `json:"rejections"`
	ControlTotals    []ControlTotal      `json:"control_totals"`
	Deliveries       []PublishedDelivery `json:"deliveries"`
	Seconds          float64             `json:"seconds"`
	// Days of the accepted facts, in UTC: 2026-11-02, or the first to the last.
	Days    string      `json:"days,omitempty"`
	Message string      `json:"message,omitempty"`
	Imports []ledger.ID `json:"imports"` // its import records

	days days
}

// Rejection is a ledger.Rejection in the JSON of a Summary.
type Rejection struct {
	File   string `json:"file"`
	Line   int64  `json:"line,omitempty"`
	Column string `json:"column,omitempty"`
	Reason string `json:"reason"`
	Detail string `json:"detail,omitempty"`
	Whole  bool   `json:"whole,omitempty"` // a refused file or delivery, not a row
	Also   bool   `json:"also,omitempty"`  // a further fault of the row before
}

// String is "file line 3, column x: reason: detail".
func (r Rejection) String() string { return ledger.Rejection(r).String() }

// ControlTotal is a sum over the raw text of a delivery.
type ControlTotal struct {
	DeliveryID    ledger.ID     `json:"delivery_id"`
	Account       string        `json:"account"`
	BillingPeriod period.Month  `json:"billing_period"`
	Currency      string        `json:"currency"`
	Metric        ledger.Metric `json:"metric"`
	SourceTotal   money.Amount  `json:"source_total"`
	Charges       int64         `json:"charges"`
}

// RefusedError means that an import was refused, whole or in part.
type RefusedError struct {
	Source string
	// Whole is true when nothing was published.
	Whole    bool
	Rejected int64 // rows
	Refused  int64 // files and deliveries
	First    []Rejection
	Cause    error // if it was not a row
}

// Error names all refused files and the first rejected rows, with file, line, column and
// reason: a single one on the line of the sentence, several on separate lines.
func (e *RefusedError) Error() string {
	if e.Cause != nil {
		return fmt.Sprintf("import %s refused: %v", e.Source, e.Cause)
	}
	var shown []string
	list := first(slices.Clone(e.First), fewRows)
	for _, r := range list {
		shown = append(shown, r.String())
	}
	if rest := e.unlisted(list); rest > 0 {
		shown = append(shown, fmt.Sprintf("and %d more: gpuledger report rejections", rest))
	}
	if len(shown) == 1 {
		return e.sentence() + ": " + shown[0]
	}
	return e.sentence() + ":\n  " + strings.Join(shown, "\n  ")
}

// brief is Error on one line: the first refusals and how many more there are.
func (e *RefusedError) brief() string {
	if e.Cause != nil {
		return e.Error()
	}
	var shown []string
	list := e.First[:min(len(e.First), fewRows)]
	for len(list) < len(e.First) && e.First[len(list)].Also {
		list = e.First[:len(list)+1]
	}
	for _, r := range list {
		shown = append(shown, r.String())
	}
	more := ""
	if rest := e.unlisted(list); rest > 0 {
		more = fmt.Sprintf(" (and %d more)", rest)
	}
	return e.sentence() + ": " + strings.Join(shown, "; ") + more
}

// unlisted is how many rows, files and deliveries are not in a list.
func (e *RefusedError) unlisted(list []Rejection) int64 {
	rest := e.Rejected + e.Refused
	for _, r := range list {
		if !r.Also {
			rest--
		}
	}
	return rest
}

// sentence states how many were refused, and whether the others were published.
func (e *RefusedError) sentence() string {
	what := "nothing was published"
	if !e.Whole {
		what = "the others were published"
	}
	return fmt.Sprintf("import %s: %s, %s", e.Source, e.counts(), what)
}

// counts states how many rows, files and deliveries were refused.
func (e *RefusedError) counts() string {
	var words []string
	if e.Refused > 0 {
		words = append(words, plural(e.Refused, "refusal"))
	}
	if e.Rejected > 0 || e.Refused == 0 {
		words = append(words, plural(e.Rejected, "rejected row"))
	}
	return strings.Join(words, " and ")
}

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Unwrap returns the cause.
func (e *RefusedError) Unwrap() error { return e.Cause }

func showRejections(rs []ledger.Rejection) []Rejection {
	out := make([]Rejection, len(rs))
	for i, r := range rs {
		out[i] = Rejection(r)
	}
	return first(out, shownRows)
}

// first keeps the first rejected rows with all of their faults, and all refusals.
func first(list []Rejection, rows int) []Rejection {
	return slices.DeleteFunc(list, func(r Rejection) bool {
		if !r.Whole && !r.Also {
			rows--
		}
		return !r.Whole && rows < 0
	})
}

// add merges the summary of one source into that of several.
func (s *Summary) add(o *Summary) {
	s.Files += o.Files
	s.Bytes += o.Bytes
	s.RowsRead += o.RowsRead
	s.Accepted += o.Accepted
	s.Rejected += o.Rejected
	s.Ignored += o.Ignored
	s.Refused += o.Refused
	s.Seconds += o.Seconds
	s.days.see(o.days.from, o.days.to)
	s.Days = s.days.String()
	for reason, n := range o.RejectedByReason {
		s.RejectedByReason[reason] += n
	}
	for reason, n := range o.IgnoredByReason {
		s.IgnoredByReason[reason] += n
	}
	for reason, n := range o.NotedByReason {
		if s.NotedByReason == nil {
			s.NotedByReason = map[string]int64{}
		}
		s.NotedByReason[reason] += n
	}
	s.Rejections = first(append(s.Rejections, o.Rejections...), shownRows)
	s.ControlTotals = append(s.ControlTotals, o.ControlTotals...)
	s.Deliveries = append(s.Deliveries, o.Deliveries...)
	s.Imports = append(s.Imports, o.Imports...)
	if o.Message != "" {
		s.Message = strings.TrimPrefix(s.Message+"; "+o.Message, "; ")
	}
	s.State = worse(s.State, o.State)
}

// worse orders states: refused before published before older before unchanged.
func worse(a, b ImportState) ImportState {
	order := map[ImportState]int{ImportRefused: 4, ImportPublished: 3, ImportOlder: 2, ImportUnchanged: 1}
	if order[b] > order[a] {
		return b
	}
	return a
}

// stateOf combines the states of several deliveries.
func stateOf(ds []PublishedDelivery) ImportState {
	state := ImportUnchanged
	for _, d := range ds {
		switch d.State {
		case DeliveryPublished:
			state = worse(state, ImportPublished)
		case DeliveryOlder:
			state = worse(state, ImportOlder)
		}
	}
	return state
}

func newSummary(source string) *Summary {
	return &Summary{Source: source, RejectedByReason: map[string]int64{}, IgnoredByReason: map[string]int64{},
		Rejections: []Rejection{}, ControlTotals: []ControlTotal{}, Deliveries: []PublishedDelivery{}, Imports: []ledger.ID{}}
}
