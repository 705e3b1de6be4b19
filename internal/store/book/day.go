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

// HoursOf clips want to the node's life and widens it to whole hours. A node
// that was only ever billed has no hours.
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
	var list []ledger.HoldEvidence
	err := pg.Query(ctx, s.Pool, "day.evidence", func(rows pgx.Rows) error {
		e := ledger.HoldEvidence{Cluster: n.Cluster, Node: n.Name}
		var named int64
		err := rows.Scan(&e.Device, &e.SliceID, &e.Namespace, &e.Pod, &e.Hour, &named)
		e.Minutes = uint64(named)
		list = append(list, e)
		return err
	}, pg.Tenant, n.Cluster, n.Name, hours.From, hours.To)
	return list, err
}

// NodeSlices returns the MIG instances that sample rows showed under a node
// name over its life.
func (s *Book) NodeSlices(ctx context.Context, n ledger.Node) ([]allocation.SliceSeen, error) {
	hours := HoursOf(&n, n.Life)
	var list []allocation.SliceSeen
	err := pg.Query(ctx, s.Pool, "day.slices", func(rows pgx.Rows) error {
		var v allocation.SliceSeen
		err := rows.Scan(&v.Device, &v.SliceID, &v.Profile, &v.First, &v.Last)
		list = append(list, v)
		return err
	}, pg.Tenant, n.Cluster, n.Name, hours.From, hours.To)
	return list, err
}

// Day is Days of one day.
func (s *Book) Day(ctx context.Context, n ledger.Node, day period.Interval, margin period.Second) (allocation.DayInput, error) {
	list, err := s.Days(ctx, n, []period.Interval{day}, margin)
	if err != nil {
		return allocation.DayInput{Day: day}, err
	}
	return list[0], nil
}

