package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"time"

	"gpuledger/bench/rig"
	"gpuledger/internal/localpg"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/web"
	"gpuledger/web/limit"
)

type options struct {
	dataDir, database, url string
	turns, rate            int
	duration               time.Duration
}

func main() {
	localpg.SuperviseIfAsked()
	var o options
	flag.StringVar(&o.dataDir, "data-dir", "", "folder of a gpuledger's own database, such as a demo's")
	flag.StringVar(&o.database, "database", "gpuledger", "name of the database there")
	flag.StringVar(&o.url, "database-url", "", "address of a gpuledger's database instead")
	flag.IntVar(&o.turns, "turns", 10, "times that each page is opened")
	flag.IntVar(&o.rate, "rate", 20, "panels a second")
	flag.DurationVar(&o.duration, "duration", 30*time.Second, "how long panels are asked")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := bench(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench-web:", err)
		os.Exit(1)
	}
}

func bench(ctx context.Context, o options) (err error) {
	if o.turns < 1 || o.rate < 1 || o.duration < time.Second {
		return fmt.Errorf("-turns %d -rate %d -duration %s: at least 1, 1 and 1s", o.turns, o.rate, o.duration)
	}
	switch {
	case o.url != "":
	case o.dataDir == "":
		return errors.New("name the database: -data-dir of a gpuledger demo --no-serve, or -database-url")
	default:
		server, startErr := localpg.Start(ctx, localpg.Options{DataDir: o.dataDir})
		if startErr != nil {
			return startErr
		}
		defer func() { err = errors.Join(err, server.Close()) }()
		o.url = server.DSN(o.database)
	}
	if err := store.MigrateDSN(ctx, o.url); err != nil {
		return err
	}
	seen := &statements{}
	s, err := store.Open(ctx, o.url, pg.Options{Tracer: seen, MaxConns: 16}) // as many as gpuledger serve has
	if err != nil {
		return err
	}
	defer s.Close()
	// All panels come from one address here, which stands for many: they wait for their turn, and the wait is measured.
	guard := limit.New(limit.Options{Limits: limit.Limits{Questions: 36, Wait: time.Minute}})
	h, err := web.New(web.Deps{Reader: s, Now: time.Now, Away: pg.Away, Guard: guard})
	if err != nil {
		return err
	}
	ours, closeOurs, err := rig.Serve(ctx, h)
	if err != nil {
		return err
	}
	defer closeOurs()
	c := &client{base: ours, seen: seen}
	list, err := c.pages(ctx, o.turns)
	if err != nil {
		return err
	}
	panels, err := c.panels(ctx, list)
	if err != nil {
		return err
	}
	if err := c.load(ctx, panels, o); err != nil {
		return err
	}
	return c.compare(ctx, o.url, panels, o.turns)
}

// percentile is by nearest rank; 0 of nothing.
func percentile(took []time.Duration, percent int) time.Duration {
	if len(took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(took))
	return sorted[max(0, (len(sorted)*percent+99)/100-1)]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
