package pages

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics/fleet"
)

// FleetDevice answers what one device does and did in the hour before; false
// when it was never seen. Of a device that moved it is about the machine that
// it was last seen on. For who sees a part of the books there is no device that
// nobody of his had, and of others no names.
func (s *Pages) FleetDevice(ctx context.Context, now period.Second, uuid string) (fleet.DeviceDetail, bool, error) {
	d, ok, err := s.fleetDevice(ctx, now, uuid)
	if err != nil {
		return d, false, fmt.Errorf("read device %s: %w", uuid, err)
	}
	return d, ok, nil
}

func (s *Pages) fleetDevice(ctx context.Context, now period.Second, uuid string) (fleet.DeviceDetail, bool, error) {
	var none fleet.DeviceDetail
	var cluster, node string
	var hour, last, newest period.Second
	err := s.RowRead(ctx, "fleet.device", []any{pg.Tenant, uuid}, &cluster, &node, &hour, &last)
	if errors.Is(err, pgx.ErrNoRows) {
		return none, false, nil
	}
	if err != nil {
		return none, false, err
	}
	if err := s.RowRead(ctx, "fleet.newest", []any{pg.Tenant}, &newest); err != nil {
		return none, false, err
	}
	asOf, live := fleet.AsOf(now, newest)
	f := fleet.Facts{Placed: map[string]period.Second{}, Keep: true}
	evidence, spans := "fleet.device_evidence", "fleet.spans"
	bounded := access.From(ctx).Bounded()
	if bounded {
		evidence, spans = "fleet.own_device_evidence", "fleet.own_spans"
	}
	to := min(asOf, last) // a device that went silent is shown as it was then
	var rows []fleet.Row
	err = s.QueryRead(ctx, "fleet.device_rows", func(r pgx.Rows) error {
		row, err := scanFleetRow(r, nil)
		rows = append(rows, row)
		if row.Hour == hour {
			f.Rows = append(f.Rows, row)
		}
		return err
	}, pg.Tenant, cluster, uuid, (to - period.Hour).Floor(period.Hour), to, node)
	if err != nil {
		return none, false, err
	}
	var held []fleet.HeldHour
	err = s.QueryRead(ctx, evidence, func(r pgx.Rows) error {
		var h fleet.HeldHour
		var named int64
		if err := r.Scan(&h.SliceID, &h.Namespace, &h.Name, &h.Hour, &named); err != nil {
			return err
		}
		hold := fleet.Hold{Cluster: cluster, Node: node, Device: uuid, Slot: -1, SliceID: h.SliceID,
			Holder: fleet.Holder{Namespace: h.Namespace, Name: h.Name, From: fleet.FromRows}}
		hold.Seen = lastMinute(h.Hour, uint64(named))
		unnamed(&hold)
		h.Name, h.Minutes = hold.Name, bits.OnesCount64(uint64(named)&minutes.AllKnown)
		held, f.Holds = append(held, h), append(f.Holds, hold)
		return nil
	}, pg.Tenant, cluster, uuid, (to - period.Day).Floor(period.Hour), to, node)
	if err != nil {
		return none, false, err
	}
	if len(f.Rows) == 0 {
		return none, false, nil // its samples are no longer kept
	}
	if err := s.QueryRead(ctx, spans, scanFleetSpan(&f, to), pg.Tenant, to, to, node); err != nil {
		return none, false, err
	}
	if err := s.QueryRead(ctx, "fleet.placed", scanPlaced(&f), pg.Tenant, (asOf - period.Day).Floor(period.Hour)); err != nil {
		return none, false, err
	}
	snap := fleet.BuildAt(fleet.Question{PerPage: 1}, &f, asOf)
	snap.Newest, snap.Live = newest, live
	if err := s.fleetNames(ctx, &snap); err != nil {
		return none, false, err
	}
	d, ok := snap.Detail(rows)
	d.Held = held
	if !ok {
		return none, false, nil
	}
	if bounded {
		if !d.Own() { // as of now; before?
			if err := s.RowRead(ctx, "fleet.own_device", []any{pg.Tenant, uuid}, &ok); err != nil || !ok {
				return none, false, err
			}
		}
		d.HideLines()
	}
	err = s.QueryRead(ctx, "fleet.device_layouts", func(r pgx.Rows) error {
		var l fleet.Layout
		err := r.Scan(&l.SliceID, &l.Profile, &l.From, &l.To)
		d.Layouts = append(d.Layouts, l)
		return err
	}, pg.Tenant, cluster, uuid)
	return d, err == nil, err
}