// Days loads the facts of days of a node, given in ascending order; n is zero
// for parts without a node. CoveredUntil, Rate and ListRate are left to the
// caller, who knows the account and the price book. Before and After hold rows
// of devices that were ever cut into MIG slices; of others the layout is known.
// What the days share they share in memory.
func (s *Book) Days(ctx context.Context, n ledger.Node, days []period.Interval, margin period.Second) ([]allocation.DayInput, error) {
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

// daysOfNobody reads what has no node, day by day.
func (s *Book) daysOfNobody(ctx context.Context, _ *ledger.Node, list []allocation.DayInput, _ period.Second) error {
	batch := &pgx.Batch{}
	for i := range list {
		in := &list[i]
		batch.Queue(pg.Statement("day.loose_parts"), pg.Tenant, in.Day.From, in.Day.To).Query(collectParts(&in.Parts))
		in.Resources = map[ledger.ID]string{}
		batch.Queue(pg.Statement("day.metered"), pg.Tenant, in.Day.From, in.Day.To).Query(func(rows pgx.Rows) error {
			var charge ledger.ID
			var resource string
			_, err := pgx.ForEachRow(rows, []any{&charge, &resource}, func() error {
				in.Resources[charge] = resource
				return nil
			})
			return err
		})
	}
	if err := s.Pool.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	return s.closedDays(ctx, nil, list)
}

// daysOfNode reads days of a node as one stretch, in the order of hours, and
// cuts it up.
func (s *Book) daysOfNode(ctx context.Context, n *ledger.Node, list []allocation.DayInput, margin period.Second) error {
	var all allocation.DayInput
	var sliced bool
	span := period.Interval{From: list[0].Day.From, To: list[len(list)-1].Day.To}
	batch := &pgx.Batch{}
	batch.Queue(pg.Statement("day.node_parts"), pg.Tenant, n.ID, span.From, span.To).Query(collectParts(&all.Parts))
	around := period.Interval{From: span.From - margin, To: span.To + margin}
	if n.Seen != 0 {
		queueSources(batch, n, &all, around)
	}
	window := HoursOf(n, around)
	if !window.Empty() {
		batch.Queue(pg.Statement("day.sliced"), pg.Tenant, n.Cluster, n.Name).QueryRow(func(row pgx.Row) error { return row.Scan(&sliced) })
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

// within returns the rows of hours, of rows in the order of hours.
func within[T any](rows []T, hours period.Interval, at func(*T) period.Second) []T {
	from, _ := slices.BinarySearchFunc(rows, hours.From, func(r T, h period.Second) int { return cmp.Compare(at(&r), h) })
	to, _ := slices.BinarySearchFunc(rows, hours.To, func(r T, h period.Second) int { return cmp.Compare(at(&r), h) })
	return rows[from:max(from, to):max(from, to)]
}

// layoutsAround reads the rows next to what a day reaches of devices that were
// ever cut into slices.
func (s *Book) layoutsAround(ctx context.Context, n *ledger.Node, list []allocation.DayInput, margin period.Second) error {
	batch := &pgx.Batch{}
	life := HoursOf(n, n.Life)
	for i := range list {
		in := &list[i]
		reach := HoursOf(n, period.Interval{From: in.Day.From - margin, To: in.Day.To + margin})
		if reach.Empty() {
			continue
		}
		queue := func(name string, hours period.Interval, to *[]ledger.SampleHour) {
			batch.Queue(pg.Statement(name), pg.Tenant, n.Cluster, n.Name, hours.From, hours.To).Query(CollectSamples(n.Cluster, to))
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
	queue("day.node_states", pg.Collect(&in.NodeStates, func(rows pgx.Rows, h *ledger.NodeStateHour) error {
		var set, known int64
		err := rows.Scan(&h.Name, &h.State, &h.Hour, &set, &known)
		h.Cluster, h.Minutes, h.Known = n.Cluster, uint64(set), uint64(known)
		return err
	}))
	queue("day.pod_states", pg.Collect(&in.PodStates, func(rows pgx.Rows, h *ledger.PodStateHour) error {
		var set int64
		err := rows.Scan(&h.UID, &h.Hour, &set)
		h.Cluster, h.Minutes = n.Cluster, uint64(set)
		return err
	}))
}

// queueSources asks what was heard of the node's cluster, while it was there
// and while it was only billed.
func queueSources(batch *pgx.Batch, n *ledger.Node, in *allocation.DayInput, window period.Interval) {
	sources := pg.Collect(&in.Sources, func(rows pgx.Rows, h *ledger.SourceHour) error {
		var set int64
		err := rows.Scan(&h.Source, &h.Hour, &set)
		h.Cluster, h.Minutes = n.Cluster, uint64(set)
		return err
	})
	batch.Queue(pg.Statement("day.sources"), pg.Tenant, n.Cluster, window.From, window.To).Query(sources)
}

// CollectSamples returns a scan that adds hours of samples of a cluster to list.
func CollectSamples(cluster string, list *[]ledger.SampleHour) func(pgx.Rows) error {
	var packed pg.PgxBytes
	return pg.Collect(list, func(rows pgx.Rows, h *ledger.SampleHour) (err error) {
		h.Cluster = cluster
		if err = rows.Scan(&h.Device, &h.Index, &h.Model, &h.SliceID, &h.Profile, &h.Hour, &h.Node, &h.RowCount, &packed); err != nil {
			return err
		}
		if h.Vectors, err = facts.UnpackActivity(packed); err != nil {
			return fmt.Errorf("samples of device %s at %s: %w", h.Device, h.Hour, err)
		}
		return nil
	})
}

func collectParts(list *[]ledger.Part) func(pgx.Rows) error {
	return pg.Collect(list, func(rows pgx.Rows, p *ledger.Part) error {
		var month *string
		return rows.Scan(&month, &p.ID, &p.ChargeID, &p.RateID, &p.Number, &p.Kind, &p.NodeID, &p.Hour, &p.Currency,
			&p.Effective, &p.Billed, &p.List, &p.Contracted, &p.UsageSeconds, &p.Method, &p.Quality, &p.OwnerID, &p.PostingKind,
			&p.Final, &p.Reverses, &p.Replaces)
	})
}

// WithoutDevices drops the rows of devices that others have rows of.
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
