package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
)

// rolled are the signals whose percentiles both sides compute.
var rolled = []ledger.Signal{
	ledger.SignalGrEngine, ledger.SignalSM, ledger.SignalTensor,
	ledger.SignalDRAM, ledger.SignalMemoryUsed, ledger.SignalPower,
}

// rollupStart is the first hour of the samples that are rolled up.
const rollupStart = period.Second(1793491200)

// rollup measures p50 and p95 per device, hour and signal: gpuledger's way, from stored minute vectors to stored
// summaries with sketches, and the database's way from the same samples as rows, with percentile_cont, to a table. Both
// are complete: read, computed, written.
func (r *rig) rollup(ctx context.Context, gpus, hours, rounds int) (err error) {
	dsn, drop, err := r.database(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, drop()) }()
	if err := store.MigrateDSN(ctx, dsn); err != nil {
		return err
	}
	s, err := store.Open(ctx, dsn, pg.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	if err := fillSamples(ctx, s, conn, gpus, hours); err != nil {
		return err
	}
	values := float64(gpus * hours * 60 * len(rolled))
	var ours, theirs []float64
	for i := range rounds {
		if _, err := conn.Exec(ctx,
			"truncate sample_summaries; insert into stale_hours (tenant_id, hour) select distinct tenant_id, hour from "+
				"sample_hours"); err != nil {
			return err
		}
		began, busy := time.Now(), r.cpu()
		n, err := s.Summarise(ctx, rollupStart+period.Second(hours+2)*period.Hour)
		if err != nil {
			return err
		}
		if n != int64(gpus*hours) {
			return fmt.Errorf("%d summaries of %d device-hours", n, gpus*hours)
		}
		ours = append(ours, values/time.Since(began).Seconds())
		ourCPU := r.cpu() - busy
		if _, err := conn.Exec(ctx, "drop table if exists rolled"); err != nil {
			return err
		}
		began, busy = time.Now(), r.cpu()
		if _, err := conn.Exec(ctx, peerRollup); err != nil {
			return err
		}
		theirs = append(theirs, values/time.Since(began).Seconds())
		fmt.Printf("rollup round %d: gpuledger %.1f M values/s, percentile_cont %.2f M values/s, %.1f ×; processor %.2f "+
			"s and %.2f s\n",
			i+1, ours[i]/1e6, theirs[i]/1e6, ours[i]/theirs[i], ourCPU.Seconds(), (r.cpu() - busy).Seconds())
	}
	ratios := make([]float64, rounds)
	for i := range ratios {
		ratios[i] = ours[i] / theirs[i]
	}
	slices.Sort(ratios)
	fmt.Printf("rollup: %d devices × %d hours × %d signals, median of %d rounds: %.1f × percentile_cont (aim 8)\n", gpus,
		hours, len(rolled), rounds, ratios[rounds/2])
	return nil
}

// cpu is the processor time of this program and of the database server.
func (r *rig) cpu() time.Duration { return cpuOf(os.Getpid()) + r.databaseCPU() }

// peerRollup is the database's computation on the same samples as rows.
const peerRollup = `create table rolled as
select device, signal, date_trunc('hour', at) as hour, count(*) as minutes, min(value), max(value), sum(value),
  percentile_cont(0.5) within group (order by value) as p50, percentile_cont(0.95) within group (order by value) as p95
from sample_rows group by 1, 2, 3`

// fillSamples stores the same samples both ways.
func fillSamples(ctx context.Context, s *store.Store, conn *pgx.Conn, gpus, hours int) error {
	if _, err := conn.Exec(ctx,
		"create table sample_rows (device int not null, signal smallint not null, at timestamptz not null, value bigint "+
			"not null)"); err != nil {
		return err
	}
	for h := range hours {
		hour := rollupStart + period.Second(h)*period.Hour
		t := ledger.Telemetry{}
		var rows [][]any
		for gpu := range gpus {
			vectors := map[ledger.Signal]ledger.Minutes{}
			for k, signal := range rolled {
				var v ledger.Minutes
				for m := range 60 {
					value := 300_000 + int64(noise(gpu, h*60+m, k)*600_000)
					minutes.Set(&v, m, 15_000, value)
					rows = append(rows, []any{gpu, k, (hour + period.Second(m)*period.Minute).Time(), value})
				}
				vectors[signal] = v
			}
			t.Samples = append(t.Samples,
				ledger.SampleHour{Cluster: "bench", Node: nodeName(gpu / 8), Device: deviceName(gpu), Index: int32(gpu % 8),
					Model:   "NVIDIA H100 80GB HBM3",
					SliceID: ledger.WholeDevice, Hour: hour, Vectors: vectors, RowCount: int64(60 * len(rolled))})
		}
		stage, err := s.StageTelemetry(ctx, ledger.ID{})
		if err != nil {
			return err
		}
		if err := errors.Join(stage.Write(ctx, &t), stage.Publish(ctx)); err != nil {
			return err
		}
		if _, err := conn.CopyFrom(ctx, pgx.Identifier{"sample_rows"}, []string{"device", "signal", "at", "value"},
			pgx.CopyFromRows(rows)); err != nil {
			return err
		}
	}
	_, err := conn.Exec(ctx, "analyze sample_rows; analyze sample_hours; analyze devices")
	return err
}
