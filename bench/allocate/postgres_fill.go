package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
)

// fillFacts publishes the fleet's telemetry and bill like an import.
func fillFacts(ctx context.Context, s *store.Store, f *fleetFacts) error {
	if err := publishTelemetry(ctx, s, f); err != nil {
		return fmt.Errorf("publish telemetry: %w", err)
	}
	if err := publishBill(ctx, s, f); err != nil {
		return fmt.Errorf("publish bill: %w", err)
	}
	return nil
}

func publishTelemetry(ctx context.Context, s *store.Store, f *fleetFacts) error {
	stage, err := s.StageTelemetry(ctx, ledger.NewID("import", "telemetry"))
	if err != nil {
		return err
	}
	defer func() { _ = stage.Discard(context.WithoutCancel(ctx)) }() // after Publish it does nothing
	for node := range f.nodes {
		if err := stage.Write(ctx, f.factsOf(node)); err != nil {
			return err
		}
	}
	return errors.Join(stage.Write(ctx, &ledger.Telemetry{Sources: f.sources()}), stage.Publish(ctx))
}

func publishBill(ctx context.Context, s *store.Store, f *fleetFacts) error {
	stage, err := s.StageCharges(ctx, ledger.NewID("import", "bill"))
	if err != nil {
		return err
	}
	defer func() { _ = stage.Discard(context.WithoutCancel(ctx)) }() // after Publish it does nothing
	d := ledger.Delivery{ID: ledger.NewID("delivery", "bench"), Source: "aws-cur", Export: "arn:bench",
		Scope: "111111111111", Dataset: "CUR 2.0", Partition: string(period.MonthName(fleetDay0)),
		Kind: ledger.Snapshot, Rank: 3, Rows: int64(f.nodes * f.days * 24), Columns: []string{"line_item_unblended_cost"}}
	d.Digest = sha256.Sum256(d.ID[:])
	var sums [4]money.Amount
	for h := range f.days * 24 {
		list := make([]ledger.Charge, 0, f.nodes)
		for node := range f.nodes {
			c := f.charge(node, h)
			for i, m := range ledger.Metrics {
				sums[i] = sums[i].Add(*c.Get(m))
			}
			list = append(list, c)
		}
		if err := stage.Write(ctx, 0, list); err != nil {
			return err
		}
	}
	for i, m := range ledger.Metrics {
		d.Totals = append(d.Totals, ledger.ControlTotal{
			Account: fleetAccount, BillingPeriod: period.MonthName(fleetDay0),
			Currency: "USD", Metric: m, SourceTotal: sums[i], Charges: d.Rows,
		})
	}
	out, err := stage.Publish(ctx, []ledger.Delivery{d})
	if err == nil && out[0].State != ingest.DeliveryPublished {
		err = fmt.Errorf("the bill became %q", out[0].State)
	}
	return err
}

// makeFacts returns the name of a database with the fleet's facts, and makes it if it is missing. Rounds work on copies
// of it.
func (r *pgRig) makeFacts(ctx context.Context, f *fleetFacts) (string, error) {
	name := fmt.Sprintf("facts_%d_%d_%d", f.nodes*cardsPerNode, f.days, f.seed)
	if there, err := r.exists(ctx, name); there || err != nil {
		return name, err
	}
	began := time.Now()
	making := name + "_new"
	if err := r.admin(ctx, "drop database if exists "+making, "create database "+making); err != nil {
		return name, err
	}
	if err := store.MigrateDSN(ctx, r.dsn(making)); err != nil {
		return name, err
	}
	s, err := store.Open(ctx, r.dsn(making), pg.Options{})
	if err != nil {
		return name, err
	}
	err = fillFacts(ctx, s, f)
	s.Close()
	if err != nil {
		return name, err
	}
	if err := r.on(ctx, making, "vacuum analyze"); err != nil {
		return name, err
	}
	fmt.Printf("facts of %d GPUs, %d days: published in %.0f s\n", f.nodes*cardsPerNode, f.days,
		time.Since(began).Seconds())
	return name, r.admin(ctx, fmt.Sprintf("alter database %s rename to %s", making, name), "checkpoint")
}

func (r *pgRig) exists(ctx context.Context, name string) (there bool, err error) {
	err = r.with(ctx, "postgres", func(conn *pgx.Conn) error {
		return conn.QueryRow(ctx, "select exists (select from pg_database where datname = $1)", name).Scan(&there)
	})
	return there, err
}
