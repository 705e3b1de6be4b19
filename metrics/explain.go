package metrics

import (
	"fmt"
	"io"
	"strings"
	"time"

	"gpuledger/internal/ledger"
)

// Explanation shows how a figure follows from bill lines and usage. It holds
// everything an outside program needs to compute the figure again to the last
// digit (docs/rules.md 8.3; docs/recompute-run.py does it in 30 lines).
type Explanation struct {
	Subject  string   `json:"subject"`           // "run/…", "posting/…", "charge/…"
	Figures  []Figure `json:"figures"`           // one per currency
	Formula  string   `json:"formula"`           // in words
	Policies []string `json:"policy_versions"`   // all that the figure was computed with
	Columns  []string `json:"row_key,omitempty"` // what rows are ordered by
	// NodeHours are all node-hours that the subject has a share of, by node and hour.
	NodeHours []NodeHour `json:"node_hours"`
	// Whole are parts that go to the subject undivided: nothing on a node receives them.
	Whole []ExplainedPart `json:"whole_parts"`
	// Unbilled counts usage rows of the subject without any bill or rate; they add nothing.
	Unbilled int `json:"unbilled_usage_rows"`
	// ProviderSplit is what the provider's own split of its machines gives the
	// run's pods: evidence beside the figures, never added to them.
	ProviderSplit []ProviderSplit `json:"provider_split,omitempty"`
}

// ProviderSplit adds up the split rows of one resource and currency.
type ProviderSplit struct {
	Resource string  `json:"resource"` // vcpu, memory, accelerator, or the provider's own word
	Currency string  `json:"currency"`
	Used     *string `json:"used"`
	Unused   *string `json:"unused"` // share of idle capacity
	Rows     int64   `json:"rows"`
}

// Figure is the result to be explained, each cost on its own. NULL is unknown.
type Figure struct {
	Currency   string  `json:"currency"`
	Effective  *string `json:"effective_cost"`
	Billed     *string `json:"billed_cost"`
	List       *string `json:"list_cost"`
	Contracted *string `json:"contracted_cost"`
	State      string  `json:"state"`
	Quality    string  `json:"quality"`
}

// Get returns one of the four costs.
func (f *Figure) Get(m ledger.Metric) *string {
	switch m {
	case ledger.BilledCost:
		return f.Billed
	case ledger.EffectiveCost:
		return f.Effective
	case ledger.ListCost:
		return f.List
	case ledger.ContractedCost:
		return f.Contracted
	}
	return nil
}

// NodeHour is what one machine did and cost in one hour.
type NodeHour struct {
	Node        string    `json:"node"`
	Cluster     string    `json:"cluster"`
	Hour        time.Time `json:"hour"`
	Denominator string    `json:"weight_denominator"` // slot-seconds of a row = weight ÷ this
	// Rows are all usage rows of the node-hour, the subject's and the others', in row-key order.
	Rows  []WeightedRow   `json:"rows"`
	Parts []ExplainedPart `json:"parts"`
	// Samples is the number of telemetry rows behind the hour on this node.
	Samples int64 `json:"telemetry_rows"`
	// PlacementMinutes counts minutes in which telemetry named a holder of a slice of the node.
	PlacementMinutes int64 `json:"placement_minutes"`
}

// WeightedRow is one usage row and its integer weight.
type WeightedRow struct {
	UsageID  string  `json:"usage_id"`
	Weight   string  `json:"weight"` // integer over the node-hour's denominator
	Mine     bool    `json:"mine"`   // the subject's
	Slot     int     `json:"slot"`
	Slice    *int    `json:"slice"`
	Holder   string  `json:"holder"` // namespace/pod, empty when nobody
	RunID    *string `json:"run_id"`
	Attempt  *int    `json:"attempt"`
	Cause    string  `json:"cause"`
	Activity string  `json:"activity"`
	Seconds  int64   `json:"seconds"`
	Quality  string  `json:"quality"`
	Method   string  `json:"method"`
}

