package metrics

import (
	"context"
	"math/big"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/visible"
)

// Origin explains one figure of a dataset by other figures: by a formula over them, by parts that add up to it, or by
// both. Each of those has a subject, so that it can be explained in turn, down to bill lines.
type Origin struct {
	Name     string  `json:"name"`  // of the column, as people read it
	Of       string  `json:"of"`    // the row, as a filter; empty: the only one
	Value    *string `json:"value"` // null: unknown
	Unit     string  `json:"unit"`  // a currency code for money
	State    string  `json:"state,omitempty"`
	Sentence string  `json:"sentence"`
	Formula  string  `json:"formula"`
	// Terms are the numbers of the formula.
	Terms []Term `json:"terms"`
	// Parts add up to the value.
	Parts   []Term `json:"parts"`
	PartsBy string `json:"parts_by,omitempty"` // what the parts are, such as a group key
	// Agrees: the formula over the terms gives the value, and the parts add up to it, digit by digit. Nil: there is
	// neither, or the value is unknown.
	Agrees *bool `json:"agrees"`
	// Leads are the next steps towards bill lines.
	Leads []Lead `json:"leads"`
}

// Term is a figure in a formula or a part of a sum.
type Term struct {
	Symbol string  `json:"symbol,omitempty"` // in the formula: "H0"
	Name   string  `json:"name"`
	Value  *string `json:"value"`
	Unit   string  `json:"unit,omitempty"`
	Note   string  `json:"note,omitempty"`
	Leads  []Lead  `json:"leads,omitempty"` // subjects that explain it
}

// Lead is a subject that can be explained.
type Lead struct {
	Text    string `json:"text"`
	Subject string `json:"subject"`
}

// rat is a term's value; nil if unknown.
func (t *Term) rat() *big.Rat { return ratOf(t.Value) }

func ratOf(text *string) *big.Rat {
	if text == nil {
		return nil
	}
	r, ok := new(big.Rat).SetString(*text)
	if !ok {
		return nil
	}
	return r
}

// check notes whether a rational is the value of the origin. It may be called for a formula and for parts.
func (o *Origin) check(r *big.Rat) {
	value := ratOf(o.Value)
	if value == nil || r == nil {
		return
	}
	same := value.Cmp(r) == 0 && (o.Agrees == nil || *o.Agrees)
	o.Agrees = &same
}

// checkParts compares the sum of the parts with the value. Unknown parts add nothing.
func (o *Origin) checkParts() {
	if len(o.Parts) == 0 {
		return
	}
	sum := new(big.Rat)
	for i := range o.Parts {
		if r := o.Parts[i].rat(); r != nil {
			sum.Add(sum, r)
		}
	}
	o.check(sum)
}

// roundParts adds what the parts lose by being rounded each: seconds as hours have twelve decimals. Money has no such
// part.
func (o *Origin) roundParts() {
	value := ratOf(o.Value)
	if value == nil || len(o.Parts) == 0 {
		return
	}
	left := new(big.Rat).Sub(value, sumOf(o.Parts))
	most := new(big.Rat).SetFrac(big.NewInt(int64(len(o.Parts))), unitsPerOne)
	if left.Sign() != 0 && new(big.Rat).Abs(left).Cmp(most) <= 0 {
		o.Parts = append(o.Parts, Term{Name: "rounding of the parts to twelve decimals", Value: new(exactly(left)), Unit: o.Unit})
	}
}

// provisional reports whether a figure has no bill yet.
func (e *Explanation) provisional() bool {
	return slices.ContainsFunc(e.Figures, func(f Figure) bool { return f.State == string(ledger.Provisional) }) ||
		slices.ContainsFunc(e.Origins, func(o Origin) bool { return o.State == string(ledger.Provisional) })
}

// ReadStanding adds how good estimates were to an explanation of provisional figures.
func (e *Explanation) ReadStanding(ctx context.Context, from Querier) (err error) {
	if !e.provisional() {
		return nil
	}
	if e.Estimates, err = ReadEstimates(ctx, from); err == nil {
		e.Standing = "Provisional: not all of it has a bill yet. " + e.Estimates.Sentence()
	}
	return err
}

func (o *Origin) writeText(b *strings.Builder) {
	visible.Fprintf(b, "\n%s%s: %s %s", o.Name, prefixed(" of ", o.Of), known(o.Value), o.Unit)
	if o.State != "" {
		visible.Fprintf(b, " (%s)", o.State)
	}
	visible.Fprintf(b, "\n  %s\n  = %s\n", o.Sentence, o.Formula)
	for i := range o.Terms {
		o.Terms[i].writeText(b, "    ")
	}
	if len(o.Parts) > 0 {
		visible.Fprintf(b, "  parts%s:\n", prefixed(" by ", o.PartsBy))
		for i := range o.Parts {
			o.Parts[i].writeText(b, "    ")
		}
	}
	if o.Agrees != nil {
		b.WriteString(map[bool]string{
			true: "  which is the figure, digit by digit\n", false: "  WHICH IS NOT THE FIGURE\n",
		}[*o.Agrees])
	}
	for _, l := range o.Leads {
		visible.Fprintf(b, "  %s: %s\n", l.Text, l.Subject)
	}
}

func (t *Term) writeText(b *strings.Builder, indent string) {
	visible.Fprintf(b, "%s%s%s: %s %s%s\n", indent, suffixed(t.Symbol, "  "), t.Name, known(t.Value), t.Unit,
		prefixed("  ", t.Note))
	for _, l := range t.Leads {
		visible.Fprintf(b, "%s    %s\n", indent, l.Subject)
	}
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

func suffixed(text, suffix string) string {
	if text == "" {
		return ""
	}
	return text + suffix
}
