package figures

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation/fleet"
	"gpuledger/internal/analysis"
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
)

// makeSignals computes the signals of devices on a day, and the activity of their holders, from one reading of the
// samples.
func makeSignals(ctx context.Context, tx pgx.Tx, day period.Second, add func(*star.Fact, row)) error {
	g := signalReader{
		tx: tx, day: day, devices: analysis.NewDeviceSignals(),
		holders: analysis.NewHolderSignals(period.DayOf(day), period.Day),
	}
	if err := g.read(ctx); err != nil {
		return err
	}
	for _, d := range g.devices.Rows() {
		add(&star.DeviceSignal, signalRow(&d))
	}
	workloads, runs, err := keptMinutes(ctx, tx, day)
	if err != nil {
		return err
	}
	if len(workloads) == 0 {
		workloads, runs = g.holders.Workloads(), g.holders.Runs()
	}
	for _, w := range workloads {
		add(&star.WorkloadSignal, row{
			"workload_id": w.WorkloadID, "owner_id": w.OwnerID, "node_id": w.NodeID, "activity_bins": w.Bins,
		})
	}
	for _, r := range runs {
		add(&star.RunSignal, row{"run_id": r.RunID, "attempt_id": known(r.AttemptID), "activity_bins": r.Bins})
	}
	return nil
}

// known is the id, or nil for the zero id.
func known(id ledger.ID) any {
	if id.IsZero() {
		return nil
	}
	return id
}

// sliceHour is an hour of a slice of a device; onDevice is an hour of any of its slices.
type sliceHour struct {
	device string
	slice  int32
	hour   period.Second
}

const onDevice int32 = -2

// signalReader assigns the samples of a day to the holders that they count for.
type signalReader struct {
	tx       pgx.Tx
	day      period.Second
	devices  *analysis.DeviceSignals
	holders  *analysis.HolderSignals
	only     []ledger.ID // workloads; nil: all
	named    []string    // devices that they held; nil: all
	holdings map[sliceHour]analysis.Holding
	machines map[ledger.ID]machineType
	parts    partHours
}

type machineType struct{ provider, instanceType string }

// partHours are hours of slices of which a holder held only a part, by the key of sample_hours.
type partHours struct {
	clusters, devices, profiles []string
	slices                      []int32
	hours                       []period.Second
	of                          map[sliceHour]analysis.HeldSlice
}

