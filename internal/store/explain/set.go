package explain

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// ledgerSet names rows of the ledger: those within hours that agree with all
// fields that are set.
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

// set finds out which rows the subject is about.
func (e *explainer) set(ctx context.Context) (*ledgerSet, error) {
	subject := &e.subject
	set := &ledgerSet{hours: subject.Hours}
	missing := &metrics.NotFoundError{Subject: e.out.Subject}
	switch subject.Kind {
	case "device":
		set.device = &subject.Name
	case "node":
		err := pg.Query(ctx, e.tx, "explain.named_nodes", func(rows pgx.Rows) error {
			set.nodes = append(set.nodes, ledger.ID{})
			return rows.Scan(&set.nodes[len(set.nodes)-1])
		}, pg.Tenant, subject.Name)
		if err == nil && len(set.nodes) == 0 {
			return nil, missing
		}
		return set, err
	case "usage":
		var node ledger.ID
		var hour period.Second
		err := e.tx.QueryRow(ctx, pg.Statement("explain.usage"), pg.Tenant, subject.ID).Scan(&node, &hour)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, missing
		}
		set.usage, set.nodes, set.hours = &subject.ID, []ledger.ID{node}, period.HourOf(hour)
		return set, err
	case "attempt":
		err := pg.Query(ctx, e.tx, "explain.attempts", func(rows pgx.Rows) error {
			var id ledger.ID
			var life period.Interval
			if err := rows.Scan(&id, &life.From, &life.To); err != nil {
				return err
			}
			life.From = life.From.Floor(period.Hour)
			if len(set.attempts) == 0 {
				set.hours = life
			}
			set.hours = period.Interval{From: min(set.hours.From, life.From), To: max(set.hours.To, life.To)}
			set.attempts = append(set.attempts, id)
			return nil
		}, pg.Tenant, subject.ID, subject.Name, subject.Number)
		if err == nil && len(set.attempts) == 0 {
			return nil, missing
		}
		return set, err
	}
	return set, nil
}

// mostEvidence is of how many node-hours evidence is gathered at once.
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

// setShares reads what was posted to a set, its usage rows, and the node-hours of these.
func (e *explainer) setShares(ctx context.Context, set *ledgerSet) (mine map[ledger.ID]bool, hours []NodeHour, err error) {
	if err := e.loadShares(ctx, "explain.set_shares", set.args()[1:]...); err != nil {
		return nil, nil, err
	}
	mine = map[ledger.ID]bool{}
	err = pg.Query(ctx, e.tx, "explain.set_hours", func(rows pgx.Rows) error {
		var at NodeHour
		var usage ledger.ID
		err := rows.Scan(&at.Node, &at.Hour, &usage)
		mine[usage] = true
		if len(hours) == 0 || hours[len(hours)-1] != at {
			hours = append(hours, at)
		}
		return err
	}, set.args()...)
	return mine, hours, err
}

// total adds the shares of all parts up, a figure per currency: NULL where
// nothing is known of a metric, the least settled state, the worst quality.
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
	costs   [4]*money.Amount // effective, billed, list, contracted
	state   string
	quality ledger.Quality
}

func (s *figureSum) add(costs [4]*money.Amount, state, quality string) {
	for i, c := range costs {
		switch {
		case c == nil:
		case s.costs[i] == nil:
			s.costs[i] = c
		default:
			sum := s.costs[i].Add(*c)
			s.costs[i] = &sum
		}
	}
	s.state = max(s.state, state) // final < open < provisional, as the alphabet has it
	s.quality = s.quality.Worse(ledger.Quality(quality))
}

func (s *figureSum) addFigure(f *metrics.Figure) {
	var costs [4]*money.Amount
	for i, text := range []*string{f.Effective, f.Billed, f.List, f.Contracted} {
		if text == nil {
			continue
		}
		if a, err := money.Parse(*text); err == nil { // written by amountText
			costs[i] = &a
		}
	}
	s.add(costs, f.State, f.Quality)
}

func (s *figureSum) figure(currency string) metrics.Figure {
	f := metrics.Figure{Currency: currency, State: s.state, Quality: string(s.quality)}
	setCosts(&f, s.costs)
	return f
}
