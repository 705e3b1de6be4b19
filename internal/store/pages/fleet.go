package pages

import (
	"context"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics/fleet"
)

// silentFor is how long silent devices are read, for machines that are still
// listed: those that have left are dropped whatever their age.
const silentFor = period.Day

// Fleet answers what machines do now. It reads facts as they are stored and
// needs no allocation.
func (s *Pages) Fleet(ctx context.Context, q fleet.Question) (fleet.Snapshot, error) {
	f, err := s.fleetFacts(ctx, q.Now)
	if err != nil {
		return fleet.Snapshot{}, fmt.Errorf("read the fleet: %w", err)
	}
	snap := fleet.Build(q, &f)
	snap.InPart = access.From(ctx).Bounded()
	if len(snap.Nodes) == 0 {
		return snap, nil
	}
	if err := s.fleetPage(ctx, &snap); err != nil {
		return fleet.Snapshot{}, fmt.Errorf("read a page of the fleet: %w", err)
	}
	return snap, nil
}

// fleetFacts reads the newest hour of every device and who was seen on it.
func (s *Pages) fleetFacts(ctx context.Context, now period.Second) (fleet.Facts, error) {
	f := fleet.Facts{Placed: map[string]period.Second{}, Nodes: map[fleet.Listed]period.Second{}}
	var newest period.Second
	if err := s.RowRead(ctx, "fleet.newest", []any{pg.Tenant}, &newest); err != nil || newest == 0 {
		return f, err
	}
	asOf, _ := fleet.AsOf(now, newest)
	since := newest - silentFor
	batch := &pgx.Batch{}
	queue := func(name string, f func(pgx.Rows) error, args ...any) {
		batch.Queue(pg.Statement(name), append([]any{pg.Tenant}, args...)...).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				if err := f(rows); err != nil {
					return err
				}
			}
			return rows.Err()
		})
	}
	queue("fleet.rows", func(rows pgx.Rows) error {
		r, err := scanFleetRow(rows, isActivity)
		f.Rows = append(f.Rows, r)
		return err
	}, since)
	evidence, placements, spans := "fleet.evidence", "fleet.placements", "fleet.spans"
	if access.From(ctx).Bounded() {
		evidence, placements, spans = "fleet.own_evidence", "fleet.own_placements", "fleet.own_spans"
	}
	queue(evidence, func(rows pgx.Rows) error {
		h := fleet.Hold{Slot: -1, Holder: fleet.Holder{From: fleet.FromRows}}
		var hour period.Second
		var named int64
		err := rows.Scan(&h.Cluster, &h.Node, &h.Device, &h.SliceID, &h.Namespace, &h.Name, &hour, &named)
		h.Seen = lastMinute(hour, uint64(named))
		unnamed(&h)
		f.Holds = append(f.Holds, h)
		return err
	}, since, (asOf - fleet.Forget).Floor(period.Hour))
	queue(placements, func(rows pgx.Rows) error {
		h := fleet.Hold{Slot: -1, Holder: fleet.Holder{From: fleet.FromPlacement}}
		err := rows.Scan(&h.Cluster, &h.Node, &h.Device, &h.SliceID, &h.Namespace, &h.Name, &h.Seen)
		if index, ok := strings.CutPrefix(h.Device, "#"); ok { // only its place in the machine is known
			if slot, err := strconv.ParseInt(index, 10, 32); err == nil {
				h.Device, h.Slot = "", int32(slot)
			}
		}
		unnamed(&h)
		f.Holds = append(f.Holds, h)
		return err
	}, since, asOf)
	queue(spans, scanFleetSpan(&f, asOf), since, asOf, "")
	queue("fleet.placed", scanPlaced(&f), since.Floor(period.Hour))
	queue("fleet.listed", func(rows pgx.Rows) error {
		var at fleet.Listed
		var seen period.Second
		err := rows.Scan(&at.Cluster, &at.Node, &seen)
		f.Nodes[at] = max(f.Nodes[at], seen)
		return err
	}, since)
	return f, s.Read(ctx, "read the fleet", func(tx pgx.Tx) error { return tx.SendBatch(ctx, batch).Close() })
}

// scanFleetSpan reads whom allocation placed.
func scanFleetSpan(f *fleet.Facts, asOf period.Second) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		h := fleet.Hold{Holder: fleet.Holder{From: fleet.FromLedger, Seen: asOf}}
		err := rows.Scan(&h.Cluster, &h.Node, &h.Slot, &h.SliceID, &h.Namespace, &h.Name)
		unnamed(&h)
		f.Holds = append(f.Holds, h)
		return err
	}
}

// unnamed calls a holder that whoever asks does not see by no name.
func unnamed(h *fleet.Hold) {
	if h.Name == "" {
		h.Name = fleet.Others
	}
}

// scanPlaced reads when a source of placements last delivered.
func scanPlaced(f *fleet.Facts) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var cluster string
		var hour period.Second
		var placed int64
		err := rows.Scan(&cluster, &hour, &placed)
		f.Placed[cluster] = lastMinute(hour, uint64(placed))
		return err
	}
}

// lastMinute is the start of the last minute that is set.
func lastMinute(hour period.Second, set uint64) period.Second {
	set &= minutes.AllKnown
	if set == 0 {
		return 0
	}
	return hour + period.Second(bits.Len64(set)-1)*period.Minute
}

// isActivity keeps the signals that states and layouts follow from.
func isActivity(s ledger.Signal) bool {
	return s == ledger.SignalGrEngine || s == ledger.SignalGPUUtil || s == ledger.SignalMIGMode
}

// scanFleetRow reads a row of samples with the signals that want keeps; nil: all.
func scanFleetRow(rows pgx.Rows, want func(ledger.Signal) bool) (r fleet.Row, err error) {
	var packed pg.PgxBytes
	if err := rows.Scan(&r.Cluster, &r.Node, &r.Device, &r.Index, &r.Model, &r.SliceID, &r.Profile, &r.Hour, &r.LastAt, &packed); err != nil {
		return r, err
	}
	if r.Vectors, err = minutes.Select(packed, want); err != nil {
		return r, fmt.Errorf("samples of device %s at %s: %w", r.Device, r.Hour, err)
	}
	return r, nil
}
