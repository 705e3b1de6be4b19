package explain

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation/policy"
	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// What scoped users may see. Tables show them only their own rows; this file hides what combines their rows with
// others': weights, whole parts and lines, pools, and settings that name other owners.

const formulaOwn = "The figure is the sum of the amounts posted to it from each bill line, split by use of the " +
	"machine in that hour. Your access is limited to your own scope, so other owners' shares of the same lines and " +
	"machines, and the total of each line, are not shown."

// postedPart is how many postings of a part the subject has, and the part's hour.
type postedPart struct {
	hour     period.Second
	postings int64
}

// own explains the subject to a scoped user.
func (e *explainer) own(ctx context.Context, viewer *access.Viewer) error {
	s := &e.subject
	e.out.Formula = formulaOwn
	e.out.Own = &metrics.OwnExplanation{Lines: []metrics.OwnLine{}, Usage: []metrics.OwnUsage{}}
	switch s.Kind {
	case "run":
		return e.ownRun(ctx, s.Name)
	case "posting":
		return e.ownPosting(ctx, s.ID)
	case "charge":
		if err := e.loadShares(ctx, "explain.own_charge_shares", s.ID); err != nil {
			return err
		}
		return e.ownTotal(ctx)
	case "report":
		if err := s.Query.SeenBy(viewer); err != nil {
			return err
		}
		return e.report(ctx)
	case "spot": // only the viewer's own postings
		if err := s.Query.SeenBy(viewer); err != nil {
			return err
		}
		return e.spot(ctx)
	}
	set, err := e.set(ctx)
	if err != nil {
		return err
	}
	mine, hours, err := e.setShares(ctx, set)
	if err != nil {
		return err
	}
	if err := e.ownUsage(ctx, hours, func(usage ledger.ID, _ *string) bool { return mine[usage] }); err != nil {
		return err
	}
	return e.ownTotal(ctx)
}

// ownTotal adds up the subject's shares and lists their bill lines.
func (e *explainer) ownTotal(ctx context.Context) error {
	if len(e.shares) == 0 && len(e.out.Own.Usage) == 0 {
		return &metrics.NotFoundError{Subject: e.out.Subject}
	}
	e.out.Figures = e.total()
	return e.ownLines(ctx)
}

func (e *explainer) ownRun(ctx context.Context, id string) error {
	if err := e.runFigures(ctx, id); err != nil {
		return err
	}
	if err := e.loadShares(ctx, "explain.own_run_shares", id); err != nil {
		return err
	}
	hours, err := e.runHours(ctx, id)
	if err != nil {
		return err
	}
	if err := e.ownUsage(ctx, hours, func(_ ledger.ID, run *string) bool { return run != nil && *run == id }); err != nil {
		return err
	}
	return e.ownLines(ctx)
}

func (e *explainer) ownPosting(ctx context.Context, id ledger.ID) error {
	p, err := e.readPosting(ctx, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return e.ownShare(ctx, id)
	}
	if err != nil {
		return err
	}
	e.out.Posting = &p.ExplainedPosting
	if err := e.loadShares(ctx, "explain.posting_shares", id, p.At); err != nil {
		return err
	}
	if !p.Usage.IsZero() {
		at := []NodeHour{{p.Node, p.At}}
		if err := e.ownUsage(ctx, at, func(u ledger.ID, _ *string) bool { return u == p.Usage }); err != nil {
			return err
		}
	}
	return e.ownTotal(ctx)
}

// ownShare explains the viewer's side of a pair of sharing.
func (e *explainer) ownShare(ctx context.Context, id ledger.ID) error {
	pool, err := readPool(ctx, e.tx, id)
	if err != nil {
		return err
	}
	if pool == nil {
		return &metrics.NotFoundError{Subject: e.out.Subject}
	}
	for i := range pool.Rows {
		if r := &pool.Rows[i]; r.ID == id {
			e.out.Figures = append(e.out.Figures, pool.figure(&r.Costs))
		}
	}
	e.out.Policies = []string{pool.Rule.Version}
	e.out.Formula = fmt.Sprintf("Cost of cause %s on %s in cluster %q, passed on by rule %d of the policy: %s. Your "+
		"access is limited to your own scope, so other owners' shares of it, and its total, are not shown.", pool.Cause,
		pool.Day.Time().Format(time.DateOnly), pool.Cluster, pool.Rule.Place, pool.Rule.Method)
	return nil
}

// ownLines lists the bill lines of the subject's shares.
func (e *explainer) ownLines(ctx context.Context) error {
	parts, hours := make([]ledger.ID, 0, len(e.shares)), make([]period.Second, 0, len(e.shares))
	for id, p := range e.posted {
		parts, hours = append(parts, id), append(hours, p.hour)
	}
	list, err := pg.List[struct {
		PartID   ledger.ID
		Postings int64
		metrics.OwnLine
	}](ctx, e.tx, "explain.own_lines", pg.Tenant, parts, hours)
	for _, l := range list {
		l.Share, l.Others = e.shares[l.PartID], l.Postings > e.posted[l.PartID].postings
		e.out.Own.Lines = append(e.out.Own.Lines, l.OwnLine)
	}
	return err
}

// ownUsage lists the viewer's rows of the node-hours, with samples for up to mostEvidence node-hours.
func (e *explainer) ownUsage(
	ctx context.Context, hours []NodeHour, mine func(usage ledger.ID, run *string) bool,
) error {
	keyed, err := keyedRows(ctx, e.tx, hours, mine)
	if err != nil {
		return err
	}
	g := gatherer{tx: e.tx, book: e.book, values: true}
	if err := g.readPlaces(ctx, hours); err != nil {
		return err
	}
	seen := make(map[NodeHour]*metrics.NodeEvidence, len(hours))
	for _, at := range hours {
		seen[at] = &metrics.NodeEvidence{}
	}
	if len(hours) <= mostEvidence {
		if err := g.samples(ctx, "explain.own_samples", hours, seen); err != nil {
			return err
		}
	}
	for _, at := range hours {
		var ordered metrics.NodeHour
		if err := finishRows(&ordered, keyed[at]); err != nil {
			return err
		}
		for i := range ordered.Rows {
			if r := &ordered.Rows[i]; r.Mine {
				e.out.Own.Usage = append(e.out.Own.Usage, ownRow(r, at, g.places[at.Node], seen[at].Samples))
			}
		}
	}
	return nil
}

// ownRow is a row without its weight, which others determine, and with the samples of its device or slice.
func ownRow(r *metrics.WeightedRow, at NodeHour, node policy.Node, samples []metrics.SliceSamples) metrics.OwnUsage {
	u := metrics.OwnUsage{ExplainedUsage: r.ExplainedUsage, Hour: at.Hour.Time(), Node: node.Name, Cluster: node.Cluster}
	for i := range samples {
		if s := &samples[i]; r.Device != nil && s.Device == *r.Device && sameSlice(s.Slice, r.Slice) {
			u.Samples = s
		}
	}
	return u
}
