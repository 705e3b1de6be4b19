package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gpuledger/ingest"
	"gpuledger/internal/config"
	"gpuledger/internal/schedule"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/web/api"
	"gpuledger/web/gate"
	"gpuledger/web/limit"
)

type serveCmd struct {
	Addr     string `default:"127.0.0.1:8080" help:"Address to listen on."`
	BIListen string `name:"bi-listen" placeholder:"ADDR" help:"Let logins of gpuledger bi reach gpuledger's own PostgreSQL over TCP, at a loopback address such as 127.0.0.1:5433."`
	doorFlags
}

// Run implements the command.
func (c *serveCmd) Run(a *app) error {
	defer a.endWithin(longestEnd)()
	cfg, err := a.config()
	if err != nil {
		return err
	}
	if err := c.check(c.Addr); err != nil {
		return err
	}
	if err := a.checkBIDoor(c.BIListen); err != nil {
		return err
	}
	encrypted, err := c.config(a.log, time.Now)
	if err != nil {
		return err
	}
	if c.Auth == authOn && cfg.RemoteWrite.BearerTokenEnv != "" {
		return errors.New("remote_write.bearer_token_env is for servers without access control: with --auth on, each " +
			"sender needs its own token (gpuledger token create --role ingest). Remove the setting from the configuration")
	}
	front, err := c.front(cfg)
	if err != nil {
		return err
	}
	a.warnOfFront(cfg, front)
	if c.plain(c.Addr) {
		a.log.Warn("passwords and costs are sent unencrypted: give --tls-cert and --tls-key, or name the TLS proxy in front "+
			"with --proxy", "addr", c.Addr)
	}
	if err := a.awaitDatabase(c.Addr, encrypted); err != nil {
		return err
	}
	slots := cfg.Allocation.Workers
	return a.withDatabase(begins, pg.Options{MaxConns: workConns + connsOf(slots)},
		func(s *store.Store, dsn string) (err error) {
			a.crew, a.shareFrom = a.newCrew(s, cmp.Or(slots, ownSlots)), cfg.Allocation.ShareFrom
			if slots > 0 {
				if err := a.crew.Start(a.ctx); err != nil {
					return err
				}
				defer func() { err = errors.Join(err, a.crew.Stop(a.ctx)) }()
			}
			closeDoor, err := a.openBIDoor(s, dsn, c.BIListen)
			if err != nil {
				return err
			}
			defer closeDoor()
			running, err := a.startSchedule(s, dsn, cfg)
			if err != nil {
				return err
			}
			return errors.Join(a.serve(s, c.Addr, cfg, c.doorFlags, func(listens string) error {
				sayWhere(a.stdout, c.doorFlags, listens)
				return a.invite(s, listens, c.doorFlags)
			}), running.Stop(a.ctx))
		})
}

// startSchedule imports the sources on their schedules until Stop.
func (a *app) startSchedule(s *store.Store, dsn string, cfg *config.Config) (*schedule.Schedule, error) {
	return schedule.Start(a.ctx, schedule.Options{DSN: dsn, Store: s, Sources: cfg.Sources, Log: a.log, Now: time.Now,
		Import: func(ctx context.Context, src config.Source, last ingest.SourceState) (ingest.SourceState, error) {
			state, _, err := a.importSource(ctx, s, cfg, src, last, importHow{})
			return state, err
		},
		Allocate: func(ctx context.Context) error { return a.bringUpToDate(ctx, s) }})
}

// serve answers requests and takes telemetry, as cfg configures, until the context ends. It calls
// opened with the address that it listens on.
func (a *app) serve(
	s *store.Store, addr string, cfg *config.Config, door doorFlags, opened func(listens string) error,
) (err error) {
	registry := prometheus.NewRegistry()
	own := prometheus.WrapRegistererWithPrefix(metricsPrefix, registry)
	limits := limitsOf(cfg)
	p, err := openPools(a.ctx, s, limits)
	if err != nil {
		return err
	}
	defer p.close()
	arriving, err := a.startLive(s, p.ingest, own, cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, arriving.stop()) }()
	defer a.keepSamples(s, cfg)()
	defer a.keepExports(s, cfg)()
	bodies := map[string]bool{api.ImportsPath: true}
	for path := range arriving.receivers {
		bodies[path] = true
	}
	guard := limit.New(limit.Options{Limits: limits, Alive: p.health.Ping, Log: a.log, Metrics: own, Bodies: bodies})
	passing, err := a.door(p, door, cfg, arriving)
	if err != nil {
		return err
	}
	if passing == nil { // without a gate, clients are known by address, also behind named proxies
		proxies, err := door.proxies()
		if err != nil {
			return err
		}
		guard.ClientsBy(gate.New(gate.Options{Proxies: proxies}).Client)
	}
	answer, stop := a.ownMetrics(p, registry)
	defer stop()
	handler, err := a.handler(s, p, guard, cfg, answer, arriving, passing, door.hosts(addr))
	if err != nil {
		return err
	}
	encrypted, err := door.config(a.log, time.Now)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(a.ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", addr, err)
	}
	// Requests end with the server, not with the command's context, so that they may
	// finish within shutdownTimeout.
	answering, cut := context.WithCancel(context.WithoutCancel(a.ctx))
	defer cut()
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		TLSConfig:         encrypted,
		ErrorLog:          slog.NewLogLogger(a.log.Handler(), slog.LevelDebug), // errors of clients' connections
		BaseContext:       func(net.Listener) context.Context { return answering },
	}
	if err := opened(listener.Addr().String()); err != nil {
		return errors.Join(err, listener.Close())
	}
	failed := make(chan error, 1)
	go func() { failed <- guard.Serve(server, listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-a.ctx.Done():
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), shutdownTimeout)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		a.log.Info("requests that are still running are cut off", "after", shutdownTimeout)
		cut()
		if err := server.Close(); err != nil {
			return fmt.Errorf("shut down: %w", err)
		}
		guard.Wait(cutTimeout)
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
