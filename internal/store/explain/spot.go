package explain

import (
	"context"
	"slices"
	"strings"

	"gpuledger/internal/money"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/report"
	"gpuledger/metrics"
)

const formulaSpot = "Gross savings are Σ (on-demand equivalent − effective cost) over the postings of spot machines " +
	"with a known on-demand rate. The equivalent is rate × GPU-hours ÷ GPUs of the machine, " +
	"rounded half up to 1e-12; if the rate comes from the bill itself, it is the posting's list cost. Net savings are " +
	"gross savings minus the cost lost to interruptions."

// spot explains spot savings by the postings behind them.
func (e *explainer) spot(ctx context.Context) error {
	e.out.Formula = formulaSpot
	if e.levels {
		return e.spotLevel(ctx)
	}
	var err error
	if e.out.Figures, err = e.priced(ctx, e.subject.Beside, report.Ask); err != nil {
		return err
	}
	if e.out.Spot, err = e.spotPostings(ctx, e.subject.Query); err != nil {
		return err
	}
	if e.out.Spot.Count == 0 {
		return &metrics.NotFoundError{Subject: e.out.Subject}
	}
	e.spotAgrees()
	return nil
}

// spotOfRun adds the postings of a run's spot machines, if it has any.
func (e *explainer) spotOfRun(ctx context.Context, id string) error {
	q, err := metrics.Parse("spot_postings", metrics.Options{Filter: "run = '" + strings.ReplaceAll(id, "'", "''") + "'"})
	if err != nil {
		return err
	}
	list, err := e.spotPostings(ctx, q)
	if err != nil || list.Count == 0 {
		return err
	}
	e.out.Spot = list
	e.spotAgrees()
	return nil
}

// spotAgrees compares the sums with the figures.
func (e *explainer) spotAgrees() {
	e.out.Spot.Agrees = !slices.ContainsFunc(e.out.Figures, func(f metrics.Figure) bool {
		return !slices.ContainsFunc(e.out.Spot.Sums, func(s metrics.SpotSum) bool {
			return s.Currency == f.Currency && agreeing(&s, f.Others)
		})
	})
}

// agreeing reports whether the sums equal the figures of the same names; an unknown figure is left out.
func agreeing(s *metrics.SpotSum, figures []metrics.NamedFigure) bool {
	sums := map[string]money.Amount{
		"gross_savings": s.Gross, "spot_savings": s.Gross, "net_savings": s.Net, "net_spot_savings": s.Net,
	}
	if s.Known == 0 {
		sums = nil
	}
	found := 0
	for _, f := range figures {
		sum, ok := sums[f.Name]
		if !ok {
			continue
		}
		if found++; sum.String() != f.Value {
			return false
		}
	}
	return found == len(sums)/2
}

// spotPostings adds up the postings that a query to dataset spot_postings selects, and lists the first of them.
func (e *explainer) spotPostings(ctx context.Context, q metrics.Query) (*metrics.ExplainedSpot, error) {
	rows, err := report.Ask(ctx, e.tx, q)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := &metrics.ExplainedSpot{Sums: []metrics.SpotSum{}, Listed: []metrics.SpotPosting{}}
	for rows.Next() {
		_, cell := e.figureOf(rows)
		p := metrics.SpotPosting{PostingID: pg.OrEmpty(cell["posting_id"]), Node: pg.OrEmpty(cell["node"]),
			Type: pg.OrEmpty(cell["instance_type"]), Run: pg.OrEmpty(cell["run"]), Cause: pg.OrEmpty(cell["cause"]),
			Currency: pg.OrEmpty(cell["currency"]), Effective: cell["effective_cost"],
			GPUHours: cell["gpu_hours"], MachineGPUs: cell["machine_gpus"], Rate: cell["on_demand_rate"],
			Source: cell["on_demand_source"], Detail: cell["on_demand_detail"],
			OnDemand: cell["on_demand_equivalent"], Gross: cell["gross_savings"], Lost: cell["lost_cost"]}
		hour, err := metrics.ParseTime("hour", pg.OrEmpty(cell["hour"]), "UTC")
		if err != nil {
			return nil, err
		}
		p.Hour = hour.Time()
		i := slices.IndexFunc(out.Sums, func(s metrics.SpotSum) bool { return s.Currency == p.Currency })
		if i < 0 {
			i = len(out.Sums)
			out.Sums = append(out.Sums, metrics.SpotSum{Currency: p.Currency})
		}
		if err := addSpot(&out.Sums[i], &p); err != nil {
			return nil, err
		}
		if out.Count++; e.listed < 0 || len(out.Listed) < e.listed {
			out.Listed = append(out.Listed, p)
		}
	}
	return out, rows.Err()
}

func addSpot(s *metrics.SpotSum, p *metrics.SpotPosting) error {
	var amounts [4]money.Amount
	for i, text := range []*string{p.Effective, p.OnDemand, p.Gross, p.Lost} {
		if text == nil {
			continue
		}
		var err error
		if amounts[i], err = money.Parse(*text); err != nil {
			return err
		}
	}
	s.Effective, s.OnDemand, s.Gross, s.Lost = s.Effective.Add(amounts[0]), s.OnDemand.Add(amounts[1]),
		s.Gross.Add(amounts[2]), s.Lost.Add(amounts[3])
	if p.OnDemand == nil {
		s.Unknown = s.Unknown.Add(amounts[0])
	} else {
		s.Known++
	}
	s.Net = s.Gross.Sub(s.Lost)
	return nil
}