func (g *signalReader) read(ctx context.Context) error {
	holdings := g.readHoldings
	if g.only != nil {
		holdings = g.readSlots
	}
	for _, read := range []func(context.Context) error{
		holdings, g.readMachines, g.readHeld, g.readSummaries, g.readParts,
	} {
		if err := read(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (g *signalReader) readHoldings(ctx context.Context) error {
	g.holdings = map[sliceHour]analysis.Holding{}
	return pg.Query(ctx, g.tx, "devices.holdings", func(rows pgx.Rows) error {
		var h analysis.Holding
		var k sliceHour
		if err := rows.Scan(&k.device, &k.slice, &k.hour, &h.NodeID, &h.Slot, &h.Profile, &h.OwnerID, &h.Class,
			&h.Namespace); err != nil {
			return err
		}
		h.Device = k.device
		for _, key := range []sliceHour{k, {k.device, onDevice, k.hour}} {
			if _, ok := g.holdings[key]; !ok {
				g.holdings[key] = h
			}
		}
		return nil
	}, pg.Tenant, g.day)
}

// readSlots is readHoldings for some workloads, without the owners of the hours.
func (g *signalReader) readSlots(ctx context.Context) error {
	g.holdings, g.named = map[sliceHour]analysis.Holding{}, []string{}
	return pg.Query(ctx, g.tx, "signals.slots", func(rows pgx.Rows) error {
		var h analysis.Holding
		var k sliceHour
		err := rows.Scan(&k.device, &k.slice, &k.hour, &h.NodeID, &h.Slot)
		if _, ok := g.holdings[k]; !ok {
			g.holdings[k] = h
		}
		if n := len(g.named); n == 0 || g.named[n-1] != k.device {
			g.named = append(g.named, k.device)
		}
		return err
	}, pg.Tenant, g.day, g.only)
}

func (g *signalReader) readMachines(ctx context.Context) error {
	g.machines = map[ledger.ID]machineType{}
	list, err := pg.List[struct {
		NodeID                   ledger.ID
		ProviderID, InstanceType string
	}](ctx, g.tx, "devices.machines", pg.Tenant)
	for _, m := range list {
		g.machines[m.NodeID] = machineType{fleet.Provider(m.ProviderID), m.InstanceType}
	}
	return err
}

// readHeld reads the holders.
func (g *signalReader) readHeld(ctx context.Context) error {
	list, err := pg.List[analysis.Held](ctx, g.tx, "signals.held", pg.Tenant, g.day, g.only)
	for _, h := range list {
		g.holders.Hold(h)
	}
	return err
}

func (g *signalReader) readSummaries(ctx context.Context) error {
	g.parts.of = map[sliceHour]analysis.HeldSlice{}
	return pg.Query(ctx, g.tx, "devices.summaries", func(rows pgx.Rows) error {
		h := analysis.SignalHour{}
		var cluster string
		var packed, sketches pg.PgxBytes
		if err := rows.Scan(&cluster, &h.Device, &h.SliceID, &h.Profile, &h.Model, &h.Hour, &packed, &sketches); err != nil {
			return err
		}
		key := sliceHour{h.Device, h.SliceID, h.Hour}
		to, known := g.holdings[key]
		if !known { // the card itself if it is partitioned, or a slice missing from the layout of the hour
			var ok bool
			if to, ok = g.holdings[sliceHour{h.Device, onDevice, h.Hour}]; !ok {
				return nil // a device that is not in any machine's slot
			}
			to.Profile = ""
		}
		h.Provider, h.InstanceType = g.machines[to.NodeID].provider, g.machines[to.NodeID].instanceType
		var err error
		h.Figures = readSignals(packed)
		if h.Sketches, err = readSketches(sketches); err != nil {
			return fmt.Errorf("device %s at %s: %w", h.Device, h.Hour, err)
		}
		if g.devices != nil {
			g.devices.Add(to, &h)
		}
		if of := (analysis.HeldSlice{NodeID: to.NodeID, Slot: to.Slot, SliceID: h.SliceID}); known &&
			g.holders.AddHour(of, &h) {
			g.parts.add(cluster, h.Profile, key, of)
		}
		return nil
	}, pg.Tenant, g.day, g.named)
}

func (p *partHours) add(cluster, profile string, key sliceHour, of analysis.HeldSlice) {
	p.clusters, p.devices, p.profiles = append(p.clusters, cluster), append(p.devices, key.device),
		append(p.profiles, profile)
	p.slices, p.hours = append(p.slices, key.slice), append(p.hours, key.hour)
	p.of[key] = of
}

// readParts reads the minutes of hours of which a holder held only a part.
func (g *signalReader) readParts(ctx context.Context) error {
	p := &g.parts
	if len(p.devices) == 0 {
		return nil
	}
	activity := func(name ledger.Signal) bool { return name == ledger.SignalGrEngine || name == ledger.SignalGPUUtil }
	type hour struct {
		Device  string
		SliceID int32
		Hour    period.Second
		Vectors pg.PgxBytes
	}
	return pg.Each(ctx, g.tx, "signals.minutes", func(r hour) error {
		k := sliceHour{r.Device, r.SliceID, r.Hour}
		vectors, err := minutes.Select(r.Vectors, activity)
		if err != nil {
			return fmt.Errorf("minutes of device %s at %s: %w", k.device, k.hour, err)
		}
		g.holders.AddMinutes(p.of[k], k.hour, vectors)
		return nil
	}, pg.Tenant, p.clusters, p.devices, p.hours, p.slices, p.profiles, g.day)
}

// heldByHour are the counted minutes of some workloads on a day, by hour. If the minutes are no longer kept, it
// returns the stored counts.
func heldByHour(
	ctx context.Context, tx pgx.Tx, day period.Second, workloads []ledger.ID,
) (list []analysis.WorkloadMinutes, err error) {
	gone, err := minutesGone(ctx, tx, day)
	if err != nil {
		return nil, err
	}
	if gone {
		of := map[ledger.ID]bool{}
		for _, id := range workloads {
			of[id] = true
		}
		err = pg.Query(ctx, tx, "signals.kept_hours", func(rows pgx.Rows) error {
			var m analysis.WorkloadMinutes
			err := rows.Scan(&m.WorkloadID, &m.At, &m.Bins)
			if of[m.WorkloadID] {
				list = append(list, m)
			}
			return err
		}, pg.Tenant, day)
		if err != nil || len(list) > 0 {
			return list, err
		}
	}
	g := signalReader{
		tx: tx, day: day, only: workloads, holders: analysis.NewHolderSignals(period.DayOf(day), period.Hour),
	}
	if err := g.read(ctx); err != nil {
		return nil, err
	}
	return g.holders.Workloads(), nil
}

// minutesGone reports whether the minutes of a day are no longer kept.
func minutesGone(ctx context.Context, tx pgx.Tx, day period.Second) (bool, error) {
	return pg.Value[bool](ctx, tx, "signals.gone", pg.Tenant, day)
}

// keptMinutes are the stored counts of a day whose minutes are no longer kept, so that they cannot be counted again.
func keptMinutes(
	ctx context.Context, tx pgx.Tx, day period.Second,
) (workloads []analysis.WorkloadMinutes, runs []analysis.RunMinutes, err error) {
	gone, err := minutesGone(ctx, tx, day)
	if err != nil || !gone {
		return nil, nil, err
	}
	if workloads, err = pg.List[analysis.WorkloadMinutes](ctx, tx, "signals.kept_workloads", pg.Tenant, day); err != nil {
		return nil, nil, err
	}
	runs, err = pg.List[analysis.RunMinutes](ctx, tx, "signals.kept_runs", pg.Tenant, day)
	return workloads, runs, err
}