// ExplainedPart is one part of one charge: where it comes from, what it
// amounts to and which share of it is the subject's.
type ExplainedPart struct {
	PartID   string    `json:"part_id"`
	Number   int       `json:"part"`
	Kind     string    `json:"kind"`
	Hour     time.Time `json:"hour"`
	ChargeID *string   `json:"charge_id"`
	File     *string   `json:"source_file"`
	Line     *int64    `json:"line"`
	RateID   *string   `json:"rate_id"`
	Rate     *string   `json:"hourly_rate"`
	Source   *string   `json:"rate_source"`
	Method   string    `json:"method"`
	Quality  string    `json:"quality"`
	Amount   Figure    `json:"amount"`
	Share    Figure    `json:"share"` // of the subject, as posted
}

// WriteText writes the explanation for people: the figure, the formula and a
// line per node-hour and part.
func (e *Explanation) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", e.Subject)
	for i := range e.Figures {
		f := &e.Figures[i]
		fmt.Fprintf(&b, "  effective %s  billed %s  list %s  contracted %s  %s (%s, %s)\n",
			known(f.Effective), known(f.Billed), known(f.List), known(f.Contracted), f.Currency, f.State, f.Quality)
	}
	fmt.Fprintf(&b, "\n%s\npolicy %s\n", e.Formula, strings.Join(e.Policies, ", "))
	if e.Unbilled > 0 {
		fmt.Fprintf(&b, "%d usage rows have no bill and no rate yet\n", e.Unbilled)
	}
	for _, s := range e.ProviderSplit {
		fmt.Fprintf(&b, "the provider's own split gives its pods %s of %s, unused %s %s (%d rows; not part of the figure)\n",
			known(s.Used), s.Resource, known(s.Unused), s.Currency, s.Rows)
	}
	for i := range e.NodeHours {
		e.NodeHours[i].writeText(&b)
		if b.Len() > 1<<16 {
			if _, err := io.WriteString(w, b.String()); err != nil {
				return err
			}
			b.Reset()
		}
	}
	for i := range e.Whole {
		fmt.Fprintf(&b, "\n%s\n", e.Whole[i].Hour.Format(time.RFC3339))
		e.Whole[i].writeText(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (n *NodeHour) writeText(b *strings.Builder) {
	mine := 0
	for i := range n.Rows {
		if n.Rows[i].Mine {
			mine++
		}
	}
	fmt.Fprintf(b, "\n%s  %s  %d of %d usage rows, %d telemetry rows, %d placement minutes\n",
		n.Hour.Format(time.RFC3339), n.Node, mine, len(n.Rows), n.Samples, n.PlacementMinutes)
	for i := range n.Rows {
		r := &n.Rows[i]
		if !r.Mine {
			continue
		}
		fmt.Fprintf(b, "    slot %d%s  %s %s  %d s  weight %s/%s  %s (%s)\n",
			r.Slot, slice(r.Slice), r.Cause, r.Activity, r.Seconds, r.Weight, n.Denominator, r.Quality, r.Method)
	}
	for i := range n.Parts {
		n.Parts[i].writeText(b)
	}
}

func (p *ExplainedPart) writeText(b *strings.Builder) {
	switch {
	case p.File != nil && p.Line != nil:
		fmt.Fprintf(b, "    %s line %d", *p.File, *p.Line)
	case p.Rate != nil:
		fmt.Fprintf(b, "    rate %s per hour (%s)", *p.Rate, known(p.Source))
	default:
		b.WriteString("    no bill line")
	}
	fmt.Fprintf(b, "  %s  effective %s of %s %s  (%s, %s)\n",
		p.Kind, known(p.Share.Effective), known(p.Amount.Effective), p.Amount.Currency, p.Method, p.Quality)
}

func known(s *string) string {
	if s == nil {
		return "unknown"
	}
	return *s
}

func slice(id *int) string {
	if id == nil {
		return ""
	}
	return fmt.Sprintf(" slice %d", *id)
}
