package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime/pprof"
	"slices"
	"time"

	"gpuledger/bench/rig"
	"gpuledger/internal/localpg"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/web"
	"gpuledger/web/api"
	"gpuledger/web/limit"
)

type options struct {
	dataDir  string
	rows     int64
	turns    int
	clients  int
	duration time.Duration
	only     string
	profile  string
}

func main() {
	localpg.SuperviseIfAsked()
	var o options
	flag.StringVar(&o.dataDir, "data-dir", "", "folder that gpuledger demo --no-serve filled; databases of the benchmark are "+
		"added to it")
	flag.Int64Var(&o.rows, "rows", 5_000_000, "postings of the export")
	flag.IntVar(&o.turns, "turns", 3, "times that each side has its turn")
	flag.IntVar(&o.clients, "clients", 8, "clients that ask for 100 rows at once")
	flag.DurationVar(&o.duration, "duration", 5*time.Second, "how long they ask in a turn")
	flag.StringVar(&o.only, "only", "", "measure this alone: export, rest, day")
	flag.StringVar(&o.profile, "cpuprofile", "", "write a profile of this program to a file")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := bench(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench-export:", err)
		os.Exit(1)
	}
}

// parts are the measurements, in order.
var parts = []struct {
	name string
	run  func(ctx context.Context, server *localpg.Server, o options) error
}{{"export", benchExport}, {"rest", benchREST}, {"day", benchDay}}

func bench(ctx context.Context, o options) (err error) {
	if o.dataDir == "" || o.rows < 1 || o.turns < 1 || o.clients < 1 {
		return errors.New("give -data-dir, a folder that gpuledger demo --no-serve filled; rows, turns and clients are at " +
			"least 1")
	}
	server, err := localpg.Start(ctx, localpg.Options{DataDir: o.dataDir})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	if o.profile != "" {
		f, err := os.Create(o.profile)
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer func() {
			pprof.StopCPUProfile()
			_ = f.Close() // a file of pprof that is cut says so
		}()
	}
	for _, p := range parts {
		if o.only != "" && o.only != p.name {
			continue
		}
		if err := p.run(ctx, server, o); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// served answers from a database as gpuledger serve does, without access control.
func served(ctx context.Context, dsn string) (base string, end func(), err error) {
	s, err := store.Open(ctx, dsn, pg.Options{})
	if err != nil {
		return "", nil, err
	}
	readers, err := s.Beside(ctx, 16) // as many as gpuledger serve has
	if err != nil {
		return "", nil, err
	}
	guard := limit.New(limit.Options{})
	h, err := web.New(web.Deps{Reader: readers, Now: time.Now, Away: pg.Away, Guard: guard,
		API: api.New(readers, slog.New(slog.NewTextHandler(os.Stderr, nil))).Bounded(guard, pg.Away)})
	if err != nil {
		return "", nil, err
	}
	base, closeServer, err := rig.Serve(ctx, h)
	return base, func() { closeServer(); readers.Close(); s.Close() }, err
}

// median is the middle one; of an even number, the lower.
func median[T interface{ ~float64 | ~int64 }](list []T) T {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[(len(sorted)-1)/2]
}
