package book

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/facts"
	"gpuledger/internal/store/pg"
)

// HoursOf clips want to the node's life and widens it to whole hours. A node that was only ever billed has no hours.
func HoursOf(n *ledger.Node, want period.Interval) period.Interval {
	at := want.Intersect(n.Life)
	if at.Empty() {
		return period.Interval{}
	}
	return period.Interval{From: at.From.Floor(period.Hour), To: (at.To + period.Hour - 1).Floor(period.Hour)}
}

// NodeEvidence returns the hold evidence of a node name over its life.
func (s *Book) NodeEvidence(ctx context.Context, n ledger.Node) ([]ledger.HoldEvidence, error) {
	hours := HoursOf(&n, n.Life)
	return pg.List[ledger.HoldEvidence](ctx, s.Pool, "day.evidence", pg.Tenant, n.Cluster, n.Name, hours.From, hours.To)
}

// NodeSlices returns the MIG instances seen in samples under a node name over its life.
func (s *Book) NodeSlices(ctx context.Context, n ledger.Node) ([]allocation.SliceSeen, error) {
	hours := HoursOf(&n, n.Life)
	return pg.List[allocation.SliceSeen](ctx, s.Pool, "day.slices", pg.Tenant, n.Cluster, n.Name, hours.From, hours.To)
}

// Day is Days for one day.
func (s *Book) Day(
	ctx context.Context, n ledger.Node, day period.Interval, margin period.Second,
) (allocation.DayInput, error) {
	list, err := s.Days(ctx, n, []period.Interval{day}, margin)
	if err != nil {
		return allocation.DayInput{Day: day}, err
	}
	return list[0], nil
}

// Days loads the facts of days of a node, given in ascending order; n is zero for parts without a node. The caller
// fills in CoveredUntil, Rate and ListRate, because it knows the account and the price book. Before and After hold rows
// of devices that ever had MIG slices; the layout of others is known. Data that the days have in common is shared in
// memory.
func (s *Book) Days(
	ctx context.Context, n ledger.Node, days []period.Interval, margin period.Second,
) ([]allocation.DayInput, error) {
	list := make([]allocation.DayInput, len(days))
	for i, d := range days {
		list[i].Day = d
	}
	if len(days) == 0 {
		return list, nil
	}
	read := s.daysOfNode
	if n.ID.IsZero() {
		read = s.daysOfNobody
	}
	if err := read(ctx, &n, list, margin); err != nil {
		return nil, fmt.Errorf("read facts of node %s on %s and %d more days: %w", n.Name, days[0].From, len(days)-1, err)
	}
	return list, nil
}

// daysOfNobody reads the data without a node, day by day.
func (s *Book) daysOfNobody(ctx context.Context, _ *ledger.Node, list []allocation.DayInput, _ period.Second) error {
	batch := &pgx.Batch{}
	for i := range list {
		in := &list[i]
		batch.Queue(pg.Statement("day.loose_parts"), pg.Tenant, in.Day.From, in.Day.To).Query(pg.ListTo(&in.Parts))
		in.Resources = map[ledger.ID]string{}
		batch.Queue(pg.Statement("day.metered"), pg.Tenant, in.Day.From, in.Day.To).Query(pg.Rows(func(r struct {
			ChargeID   ledger.ID
			ResourceID string
		}) error {
			in.Resources[r.ChargeID] = r.ResourceID
			return nil
		}))
	}
	if err := s.Pool.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	return s.closedDays(ctx, nil, list)
}

// daysOfNode reads days of a node as one stretch, in the order of hours, and splits it.
func (s *Book) daysOfNode(ctx context.Context, n *ledger.Node, list []allocation.DayInput, margin period.Second) error {
	var all allocation.DayInput
	var sliced bool
	span := period.Interval{From: list[0].Day.From, To: list[len(list)-1].Day.To}
	batch := &pgx.Batch{}
	batch.Queue(pg.Statement("day.node_parts"), pg.Tenant, n.ID, span.From, span.To).Query(pg.ListTo(&all.Parts))
	around := period.Interval{From: span.From - margin, To: span.To + margin}
	if n.Seen != 0 {
		queueSources(batch, n, &all, around)
	}
	window := HoursOf(n, around)
	if !window.Empty() {
		batch.Queue(pg.Statement("day.sliced"), pg.Tenant, n.Cluster,
			n.Name).Query(pg.Rows(func(r struct{ Sliced bool }) error {
			sliced = r.Sliced
			return nil
		}))
		queueFacts(batch, n, &all, window)
	}
	if err := s.Pool.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	for i := range list {
		in := &list[i]
		reach := HoursOf(n, period.Interval{From: in.Day.From - margin, To: in.Day.To + margin})
		in.Parts = within(all.Parts, in.Day, func(p *ledger.Part) period.Second { return p.Hour })
		in.Samples = within(all.Samples, reach, func(h *ledger.SampleHour) period.Second { return h.Hour })
		in.NodeStates = within(all.NodeStates, reach, func(h *ledger.NodeStateHour) period.Second { return h.Hour })
		in.PodStates = within(all.PodStates, reach, func(h *ledger.PodStateHour) period.Second { return h.Hour })
		around := period.Interval{From: in.Day.From - margin, To: in.Day.To + margin}
		in.Sources = within(all.Sources, around, func(h *ledger.SourceHour) period.Second { return h.Hour })
	}
	if err := s.closedDays(ctx, n, list); err != nil || !sliced {
		return err
	}
	return s.layoutsAround(ctx, n, list, margin)
}

