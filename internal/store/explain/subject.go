package explain

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/report"
	"gpuledger/metrics"
)

// Options bound an explanation.
type Options struct {
	// Listed is how many postings behind a figure are listed; 0: 100, below 0: all.
	Listed int
	// Level explains the figure of a report one step at a time (metrics.Level), from row First on.
	Level bool
	First int
}

// Explain is ExplainWith with the standard bounds.
func (s *Explainer) Explain(ctx context.Context, subject string) (*metrics.Explanation, error) {
	return s.ExplainWith(ctx, subject, Options{})
}

// ExplainLevel is Explain for a page: it breaks the figure of a report down by one step, from row first on, instead
// of listing all its postings.
func (s *Explainer) ExplainLevel(ctx context.Context, subject string, first int) (*metrics.Explanation, error) {
	return s.ExplainWith(ctx, subject, Options{Level: true, First: first})
}

// ExplainWith shows how a figure follows from bill lines and usage; metrics.ParseSubject documents the subjects. It
// reads one snapshot of the ledger. It returns a *metrics.NotFoundError if the ledger does not hold the subject, and
// a *metrics.OptionError if the text is not a subject.
func (s *Explainer) ExplainWith(ctx context.Context, text string, opt Options) (*metrics.Explanation, error) {
	e, err := s.explainer(ctx, text)
	if err != nil {
		return nil, err
	}
	if e.levels, e.first = opt.Level, opt.First; opt.Listed != 0 {
		e.listed = opt.Listed
	}
	if e.subject.Kind == "figure" {
		if e.out.Origins, err = metrics.ReadOrigins(ctx, &e.subject, s.From); err != nil {
			return nil, fmt.Errorf("explain %s: %w", text, err)
		}
		e.out.Figures = []metrics.Figure{} // origins have theirs
		return e.out, e.out.ReadStanding(ctx, s.From)
	}
	err = s.Read(ctx, "explain "+text, func(tx pgx.Tx) error {
		e.tx = tx
		if viewer := access.From(ctx); viewer.Bounded() {
			return e.own(ctx, viewer)
		}
		return e.explain(ctx)
	})
	if err != nil {
		return nil, err
	}
	return e.out, e.out.ReadStanding(ctx, s.From)
}

func (s *Explainer) explainer(ctx context.Context, text string) (*explainer, error) {
	subject, err := metrics.ParseSubject(text)
	if err != nil {
		return nil, err
	}
	book, err := s.Policies(ctx)
	if err != nil {
		return nil, err
	}
	return &explainer{subject: subject, book: book, listed: 100,
		out: &metrics.Explanation{Subject: text, NodeHours: []metrics.NodeHour{}, Whole: []metrics.ExplainedPart{}}}, nil
}

func (e *explainer) explain(ctx context.Context) error {
	s := &e.subject
	switch s.Kind {
	case "run":
		return e.run(ctx, s.Name)
	case "posting":
		return e.posting(ctx, s.ID)
	case "charge":
		return e.charge(ctx, s.ID)
	case "report":
		return e.report(ctx)
	case "spot":
		return e.spot(ctx)
	}
	set, err := e.set(ctx)
	if err != nil {
		return err
	}
	return e.explainSet(ctx, set)
}

// NodeHour is the key that usage rows and compute parts share.
type NodeHour struct {
	Node ledger.ID
	Hour period.Second
}

const (
	formulaSplit = "Each part of a node-hour is split over all usage rows of that node-hour, in row-key order: " +
		"share = part × weight ÷ Σ weights, separately for each of the four costs, in units of 1e-12 by largest remainder " +
		"(equal remainders: first row). Digits below 1e-12 go to the largest share."
	formulaRun = formulaSplit +
		" The run's cost is the sum of its rows' shares of all parts, over all attempts, plus its whole parts."
	formulaSet = formulaSplit +
		" The figure is the sum of the marked rows' shares of all parts, plus its whole parts."
	formulaPosting = formulaSplit + " The posting is the share of one row of one part."
	formulaWhole   = "The posting is the whole part: it is not split over usage rows."
	formulaCharge  = "The charge is the sum of its parts. Each part is posted in full."
)

var rowKey = []string{
	"slot", "slice (none first)", "workload uid (none first)", "run_id", "attempt",
	"task", "cause in the ledger's order", "activity: active, idle, unknown",
}

func (e *explainer) run(ctx context.Context, id string) error {
	if err := e.runFigures(ctx, id); err != nil {
		return err
	}
	e.out.Formula, e.out.Columns = formulaRun, rowKey
	if err := e.loadShares(ctx, "explain.run_shares", id); err != nil {
		return err
	}
	var err error
	if e.out.ProviderSplit, err = pg.List[metrics.ProviderSplit](ctx, e.tx, "explain.run_splits", pg.Tenant,
		id); err != nil {
		return err
	}
	hours, err := e.runHours(ctx, id)
	if err != nil {
		return err
	}
	err = e.nodeHours(ctx, hours, func(_ ledger.ID, run *string) bool { return run != nil && *run == id }, nil)
	if err != nil {
		return err
	}
	if err := e.wholeOf(ctx, "explain.run_whole", pg.Tenant, id); err != nil {
		return err
	}
	return e.spotOfRun(ctx, id)
}

// runFigures reads the figures of a run from the report runs.
func (e *explainer) runFigures(ctx context.Context, id string) error {
	q, err := metrics.Parse("runs", metrics.Options{Filter: "run_id = '" + strings.ReplaceAll(id, "'", "''") + "'"})
	if err != nil {
		return &metrics.NotFoundError{Subject: e.out.Subject}
	}
	if e.out.Figures, err = e.figures(ctx, q, report.Ask); err == nil && len(e.out.Figures) == 0 {
		err = &metrics.NotFoundError{Subject: e.out.Subject}
	}
	return err
}

