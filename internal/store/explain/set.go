package explain

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// ledgerSet selects rows of the ledger: those within hours that match all fields that are set.
type ledgerSet struct {
	hours    period.Interval
	nodes    []ledger.ID
	device   *string
	attempts []ledger.ID
	usage    *ledger.ID
}

func (s *ledgerSet) args() []any {
	return []any{pg.Tenant, s.hours.From, s.hours.To, s.nodes, s.device, s.attempts, s.usage}
}

// set finds the rows that the subject is about.
func (e *explainer) set(ctx context.Context) (*ledgerSet, error) {
	subject := &e.subject
	set := &ledgerSet{hours: subject.Hours}
	missing := &metrics.NotFoundError{Subject: e.out.Subject}
	switch subject.Kind {
	case "device":
		set.device = &subject.Name
	case "node":
		nodes, err := pg.Values[ledger.ID](ctx, e.tx, "explain.named_nodes", pg.Tenant, subject.Name)
		if err == nil && len(nodes) == 0 {
			return nil, missing
		}
		set.nodes = nodes
		return set, err
	case "usage":
		at, found, err := pg.Found(pg.One[NodeHour](ctx, e.tx, "explain.usage", pg.Tenant, subject.ID))
		if err == nil && !found {
			return nil, missing
		}
		set.usage, set.nodes, set.hours = &subject.ID, []ledger.ID{at.Node}, period.HourOf(at.Hour)
		return set, err
	case "attempt":
		attempts, err := pg.List[struct {
			AttemptID ledger.ID
			period.Interval
		}](ctx, e.tx, "explain.attempts", pg.Tenant, subject.ID, subject.Name, subject.Number)
		for i, a := range attempts {
			a.From = a.From.Floor(period.Hour)
			if i == 0 {
				set.hours = a.Interval
			}
			set.hours = period.Interval{From: min(set.hours.From, a.From), To: max(set.hours.To, a.To)}
			set.attempts = append(set.attempts, a.AttemptID)
		}
		if err == nil && len(set.attempts) == 0 {
			return nil, missing
		}
		return set, err
	}
	return set, nil
}

// mostEvidence bounds the node-hours for which evidence is gathered.
const mostEvidence = 24

func (e *explainer) explainSet(ctx context.Context, set *ledgerSet) error {
	e.out.Formula, e.out.Columns = formulaSet, rowKey
	mine, hours, err := e.setShares(ctx, set)
	if err != nil {
		return err
	}
	if len(hours) == 0 && len(e.shares) == 0 {
		return &metrics.NotFoundError{Subject: e.out.Subject}
	}
	e.out.Figures = e.total()
	if err := e.nodeHours(ctx, hours, func(usage ledger.ID, _ *string) bool { return mine[usage] }, nil); err != nil {
		return err
	}
	if err := e.wholeOf(ctx, "explain.set_whole", set.args()...); err != nil {
		return err
	}
	if len(hours) > mostEvidence {
		return nil
	}
	return e.evidence(ctx, hours)
}

// setShares reads the amounts posted to a set, its usage rows, and their node-hours.
func (e *explainer) setShares(
	ctx context.Context, set *ledgerSet,
) (mine map[ledger.ID]bool, hours []NodeHour, err error) {
	if err := e.loadShares(ctx, "explain.set_shares", set.args()[1:]...); err != nil {
		return nil, nil, err
	}
	mine = map[ledger.ID]bool{}
	list, err := pg.List[struct {
		NodeHour
		UsageID ledger.ID
	}](ctx, e.tx, "explain.set_hours", set.args()...)
	for _, u := range list {
		mine[u.UsageID] = true
		if len(hours) == 0 || hours[len(hours)-1] != u.NodeHour {
			hours = append(hours, u.NodeHour)
		}
	}
	return mine, hours, err
}

// total adds up the shares of all parts, one figure per currency: NULL for a metric that no share knows, the least
// settled state, the worst quality.
func (e *explainer) total() []metrics.Figure {
	sums := map[string]*figureSum{}
	for _, share := range e.shares {
		sum := sums[share.Currency]
		if sum == nil {
			sum = &figureSum{}
			sums[share.Currency] = sum
		}
		sum.addFigure(&share)
	}
	var out []metrics.Figure
	for _, currency := range slices.Sorted(maps.Keys(sums)) {
		out = append(out, sums[currency].figure(currency))
	}
	return out
}

// figureSum adds figures of one currency up.
type figureSum struct {
	costs   ledger.Costs
	state   string // of money, known or awaited
	without string // of rows that hold no money
	quality ledger.Quality
}

func (s *figureSum) add(costs *ledger.Costs, state, quality string) {
	for _, m := range ledger.Metrics {
		switch sum, c := s.costs.Get(m), costs.Get(m); {
		case c == nil:
		case sum == nil:
			s.costs.Set(m, c)
		default:
			both := sum.Add(*c)
			s.costs.Set(m, &both)
		}
	}
	settled := &s.state
	if !ledger.State(state).Awaits(costs.Effective != nil) {
		settled = &s.without
	}
	*settled = max(*settled, state) // final < open < provisional also in alphabetical order
	s.quality = s.quality.Worse(ledger.Quality(quality))
}

func (s *figureSum) addFigure(f *metrics.Figure) {
	var costs ledger.Costs
	for _, m := range ledger.Metrics {
		if text := f.Get(m); text != nil {
			if a, err := money.Parse(*text); err == nil { // amountText wrote it, so it parses
				costs.Set(m, &a)
			}
		}
	}
	s.add(&costs, f.State, f.Quality)
}

func (s *figureSum) figure(currency string) metrics.Figure {
	return figure(&s.costs, currency, cmp.Or(s.state, s.without), string(s.quality))
}
