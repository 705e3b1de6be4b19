package metrics

import (
	"strings"
	"time"

	"gpuledger/internal/visible"
)

// OwnExplanation explains a figure to scoped users: their share of each bill line and their own use. It leaves out
// other owners' shares of the same lines and machines, and the total cost of lines.
type OwnExplanation struct {
	// Lines add up to the figure, by hour.
	Lines []OwnLine `json:"lines"`
	// Usage are the users' own rows of the machines.
	Usage []OwnUsage `json:"usage"`
}

// OwnLine is the share of one part of a bill line.
type OwnLine struct {
	Hour    time.Time `json:"hour"`
	Node    *string   `json:"node"` // null: no machine
	Cluster *string   `json:"cluster"`
	Kind    string    `json:"kind"` // of the part
	File    *string   `json:"source_file"`
	Line    *int64    `json:"line"` // null: no bill yet, or the bill was not kept
	Service *string   `json:"service_name"`
	Price   *string   `json:"price_class"`
	Share   Figure    `json:"share" db:"-"` // as posted
	// Others: other owners share the part; their share is not shown.
	Others bool `json:"others" db:"-"`
}

// OwnUsage is one usage row, without its weight relative to others.
type OwnUsage struct {
	ExplainedUsage
	Hour    time.Time `json:"hour"`
	Node    string    `json:"node"`
	Cluster string    `json:"cluster"`
	// Samples are the telemetry of the device or slice, with all its users; null without samples, or if the query covers
	// too many hours at once.
	Samples *SliceSamples `json:"samples"`
}

// OthersHave replaces details of other owners.
const OthersHave = "others have the rest"

func (o *OwnExplanation) writeText(b *strings.Builder) {
	for i := range o.Lines {
		l := &o.Lines[i]
		visible.Fprintf(b, "\n%s  %s  %s", l.Hour.Format(time.RFC3339), dash(l.Node), l.Kind)
		if l.File != nil && l.Line != nil {
			visible.Fprintf(b, "  %s line %d", *l.File, *l.Line)
		}
		visible.Fprintf(b, "\n    %s", l.Share.costs())
		if l.Others {
			visible.Fprintf(b, "; %s", OthersHave)
		}
	}
	if len(o.Lines) > 0 {
		b.WriteString("\n")
	}
	for i := range o.Usage {
		u := &o.Usage[i]
		visible.Fprintf(b, "\n%s  %s  slot %d%s  %s %s  %d s  %s (%s)\n",
			u.Hour.Format(time.RFC3339), u.Node, u.Slot, slice(u.Slice), u.Cause, u.Activity, u.Seconds, u.Quality, u.Method)
		if s := u.Samples; s != nil && s.Signal != "" {
			visible.Fprintf(b, "    %s in %d of 60 minutes, %d to %d ppm\n", s.Signal, s.Minutes, s.Low, s.High)
		}
	}
}

func dash(s *string) string {
	if s == nil {
		return "-"
	}
	return *s
}