// runHours are the node-hours in which a run has usage.
func (e *explainer) runHours(ctx context.Context, id string) ([]NodeHour, error) {
	return pg.List[NodeHour](ctx, e.tx, "explain.run_hours", pg.Tenant, id)
}

// wholeOf adds the parts that a named statement returns.
func (e *explainer) wholeOf(ctx context.Context, name string, args ...any) error {
	list, err := pg.List[struct {
		PartID ledger.ID
		Hour   period.Second
	}](ctx, e.tx, name, args...)
	if err != nil || len(list) == 0 {
		return err
	}
	var parts []ledger.ID
	var at []period.Second
	for _, p := range list {
		parts, at = append(parts, p.PartID), append(at, p.Hour)
	}
	return e.wholeParts(ctx, "explain.parts", parts, at)
}

// asker answers a query from the ledger or from roll-ups.
type asker func(context.Context, pgx.Tx, metrics.Query) (metrics.Rows, error)

// figures reads a report: the costs of each row, and its other figures by name. A row without a currency has no cost.
func (e *explainer) figures(ctx context.Context, q metrics.Query, ask asker) ([]metrics.Figure, error) {
	rows, err := ask(ctx, e.tx, q)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []metrics.Figure
	for rows.Next() {
		f, _ := e.figureOf(rows)
		f.Others = metrics.NamedFigures(rows.Columns(), rows.Values())
		out = append(out, f)
	}
	return out, rows.Err()
}

// priced reads the rows of a report that have a cost.
func (e *explainer) priced(ctx context.Context, q metrics.Query, ask asker) ([]metrics.Figure, error) {
	all, err := e.figures(ctx, q, ask)
	var out []metrics.Figure
	for _, f := range all {
		if f.Currency != "" {
			out = append(out, f)
		}
	}
	return out, err
}

// costs reads only the four costs of a report.
func (e *explainer) costs(ctx context.Context, q metrics.Query, ask asker) ([]metrics.Figure, error) {
	list, err := e.priced(ctx, q, ask)
	for i := range list {
		list[i].Others = nil
	}
	return list, err
}

// figureOf reads the costs of a row, and the other cells by name.
func (e *explainer) figureOf(rows metrics.Rows) (metrics.Figure, map[string]*string) {
	cell := map[string]*string{}
	for i, v := range rows.Values() {
		if v.Valid {
			text := v.String(rows.Columns()[i].Kind)
			cell[rows.Columns()[i].Name] = &text
		}
	}
	f := metrics.Figure{
		Effective: cell["effective_cost"], Billed: cell["billed_cost"],
		List: cell["list_cost"], Contracted: cell["contracted_cost"],
	}
	for name, to := range map[string]*string{"currency": &f.Currency, "state": &f.State, "quality": &f.Quality} {
		if v := cell[name]; v != nil {
			*to = *v
		}
	}
	return f, cell
}

// foundPosting is a posting with its part, node and hour.
type foundPosting struct {
	At                period.Second
	Part, Usage, Node ledger.ID
	metrics.ExplainedPosting
}

// readPosting reads a posting; pgx.ErrNoRows if no posting has that id.
func (e *explainer) readPosting(ctx context.Context, id ledger.ID) (*foundPosting, error) {
	p, err := pg.One[foundPosting](ctx, e.tx, "explain.posting", pg.Tenant, id)
	p.Why = meaning(p.Cause)
	return &p, err
}

func (e *explainer) posting(ctx context.Context, id ledger.ID) error {
	p, err := e.readPosting(ctx, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return e.share(ctx, id)
	}
	if err != nil {
		return err
	}
	e.out.Posting = &p.ExplainedPosting
	if err := e.loadShares(ctx, "explain.posting_shares", id, p.At); err != nil {
		return err
	}
	e.out.Figures = append(e.out.Figures, e.shares[p.Part])
	if p.Usage.IsZero() {
		e.out.Formula = formulaWhole
		return e.wholeParts(ctx, "explain.parts", []ledger.ID{p.Part}, []period.Second{p.At})
	}
	e.out.Formula, e.out.Columns = formulaPosting, rowKey
	at := NodeHour{p.Node, p.At}
	mine := func(u ledger.ID, _ *string) bool { return u == p.Usage }
	if err := e.nodeHours(ctx, []NodeHour{at}, mine, &p.Part); err != nil {
		return err
	}
	if err := e.out.Derive(); err != nil {
		return err
	}
	return e.evidence(ctx, []NodeHour{at})
}

func meaning(cause string) string {
	for _, c := range ledger.Causes {
		if string(c.Cause) == cause {
			return c.Meaning
		}
	}
	return ""
}

func (e *explainer) charge(ctx context.Context, id ledger.ID) error {
	c, err := pg.One[struct {
		DeliveryID ledger.ID
		Currency   string
		State      string
		ledger.Costs
	}](ctx, e.tx, "explain.charge", pg.Tenant, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return &metrics.NotFoundError{Subject: e.out.Subject}
	}
	if err != nil {
		return err
	}
	f := figure(&c.Costs, c.Currency, c.State, string(ledger.Measured))
	e.out.Figures, e.out.Formula = append(e.out.Figures, f), formulaCharge
	if err := e.loadShares(ctx, "explain.charge_shares", c.DeliveryID, id); err != nil {
		return err
	}
	return e.wholeParts(ctx, "explain.charge_parts", c.DeliveryID, id)
}