// within returns the rows in an interval of hours, from rows in the order of hours.
func within[T any](rows []T, hours period.Interval, at func(*T) period.Second) []T {
	from, _ := slices.BinarySearchFunc(rows, hours.From, func(r T, h period.Second) int { return cmp.Compare(at(&r), h) })
	to, _ := slices.BinarySearchFunc(rows, hours.To, func(r T, h period.Second) int { return cmp.Compare(at(&r), h) })
	return rows[from:max(from, to):max(from, to)]
}

// layoutsAround reads, for devices that ever had slices, the nearest rows before and after a day's extent.
func (s *Book) layoutsAround(
	ctx context.Context, n *ledger.Node, list []allocation.DayInput, margin period.Second,
) error {
	batch := &pgx.Batch{}
	life := HoursOf(n, n.Life)
	for i := range list {
		in := &list[i]
		reach := HoursOf(n, period.Interval{From: in.Day.From - margin, To: in.Day.To + margin})
		if reach.Empty() {
			continue
		}
		queue := func(name string, hours period.Interval, to *[]ledger.SampleHour) {
			batch.Queue(pg.Statement(name), pg.Tenant, n.Cluster, n.Name, hours.From,
				hours.To).Query(CollectSamples(n.Cluster, to))
		}
		queue("day.before", period.Interval{From: life.From, To: reach.From}, &in.Before)
		queue("day.after", period.Interval{From: reach.To, To: life.To}, &in.After)
	}
	if err := s.Pool.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	for i := range list {
		list[i].After = WithoutDevices(list[i].After, list[i].Samples, list[i].Before)
	}
	return nil
}

func queueFacts(batch *pgx.Batch, n *ledger.Node, in *allocation.DayInput, window period.Interval) {
	queue := func(name string, collect func(pgx.Rows) error) {
		batch.Queue(pg.Statement(name), pg.Tenant, n.Cluster, n.Name, window.From, window.To).Query(collect)
	}
	queue("day.samples", CollectSamples(n.Cluster, &in.Samples))
	queue("day.node_states", pg.ListTo(&in.NodeStates))
	queue("day.pod_states", pg.ListTo(&in.PodStates))
}

// queueSources queries the sources heard in the node's cluster, for the node's life and for the time when it was only
// billed.
func queueSources(batch *pgx.Batch, n *ledger.Node, in *allocation.DayInput, window period.Interval) {
	batch.Queue(pg.Statement("day.sources"), pg.Tenant, n.Cluster, window.From, window.To).Query(pg.ListTo(&in.Sources))
}

// CollectSamples returns a scan that adds sample hours of a cluster to list.
func CollectSamples(cluster string, list *[]ledger.SampleHour) func(pgx.Rows) error {
	var packed pg.PgxBytes
	return pg.Collect(list, func(rows pgx.Rows, h *ledger.SampleHour) (err error) {
		h.Cluster = cluster
		if err = rows.Scan(&h.Device, &h.Index, &h.Model, &h.SliceID, &h.Profile, &h.Hour, &h.Node, &h.RowCount,
			&packed); err != nil {
			return err
		}
		if h.Vectors, err = facts.UnpackActivity(packed); err != nil {
			return fmt.Errorf("samples of device %s at %s: %w", h.Device, h.Hour, err)
		}
		return nil
	})
}

// WithoutDevices drops the rows of devices that have rows in others.
func WithoutDevices(rows []ledger.SampleHour, others ...[]ledger.SampleHour) []ledger.SampleHour {
	seen := map[string]bool{}
	for _, other := range others {
		for i := range other {
			seen[other[i].Device] = true
		}
	}
	kept := rows[:0]
	for i := range rows {
		if !seen[rows[i].Device] {
			kept = append(kept, rows[i])
		}
	}
	return kept
}
