package metrics

import (
	"fmt"
	"strings"
	"time"

	"gpuledger/internal/money"
	"gpuledger/internal/visible"
)

// ExplainedSpot shows the savings of spot, posting by posting (docs/figures.md, 15.4 and 20.2).
type ExplainedSpot struct {
	Count  int64         `json:"postings"`
	Sums   []SpotSum     `json:"sums"` // one per currency
	Agrees bool          `json:"agrees"`
	Listed []SpotPosting `json:"listed"` // by hour, machine and id
	// Cuts split the sums; only pages ask for them, instead of postings of many days.
	Cuts []SpotCut `json:"cuts,omitempty"`
}

// SpotCut are the sums by one key, day or instance_type; its rows add up to Sums.
type SpotCut struct {
	By   string       `json:"by"`
	Rows []SpotCutRow `json:"rows"`
}

// SpotCutRow is a part of spot savings that can be explained in turn.
type SpotCutRow struct {
	Value   string `json:"value"` // for a day, its date
	Subject string `json:"subject"`
	SpotSum
}

// Add adds the sums of other postings of the currency.
func (s *SpotSum) Add(o SpotSum) {
	s.Currency = o.Currency
	s.Effective, s.OnDemand, s.Gross = s.Effective.Add(o.Effective), s.OnDemand.Add(o.OnDemand), s.Gross.Add(o.Gross)
	s.Lost, s.Net, s.Unknown = s.Lost.Add(o.Lost), s.Net.Add(o.Net), s.Unknown.Add(o.Unknown)
	s.Known += o.Known
}

// SpotSum adds up postings of one currency. Postings without a known on-demand price count only in Unknown.
type SpotSum struct {
	Currency  string       `json:"currency"`
	Effective money.Amount `json:"effective_cost"`
	OnDemand  money.Amount `json:"on_demand_equivalent"`
	Gross     money.Amount `json:"gross_savings"`
	Lost      money.Amount `json:"lost_cost"`
	Net       money.Amount `json:"net_savings"`
	Unknown   money.Amount `json:"unknown_cost"`
	Known     int64        `json:"known_postings"`
}

// SpotPosting is one posting. nil is unknown; for a machine that is not a spot machine, only the loss counts.
type SpotPosting struct {
	PostingID   string    `json:"posting_id"`
	Hour        time.Time `json:"hour"`
	Node        string    `json:"node"`
	Type        string    `json:"instance_type"`
	Run         string    `json:"run,omitempty"`
	Cause       string    `json:"cause"`
	Currency    string    `json:"currency"`
	Effective   *string   `json:"effective_cost"`
	GPUHours    *string   `json:"gpu_hours"`
	MachineGPUs *string   `json:"machine_gpus"`
	Rate        *string   `json:"on_demand_rate"`
	Source      *string   `json:"on_demand_source"`
	Detail      *string   `json:"on_demand_detail"`
	OnDemand    *string   `json:"on_demand_equivalent"`
	Gross       *string   `json:"gross_savings"`
	Lost        *string   `json:"lost_cost"`
}

func (s *ExplainedSpot) writeText(b *strings.Builder) {
	visible.Fprintf(b, "\n%d postings of spot add up to\n", s.Count)
	for i := range s.Sums {
		x := &s.Sums[i]
		visible.Fprintf(b, "    gross %s − destroyed %s = net %s %s; on demand %s, effective %s", x.Gross, x.Lost, x.Net,
			x.Currency, x.OnDemand, x.Effective)
		if x.Unknown.Sign() != 0 {
			visible.Fprintf(b, ", plus %s without a known on-demand price", x.Unknown)
		}
		b.WriteString("\n")
	}
	visible.Fprintf(b, "    %s\n",
		map[bool]string{true: "which is the figure", false: "WHICH IS NOT THE FIGURE"}[s.Agrees])
	for i := range s.Listed {
		p := &s.Listed[i]
		visible.Fprintf(b, "  posting/%s  %s  %s  %s: %slost %s %s\n", p.PostingID, p.Hour.Format(time.RFC3339), p.Node,
			p.Cause, p.compared(), known(p.Lost), p.Currency)
	}
	if more := s.Count - int64(len(s.Listed)); more > 0 {
		visible.Fprintf(b, "    and %d more\n", more)
	}
}

// compared is the cost and the on-demand cost of the posting; empty if only its loss counts.
func (p *SpotPosting) compared() string {
	switch {
	case p.Effective == nil && p.Source == nil:
		return ""
	case p.OnDemand == nil:
		return fmt.Sprintf("cost %s, on demand unknown (%s), ", known(p.Effective), p.source())
	case p.GPUHours == nil:
		return fmt.Sprintf("cost %s, on demand %s: another posting has the hours (%s), ", known(p.Effective), *p.OnDemand,
			p.source())
	}
	return fmt.Sprintf("cost %s, on demand %s/h × %s/%s = %s (%s), ", known(p.Effective), known(p.Rate), *p.GPUHours,
		known(p.MachineGPUs), *p.OnDemand, p.source())
}

func (p *SpotPosting) source() string {
	if p.Source == nil {
		return "not a spot machine"
	}
	if p.Detail == nil {
		return *p.Source
	}
	return *p.Source + ", " + *p.Detail
}
