package ingest

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"time"

	"gpuledger/ingest/promquery"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// backfillPlan is the range of a backfill, and the marks of its progress, which are stored next
// to the states of the configured sources.
type backfillPlan struct {
	period.Interval      // to read
	through         mark // of backfills without a given start
	asked           mark // of the last requested range; no name: none
}

// mark records that all of [From, Next), of a range that ends at To, was read and stored.
type mark struct {
	name           string // of the state that stores it
	From, Next, To period.Second
}

// Keys of a mark among the versions of a state.
const (
	markFrom = "from"
	markNext = "next"
	markTo   = "to"
)

// planBackfill decides what to read. An unfinished range continues when it is requested again.
func (r *run) planBackfill(ctx context.Context, access promquery.Options, now period.Second) (*backfillPlan, error) {
	id := ledger.NewID("backfill",
		append([]string{blob.Redact(access.URI), access.Cluster, access.OrgID}, access.Match...)...)
	name := "backfill/" + id.String()
	back := cmp.Or(r.req.Query.Lookback, backfillLookback)
	p := &backfillPlan{Interval: period.Interval{From: now - period.Second(back/time.Second), To: now}}
	var err error
	if p.through, err = r.loadMark(ctx, name); err != nil {
		return nil, err
	}
	q := r.req.Query
	if q.To != nil {
		p.To = *q.To
	}
	if q.From == nil {
		if p.through.Next > 0 {
			p.From = max(p.through.From, p.through.Next-period.Second(backfillOverlap))
		}
		return p, nil
	}
	before, err := r.loadMark(ctx, name+"/range")
	if err != nil {
		return nil, err
	}
	p.From = *q.From
	p.asked = mark{name: before.name, From: p.From, To: p.To}
	if before.From == p.From && before.Next < before.To && (q.To == nil || before.To == p.To) {
		p.From = max(p.From, before.Next)
	}
	return p, nil
}

// reached stores a run's progress after its samples: a kill between the two makes hours be read
// again, which changes nothing.
func (r *run) reached(ctx context.Context, p *backfillPlan, next period.Second) error {
	if p.asked.name != "" {
		p.asked.Next = next
		if err := r.saveMark(ctx, &p.asked); err != nil {
			return err
		}
	}
	t := &p.through
	switch {
	case t.Next == 0:
		t.From = p.From
	case p.From > t.Next || next <= t.Next: // it does not adjoin, or is no progress
		return nil
	}
	t.From, t.Next, t.To = min(t.From, p.From), next, max(t.To, next)
	return r.saveMark(ctx, t)
}

// loadMark reads a mark, all zero if it was never saved.
func (r *run) loadMark(ctx context.Context, name string) (mark, error) {
	m := mark{name: name}
	st, err := r.im.Store.SourceState(ctx, name)
	if err != nil {
		return m, fmt.Errorf("read the progress of the last backfill: %w", err)
	}
	for key, at := range map[string]*period.Second{markFrom: &m.From, markNext: &m.Next, markTo: &m.To} {
		if text := st.Versions[key]; text != "" {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return m, fmt.Errorf("read the progress of the last backfill: %s of %s: %w", key, name, err)
			}
			*at = period.Second(n)
		}
	}
	return m, nil
}

func (r *run) saveMark(ctx context.Context, m *mark) error {
	text := func(at period.Second) string { return strconv.FormatInt(int64(at), 10) }
	now := r.im.Now()
	err := r.im.Store.SaveSourceState(ctx,
		SourceState{Name: m.name, State: string(ImportPublished), LookedAt: now, ImportedAt: now,
			Listing: []byte{}, Versions: map[string]string{markFrom: text(m.From), markNext: text(m.Next), markTo: text(m.To)}})
	if err != nil {
		return fmt.Errorf("record the progress of the backfill: %w", err)
	}
	return nil
}

// hoursOf splits an interval at whole hours.
func hoursOf(all period.Interval) []period.Interval {
	var list []period.Interval
	for at := all.From; at < all.To; {
		end := min(all.To, at.Floor(period.Hour)+period.Second(period.Hour))
		list = append(list, period.Interval{From: at, To: end})
		at = end
	}
	return list
}
