package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation"
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
)

// hoursOf clips want to the node's life and widens it to whole hours. A node
// that was only ever billed has no hours.
func hoursOf(n *ledger.Node, want period.Interval) period.Interval {
	at := want.Intersect(n.Life)
	if at.Empty() {
		return period.Interval{}
	}
	return period.Interval{From: at.From.Floor(period.Hour), To: (at.To + period.Hour - 1).Floor(period.Hour)}
}

// NodeEvidence returns the hold evidence of a node name over its life.
func (s *Store) NodeEvidence(ctx context.Context, n ledger.Node) ([]ledger.HoldEvidence, error) {
	hours := hoursOf(&n, n.Life)
	var list []ledger.HoldEvidence
	err := query(ctx, s.pool, "day.evidence", func(rows pgx.Rows) error {
		e := ledger.HoldEvidence{Cluster: n.Cluster, Node: n.Name}
		var named int64
		err := rows.Scan(&e.Device, &e.SliceID, &e.Namespace, &e.Pod, &e.Hour, &named)
		e.Minutes = uint64(named)
		list = append(list, e)
		return err
	}, tenant, n.Cluster, n.Name, hours.From, hours.To)
	return list, err
}

// NodeSlices returns the MIG instances that sample rows showed under a node
// name over its life.
func (s *Store) NodeSlices(ctx context.Context, n ledger.Node) ([]allocation.SliceSeen, error) {
	hours := hoursOf(&n, n.Life)
	var list []allocation.SliceSeen
	err := query(ctx, s.pool, "day.slices", func(rows pgx.Rows) error {
		var v allocation.SliceSeen
		err := rows.Scan(&v.Device, &v.SliceID, &v.Profile, &v.First, &v.Last)
		list = append(list, v)
		return err
	}, tenant, n.Cluster, n.Name, hours.From, hours.To)
	return list, err
}

// Day loads the facts of one day of a node; n is zero for parts without a
// node. CoveredUntil, Rate and ListRate are left to the caller, who knows the
// account and the price book. Before and After hold rows of devices that were
// ever cut into MIG slices; of others the layout is known.
func (s *Store) Day(ctx context.Context, n ledger.Node, day period.Interval, margin period.Second) (allocation.DayInput, error) {
	in := allocation.DayInput{Day: day}
	batch := &pgx.Batch{}
	if n.ID.IsZero() {
		batch.Queue(statement("day.loose_parts"), tenant, day.From, day.To).Query(collectParts(&in.Parts))
		in.Resources = map[ledger.ID]string{}
		batch.Queue(statement("day.metered"), tenant, day.From, day.To).Query(func(rows pgx.Rows) error {
			var charge ledger.ID
			var resource string
			_, err := pgx.ForEachRow(rows, []any{&charge, &resource}, func() error {
				in.Resources[charge] = resource
				return nil
			})
			return err
		})
	} else {
		batch.Queue(statement("day.node_parts"), tenant, n.ID, day.From, day.To).Query(collectParts(&in.Parts))
		queueFacts(batch, &n, &in, margin)
	}
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		return in, fmt.Errorf("read facts of node %s on %s: %w", n.Name, day.From, err)
	}
	in.After = withoutDevices(in.After, in.Samples, in.Before)
	return in, nil
}

func queueFacts(batch *pgx.Batch, n *ledger.Node, in *allocation.DayInput, margin period.Second) {
	window := hoursOf(n, period.Interval{From: in.Day.From - margin, To: in.Day.To + margin})
	if window.Empty() {
		return
	}
	life := hoursOf(n, n.Life)
	queue := func(name string, hours period.Interval, collect func(pgx.Rows) error) {
		batch.Queue(statement(name), tenant, n.Cluster, n.Name, hours.From, hours.To).Query(collect)
	}
	queue("day.samples", window, collectSamples(n.Cluster, &in.Samples))
	queue("day.before", period.Interval{From: life.From, To: window.From}, collectSamples(n.Cluster, &in.Before))
	queue("day.after", period.Interval{From: window.To, To: life.To}, collectSamples(n.Cluster, &in.After))
	queue("day.node_states", window, collect(&in.NodeStates, func(rows pgx.Rows, h *ledger.NodeStateHour) error {
		var set, known int64
		err := rows.Scan(&h.Name, &h.State, &h.Hour, &set, &known)
		h.Cluster, h.Minutes, h.Known = n.Cluster, uint64(set), uint64(known)
		return err
	}))
	queue("day.pod_states", window, collect(&in.PodStates, func(rows pgx.Rows, h *ledger.PodStateHour) error {
		var set int64
		err := rows.Scan(&h.UID, &h.Hour, &set)
		h.Cluster, h.Minutes = n.Cluster, uint64(set)
		return err
	}))
	sources := collect(&in.Sources, func(rows pgx.Rows, h *ledger.SourceHour) error {
		var set int64
		err := rows.Scan(&h.Hour, &set)
		h.Cluster, h.Minutes = n.Cluster, uint64(set)
		return err
	})
	batch.Queue(statement("day.sources"), tenant, n.Cluster, window.From, window.To).Query(sources)
}

// collect appends every row to list.
func collect[T any](list *[]T, scan func(pgx.Rows, *T) error) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		for rows.Next() {
			var v T
			if err := scan(rows, &v); err != nil {
				return err
			}
			*list = append(*list, v)
		}
		return rows.Err()
	}
}

func collectSamples(cluster string, list *[]ledger.SampleHour) func(pgx.Rows) error {
	var packed pgxBytes
	return collect(list, func(rows pgx.Rows, h *ledger.SampleHour) (err error) {
		h.Cluster = cluster
		if err = rows.Scan(&h.Device, &h.Index, &h.Model, &h.SliceID, &h.Profile, &h.Hour, &h.Node, &h.RowCount, &packed); err != nil {
			return err
		}
		if h.Vectors, err = minutes.Decode[ledger.Signal](packed); err != nil {
			return fmt.Errorf("samples of device %s at %s: %w", h.Device, h.Hour, err)
		}
		return nil
	})
}

// pgxBytes is a bytea that is read in place: valid until the next row.
type pgxBytes []byte

// ScanBytes implements pgtype.BytesScanner.
func (b *pgxBytes) ScanBytes(v []byte) error {
	*b = v
	return nil
}

func collectParts(list *[]ledger.Part) func(pgx.Rows) error {
	return collect(list, func(rows pgx.Rows, p *ledger.Part) error {
		var month *string
		return rows.Scan(&month, &p.ID, &p.ChargeID, &p.RateID, &p.Number, &p.Kind, &p.NodeID, &p.Hour, &p.Currency,
			&p.Effective, &p.Billed, &p.List, &p.Contracted, &p.UsageSeconds, &p.Method, &p.Quality, &p.OwnerID, &p.PostingKind)
	})
}

// withoutDevices drops the rows of devices that others have rows of.
func withoutDevices(rows []ledger.SampleHour, others ...[]ledger.SampleHour) []ledger.SampleHour {
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
