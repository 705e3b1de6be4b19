package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"

	"gpuledger/internal/localpg"
)

func main() {
	localpg.SuperviseIfAsked()
	rows := flag.Int("rows", 2_000_000, "lines of the month")
	rounds := flag.Int("rounds", 3, "rounds")
	dir := flag.String("dir", filepath.Join(os.TempDir(), "gpuledger-bench-import"),
		"folder of the generated files and of the server")
	program := flag.String("program", "bin/gpuledger", "what to measure")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := measure(ctx, *rows, *rounds, *dir, *program); err != nil {
		fmt.Fprintln(os.Stderr, "bench-import:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, rows, rounds int, dir, program string) (err error) {
	files := filepath.Join(dir, fmt.Sprint("month-", rows))
	if err := generate(files, rows); err != nil {
		return fmt.Errorf("generate the month: %w", err)
	}
	server, err := localpg.Start(ctx, localpg.Options{DataDir: filepath.Join(dir, "server")})
	if err != nil {
		return err
	}
	defer func() {
		if closed := server.Close(); err == nil {
			err = closed
		}
	}()
	r := &rig{server: server, program: program, files: files, rows: rows}
	fmt.Printf("%d lines, %d columns, %d %% bill GPU instance time; psql copies 26 columns with two connections into "+
		"a logged table without indexes\n", rows, len(columns), gpuPercent)
	kinds := []struct {
		name string
		run  func(context.Context) (result, error)
	}{{"psql \\copy × 2", r.psql}, {"Parquet import", r.parquet}, {"gzip CSV import", r.csv}}
	ratios := make([][]float64, len(kinds))
	for round := range rounds {
		var base float64
		for i, k := range kinds {
			got, err := k.run(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
			speed := float64(rows) / got.wall.Seconds()
			if i == 0 {
				base = speed
			}
			ratios[i] = append(ratios[i], speed/base)
			fmt.Printf("round %d  %-16s %6.2f s  %9.0f rows/s  %5.2f × psql  %4d MB  %5.1f s CPU\n", round+1, k.name,
				got.wall.Seconds(), speed, speed/base, got.peak>>20, got.cpu.Seconds())
		}
	}
	for i, k := range kinds[1:] {
		slices.Sort(ratios[i+1])
		fmt.Printf("%s: %.2f × psql (median of %d)\n", k.name, ratios[i+1][len(ratios[i+1])/2], rounds)
	}
	return nil
}
