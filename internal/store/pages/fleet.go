package pages

import (
	"cmp"
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

// silentFor is how long silent devices are read if their machine is still listed; devices of machines that left are
// dropped at once.
const silentFor = period.Day

// Fleet returns the machines now. It reads facts as they are stored, without an allocation.
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

// fleetFacts reads the newest hour of every device and the holders seen on it.
func (s *Pages) fleetFacts(ctx context.Context, now period.Second) (fleet.Facts, error) {
	f := fleet.Facts{Placed: map[string]period.Second{}, Nodes: map[fleet.Listed]period.Second{}}
	newest, err := pg.Value[period.Second](ctx, s.ReadOnly(), "fleet.newest", pg.Tenant)
	if err != nil || newest == 0 {
		return f, err
	}
	asOf, _ := fleet.AsOf(now, newest)
	since := newest - silentFor
	batch := &pgx.Batch{}
	queue := func(name string, f func(pgx.Rows) error, args ...any) {
		batch.Queue(pg.Statement(name), append([]any{pg.Tenant}, args...)...).Query(f)
	}
	queue("fleet.rows", pg.Rows(fleetRows(&f.Rows, isActivity)), since)
	evidence, placements, spans := "fleet.evidence", "fleet.placements", "fleet.spans"
	if access.From(ctx).Bounded() {
		evidence, placements, spans = "fleet.own_evidence", "fleet.own_placements", "fleet.own_spans"
	}
	queue(evidence, pg.Rows(func(h namedHour) error {
		f.Holds = append(f.Holds, h.hold())
		return nil
	}), since, (asOf - fleet.Forget).Floor(period.Hour))
	type placement struct {
		heldSlice
		Seen period.Second
	}
	queue(placements, pg.Rows(func(p placement) error {
		h := p.hold(fleet.FromPlacement, -1, p.Seen)
		if index, ok := strings.CutPrefix(h.Device, "#"); ok { // only its index in the machine is known
			if slot, err := strconv.ParseInt(index, 10, 32); err == nil {
				h.Device, h.Slot = "", int32(slot)
			}
		}
		f.Holds = append(f.Holds, h)
		return nil
	}), since, asOf)
	queue(spans, pg.Rows(fleetSpans(&f, asOf)), since, asOf, "")
	queue("fleet.placed", pg.Rows(placed(&f)), since.Floor(period.Hour))
	type listed struct {
		fleet.Listed
		Seen period.Second
	}
	queue("fleet.listed", pg.Rows(func(l listed) error {
		f.Nodes[l.Listed] = max(f.Nodes[l.Listed], l.Seen)
		return nil
	}), since)
	return f, s.Read(ctx, "read the fleet", func(tx pgx.Tx) error { return tx.SendBatch(ctx, batch).Close() })
}

// heldSlice has the columns of every statement of holders.
type heldSlice struct {
	Cluster, Node, Device string
	SliceID               int32
	Namespace, Name       string // empty if the holder is outside the viewer's scope
}

func (h *heldSlice) hold(from fleet.Source, slot int32, seen period.Second) fleet.Hold {
	return fleet.Hold{Cluster: h.Cluster, Node: h.Node, Device: h.Device, Slot: slot, SliceID: h.SliceID,
		Holder: fleet.Holder{Namespace: h.Namespace, Name: cmp.Or(h.Name, fleet.Others), From: from, Seen: seen}}
}

// namedHour is a holder that exporter rows of an hour named, and in which minutes.
type namedHour struct {
	heldSlice
	Hour    period.Second
	Minutes uint64
}

func (h *namedHour) hold() fleet.Hold {
	return h.heldSlice.hold(fleet.FromRows, -1, lastMinute(h.Hour, h.Minutes))
}

type fleetSpan struct {
	heldSlice
	Slot int32
}

// fleetSpans reads the holders that allocation placed.
func fleetSpans(f *fleet.Facts, asOf period.Second) func(fleetSpan) error {
	return func(s fleetSpan) error {
		f.Holds = append(f.Holds, s.hold(fleet.FromLedger, s.Slot, asOf))
		return nil
	}
}

type placedHour struct {
	Cluster string
	Hour    period.Second
	Minutes uint64
}

// placed reads when a source of placements last delivered.
func placed(f *fleet.Facts) func(placedHour) error {
	return func(p placedHour) error {
		f.Placed[p.Cluster] = lastMinute(p.Hour, p.Minutes)
		return nil
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

// isActivity keeps the signals that determine states and layouts.
func isActivity(s ledger.Signal) bool {
	return s == ledger.SignalGrEngine || s == ledger.SignalGPUUtil || s == ledger.SignalMIGMode
}

// sampleRow is a row of samples of a device.
type sampleRow struct {
	Cluster, Node, Device, Model, Profile string
	Index, SliceID                        int32
	Hour, LastAt                          period.Second
	Vectors                               pg.PgxBytes
}

// fleetRows reads rows of samples with the signals that want keeps; nil: all.
func fleetRows(list *[]fleet.Row, want func(ledger.Signal) bool) func(sampleRow) error {
	return func(s sampleRow) error {
		vectors, err := minutes.Select(s.Vectors, want)
		if err != nil {
			return fmt.Errorf("samples of device %s at %s: %w", s.Device, s.Hour, err)
		}
		*list = append(*list, fleet.Row{Cluster: s.Cluster, Node: s.Node, Device: s.Device, Model: s.Model, Index: s.Index,
			SliceID: s.SliceID, Profile: s.Profile, Hour: s.Hour, LastAt: s.LastAt, Vectors: vectors})
		return nil
	}
}
