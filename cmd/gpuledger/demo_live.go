package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"gpuledger/ingest"
	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/exporters"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
)

// story is the fleet that a folder holds, so that a restarted demo continues
// it.
type story struct {
	Size  fleetsim.Size `json:"size"`
	Begun time.Time     `json:"begun"` // of the first demo; bills end before it
}

// lifeAfter is how many days a live fleet goes on after its first demo.
const lifeAfter = 14

// config is the fleet as of an instant.
func (s story) config(now time.Time) fleetsim.Config {
	c := fleetsim.Preset(s.Size).Everywhere()
	history := c.Days
	c.Start = s.Begun.Truncate(24*time.Hour).AddDate(0, 0, -history)
	c.Days = history + 1 + lifeAfter
	c.BilledUntil, c.Until = s.Begun, now
	return c
}

// readStory returns the story of a folder, or writes a new one if the folder has none.
func readStory(dir string, size fleetsim.Size, now time.Time) (story, error) {
	path := filepath.Join(dir, "story.json")
	body, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		st := story{size, now}
		if body, err = json.Marshal(st); err != nil {
			return story{}, fmt.Errorf("write down the demo's story: %w", err)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return story{}, fmt.Errorf("make a folder for the demo: %w", err)
		}
		if err := os.WriteFile(path, body, 0o644); err != nil {
			return story{}, fmt.Errorf("write down the demo's story: %w", err)
		}
		return st, nil
	}
	if err != nil {
		return story{}, fmt.Errorf("read the demo's story: %w", err)
	}
	var st story
	if err := json.Unmarshal(body, &st); err != nil {
		return story{}, fmt.Errorf("read the demo's story in %s: %w; remove %s to begin a new one", path, err, dir)
	}
	if end := st.config(now).Start.AddDate(0, 0, st.config(now).Days); st.Size != size || !now.Before(end) ||
		now.Before(st.Begun) {
		return story{}, fmt.Errorf("the live demo in %s simulates a %s fleet from %s to %s; remove that folder to begin "+
			"a new one",
			dir, st.Size, st.Begun.Format(time.RFC3339), end.Format(time.RFC3339))
	}
	return st, nil
}

// live imports the fleet's history until now, then serves its exporters as well as
// pages, API and receivers. It has its own folder and, without a database URL, its own
// database, because the usual demo simulates another fleet.
func (c *demoCmd) live(a *app, root string) error {
	dir := filepath.Join(root, "live")
	a.flags.DataDir = dir
	now := time.Now().UTC().Truncate(time.Second)
	st, err := readStory(dir, fleetsim.Size(c.Size), now)
	if err != nil {
		return err
	}
	fleet, err := fleetsim.New(st.config(now))
	if err != nil {
		return fmt.Errorf("simulate: %w", err)
	}
	return a.withDatabase(begins, pg.Options{MaxConns: workConns}, func(s *store.Store, _ string) error {
		start := time.Now()
		files := filepath.Join(dir, "demo", c.Size)
		m, err := c.write(a, fleet, files)
		if err != nil {
			return err
		}
		if err := c.post(a, s, m, files); err != nil {
			return err
		}
		if err := c.analyse(a, s, m); err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "ready after %.1f s; the fleet is simulated, its history is in %s\n",
			time.Since(start).Seconds(), files)
		if c.NoServe {
			return nil
		}
		group, ctx := errgroup.WithContext(a.ctx)
		beside := *a
		beside.ctx = ctx
		live := fleet.Exporters()
		group.Go(func() error { return c.serveExporters(&beside, live) })
		group.Go(func() error { return beside.keepAccounts(s, live, dir) })
		group.Go(func() error { return beside.serveDemo(s, c.Addr) })
		return group.Wait()
	})
}

// serveExporters answers scrapes until the context ends.
func (c *demoCmd) serveExporters(a *app, live *fleetsim.Exporters) error {
	listener, err := (&net.ListenConfig{}).Listen(a.ctx, "tcp", c.Exporters)
	if err != nil {
		return fmt.Errorf("listen on %s for the exporters: %w", c.Exporters, err)
	}
	address := listener.Addr().String()
	server := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: exporters.New(live,
		exporters.Options{Address: address, WriteURL: "http://" + c.Addr + "/api/v1/write", Now: time.Now, Log: a.log})}
	fmt.Fprintf(a.stdout, "its exporters are at http://%[1]s; http://%[1]s/prometheus.yml lets a Prometheus scrape "+
		"them and write here\n", address)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve exporters: %w", err)
	case <-a.ctx.Done():
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), shutdownTimeout)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		return fmt.Errorf("shut down the exporters: %w", err)
	}
	return nil
}

// liveAccounting is how often a live demo imports the output of sacct.
const liveAccounting = 5 * time.Minute

// keepAccounts imports the accounting of the Slurm clusters as it grows. It logs
// failures and retries at the next tick.
func (a *app) keepAccounts(s *store.Store, live *fleetsim.Exporters, dir string) error {
	tick := time.NewTicker(liveAccounting)
	defer tick.Stop()
	for {
		select {
		case <-a.ctx.Done():
			return nil
		case <-tick.C:
		}
		for _, cluster := range live.AccountingClusters() {
			if err := a.readAccounting(s, live, cluster, filepath.Join(dir, "sacct-"+cluster+".txt")); err != nil &&
				a.ctx.Err() == nil {
				a.log.Warn("read accounting", "cluster", cluster, "error", err)
			}
		}
	}
}

func (a *app) readAccounting(s *store.Store, live *fleetsim.Exporters, cluster, path string) error {
	body, err := live.Accounting(cluster, time.Now().Unix())
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, body, 0o644); err != nil {
		return fmt.Errorf("write down accounting: %w", err)
	}
	_, err = a.importInto(s, ingest.Request{Source: ingest.SourceSlurm, URIs: []string{path}})
	return err
}
