package pages

import (
	"context"
	"fmt"
	"math/bits"

	"gpuledger/internal/access"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics/fleet"
)

// FleetDevice returns a device's state now and in the hour before; false if it was never seen. For a device that
// moved, it describes the machine on which the device was last seen. A scoped user finds only devices that someone in
// their scope held, and no names of other holders.
func (s *Pages) FleetDevice(ctx context.Context, now period.Second, uuid string) (fleet.DeviceDetail, bool, error) {
	d, ok, err := s.fleetDevice(ctx, now, uuid)
	if err != nil {
		return d, false, fmt.Errorf("read device %s: %w", uuid, err)
	}
	return d, ok, nil
}

func (s *Pages) fleetDevice(ctx context.Context, now period.Second, uuid string) (fleet.DeviceDetail, bool, error) {
	var none fleet.DeviceDetail
	at, found, err := pg.Found(pg.One[struct {
		Cluster, Node    string
		LastHour, LastAt period.Second
	}](ctx, s.ReadOnly(), "fleet.device", pg.Tenant, uuid))
	if !found {
		return none, false, err
	}
	newest, err := pg.Value[period.Second](ctx, s.ReadOnly(), "fleet.newest", pg.Tenant)
	if err != nil {
		return none, false, err
	}
	cluster, node := at.Cluster, at.Node
	asOf, live := fleet.AsOf(now, newest)
	f := fleet.Facts{Placed: map[string]period.Second{}, Keep: true}
	evidence, spans := "fleet.device_evidence", "fleet.spans"
	bounded := access.From(ctx).Bounded()
	if bounded {
		evidence, spans = "fleet.own_device_evidence", "fleet.own_spans"
	}
	to := min(asOf, at.LastAt) // a silent device is shown as of its last sample
	var rows []fleet.Row
	err = pg.Each(ctx, s.ReadOnly(), "fleet.device_rows", fleetRows(&rows, nil),
		pg.Tenant, cluster, uuid, (to - period.Hour).Floor(period.Hour), to, node)
	if err != nil {
		return none, false, err
	}
	for _, row := range rows {
		if row.Hour == at.LastHour {
			f.Rows = append(f.Rows, row)
		}
	}
	var held []fleet.HeldHour
	err = pg.Each(ctx, s.ReadOnly(), evidence, func(h namedHour) error {
		hold := h.hold()
		f.Holds, held = append(f.Holds, hold), append(held, fleet.HeldHour{SliceID: h.SliceID, Namespace: h.Namespace,
			Name: hold.Name, Hour: h.Hour, Minutes: bits.OnesCount64(h.Minutes & minutes.AllKnown)})
		return nil
	}, pg.Tenant, cluster, uuid, (to - period.Day).Floor(period.Hour), to, node)
	if err != nil {
		return none, false, err
	}
	if len(f.Rows) == 0 {
		return none, false, nil // its samples are no longer kept
	}
	if err := pg.Each(ctx, s.ReadOnly(), spans, fleetSpans(&f, to), pg.Tenant, to, to, node); err != nil {
		return none, false, err
	}
	since := (asOf - period.Day).Floor(period.Hour)
	if err := pg.Each(ctx, s.ReadOnly(), "fleet.placed", placed(&f), pg.Tenant, since); err != nil {
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
		if !d.Own() { // holders now; earlier ones follow
			if ok, err = pg.Value[bool](ctx, s.ReadOnly(), "fleet.own_device", pg.Tenant, uuid); err != nil || !ok {
				return none, false, err
			}
		}
		d.HideLines()
	}
	d.Layouts, err = pg.List[fleet.Layout](ctx, s.ReadOnly(), "fleet.device_layouts", pg.Tenant, cluster, uuid)
	return d, err == nil, err
}
