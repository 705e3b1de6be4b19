package metrics

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"gpuledger/internal/visible"
)

// WriteText writes the explanation for people: the figure, the formula, the
// postings behind it and a line per node-hour and part.
func (e *Explanation) WriteText(w io.Writer) error {
	var b strings.Builder
	visible.Fprintf(&b, "%s\n", e.Subject)
	for i := range e.Figures {
		visible.Fprintf(&b, "  %s (%s, %s)\n", e.Figures[i].costs(), e.Figures[i].State, e.Figures[i].Quality)
	}
	if e.Posting != nil {
		e.Posting.writeText(&b)
	}
	if e.Standing != "" {
		visible.Fprintf(&b, "%s\n", e.Standing)
	}
	if e.Formula != "" {
		visible.Fprintf(&b, "\n%s\n", e.Formula)
	}
	for i := range e.Origins {
		e.Origins[i].writeText(&b)
	}
	if len(e.Policies) > 0 {
		visible.Fprintf(&b, "policy %s\n", strings.Join(e.Policies, ", "))
	}
	for _, s := range e.Settings {
		for _, name := range slices.Sorted(maps.Keys(s.Settings)) {
			visible.Fprintf(&b, "    %s: %s %s\n", s.Version, name, s.Settings[name])
		}
	}
	for i := range e.Shares {
		e.Shares[i].writeText(&b)
	}
	if e.Unbilled > 0 {
		visible.Fprintf(&b, "%d usage rows have no bill and no rate yet\n", e.Unbilled)
	}
	for _, s := range e.ProviderSplit {
		visible.Fprintf(&b, "the provider's own split gives its pods %s of %s, unused %s %s (%d rows; not part of the "+
			"figure)\n",
			known(s.Used), s.Resource, known(s.Unused), s.Currency, s.Rows)
	}
	if e.Behind != nil {
		e.Behind.writeText(&b)
	}
	if e.Spot != nil {
		e.Spot.writeText(&b)
	}
	if e.Pool != nil {
		e.Pool.writeText(&b)
	}
	if e.Own != nil {
		e.Own.writeText(&b)
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
		visible.Fprintf(&b, "\n%s\n", e.Whole[i].Hour.Format(time.RFC3339))
		e.Whole[i].writeText(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (f *Figure) costs() string {
	if f.Billed == nil && f.List == nil && f.Contracted == nil { // a figure with one cost
		return fmt.Sprintf("effective %s  %s", known(f.Effective), f.Currency)
	}
	return fmt.Sprintf("effective %s  billed %s  list %s  contracted %s  %s", known(f.Effective), known(f.Billed),
		known(f.List), known(f.Contracted), f.Currency)
}

func (p *ExplainedPosting) writeText(b *strings.Builder) {
	visible.Fprintf(b, "  %s  %s: %s  %s, %s, team %s\n", p.Hour.Format(time.RFC3339), p.Cause, p.Why, p.Kind, p.Method,
		p.Team)
	if p.Adjusts != nil {
		visible.Fprintf(b, "  corrects posting/%s of a closed period\n", *p.Adjusts)
	}
}

func (d *Derivation) writeText(b *strings.Builder) {
	visible.Fprintf(b, "  %s: %s × %s/%s = %s units of 1e-12, remainder %s; %s left over, place %d of the remainders%s",
		d.Metric, d.Part, d.Weight, d.Weights, d.Whole, d.Remainder,
		d.Left, d.Place, map[bool]string{true: ": one unit more"}[d.Extra])
	if d.Dust != "0" && d.Dust != "" {
		visible.Fprintf(b, ", and %s below a unit", d.Dust)
	}
	visible.Fprintf(b, " → %s (posted %s)\n", d.Amount, d.Posted)
}

func (p *Behind) writeText(b *strings.Builder) {
	visible.Fprintf(b, "\n%d postings add up to\n", p.Count)
	for i := range p.Sums {
		visible.Fprintf(b, "    %s\n", p.Sums[i].costs())
	}
	visible.Fprintf(b, "    %s; digest of all %s\n",
		map[bool]string{true: "which is the figure", false: "WHICH IS NOT THE FIGURE"}[p.Agrees], p.Digest)
	if p.Unbilled > 0 {
		visible.Fprintf(b, "    %d usage rows without bill or rate add no cost\n", p.Unbilled)
	}
	for i := range p.Cells {
		c := &p.Cells[i]
		var keys []string
		for _, k := range slices.Sorted(maps.Keys(c.Keys)) {
			keys = append(keys, k+"="+known(c.Keys[k]))
		}
		visible.Fprintf(b, "    %s  %s\n", strings.Join(keys, " "), c.Amount.costs())
	}
	for i := range p.Listed {
		p.Listed[i].writeText(b)
	}
	if more := p.Count - int64(len(p.Listed)); more > 0 {
		visible.Fprintf(b, "    and %d smaller ones\n", more)
	}
}

func (r *BehindRow) writeText(b *strings.Builder) {
	visible.Fprintf(b, "  posting/%s  %s  %s  %s %s  %s %s\n", r.PostingID, r.Hour.Format(time.RFC3339), known(r.Node),
		r.Cause, r.Kind, known(r.Amount.Effective), r.Amount.Currency)
}

func (p *ExplainedPool) writeText(b *strings.Builder) {
	visible.Fprintf(b, "\npool %s: %s of %s in %q, %s, rule %d of %s\n    %s from %d postings\n",
		p.PoolID, p.Cause, p.Day.Format(time.DateOnly), p.Cluster, p.Method, p.Rule, p.Policy, p.Total.costs(), p.Postings)
	for i := range p.Rows {
		r := &p.Rows[i]
		team := ""
		if r.TeamWeightOf > 0 {
			team = fmt.Sprintf("%d/%d × ", r.TeamWeight, r.TeamWeightOf)
		}
		visible.Fprintf(b, "  %s %s %s  %s%s/%s  %s\n", map[bool]string{true: "→", false: " "}[r.Mine], r.Kind, r.Team, team,
			r.Weight, r.WeightOf, known(r.Amount.Effective))
	}
	for i := range p.Listed {
		p.Listed[i].writeText(b)
	}
}

func (n *NodeHour) writeText(b *strings.Builder) {
	mine := 0
	for i := range n.Rows {
		if n.Rows[i].Mine {
			mine++
		}
	}
	visible.Fprintf(b, "\n%s  %s  %d of %d usage rows, %d telemetry rows, %d placement minutes\n",
		n.Hour.Format(time.RFC3339), n.Node, mine, len(n.Rows), n.Samples, n.PlacementMinutes)
	for i := range n.Rows {
		r := &n.Rows[i]
		if !r.Mine {
			continue
		}
		visible.Fprintf(b, "    slot %d%s  %s %s  %d s  weight %s/%s  %s (%s)\n",
			r.Slot, slice(r.Slice), r.Cause, r.Activity, r.Seconds, r.Weight, n.Denominator, r.Quality, r.Method)
	}
	for i := range n.Parts {
		n.Parts[i].writeText(b)
	}
	if n.Evidence != nil {
		n.OwnEvidence().writeText(b)
	}
}

func (e *NodeEvidence) writeText(b *strings.Builder) {
	if e.Source == "frozen" {
		b.WriteString("    evidence as it was when the period was closed\n")
	}
	for _, s := range e.Samples {
		if s.Signal == "" {
			visible.Fprintf(b, "    slot %d%s  %s: %d telemetry rows, no activity\n", s.Slot, slice(s.Slice), s.Device, s.Rows)
			continue
		}
		visible.Fprintf(b, "    slot %d%s  %s: %s in %d of 60 minutes, %d to %d ppm (%s)\n", s.Slot, slice(s.Slice), s.Device,
			s.Signal, s.Minutes, s.Low, s.High, s.Kept)
	}
	for _, l := range e.Layouts {
		var parts []string
		for _, s := range l.Slices {
			parts = append(parts, fmt.Sprintf("%d: %s weighs %s", s.Slice, s.Profile, s.Weight))
		}
		visible.Fprintf(b, "    slot %d cut into %s; Σ raw %s %s\n", l.Slot, strings.Join(parts, ", "), l.Sum, l.Note)
	}
	for _, h := range e.Holders {
		visible.Fprintf(b, "    %s held by %s, %d minutes named (%s)\n", known(h.Device), h.Holder, h.Minutes, h.Basis)
	}
}

func (p *ExplainedPart) writeText(b *strings.Builder) {
	switch {
	case p.File != nil && p.Line != nil:
		visible.Fprintf(b, "    %s line %d", *p.File, *p.Line)
	case p.Rate != nil:
		visible.Fprintf(b, "    rate %s per hour (%s)", *p.Rate, known(p.Source))
	default:
		b.WriteString("    no bill line")
	}
	visible.Fprintf(b, "  %s  effective %s of %s %s  (%s, %s)\n",
		p.Kind, known(p.Share.Effective), known(p.Amount.Effective), p.Amount.Currency, p.Method, p.Quality)
	if c := p.Charge; c != nil {
		visible.Fprintf(b, "        %s; delivery %s (%s), line of %s %s for %s to %s\n", p.Cut, c.Delivery, c.State,
			known(c.Amount.Effective), c.Amount.Currency,
			c.From.Format(time.RFC3339), c.To.Format(time.RFC3339))
	}
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
