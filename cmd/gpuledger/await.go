package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Waiting for the database: the longest time of an attempt, and the pause after it.
const (
	attemptTimeout = 3 * time.Second
	attemptPause   = time.Second
)

// awaitDatabase returns once the given database answers, or fails with an error that does
// not end by itself (notThereYet); the caller meets that error again when it opens the database.
// Until then, addr answers as alive but not ready, over TLS if the server will use TLS.
func (a *app) awaitDatabase(addr string, encrypted *tls.Config) error {
	address := a.flags.DatabaseURL
	if address == "" {
		return nil // gpuledger's own database is ready once it has started
	}
	err := a.attempt(address)
	if !notThereYet(err) {
		return nil
	}
	listener, listenErr := (&net.ListenConfig{}).Listen(a.ctx, "tcp", addr)
	if listenErr != nil {
		return fmt.Errorf("listen on %s: %w", addr, listenErr)
	}
	a.log.Warn("the database does not answer yet; waiting for it", "error", err, "address", listener.Addr().String())
	server := &http.Server{Handler: http.HandlerFunc(notReady), ReadTimeout: attemptTimeout, WriteTimeout: attemptTimeout}
	ended := make(chan error, 1)
	if encrypted != nil {
		listener = tls.NewListener(listener, encrypted)
	}
	go func() { ended <- server.Serve(listener) }()
	for notThereYet(err) && a.ctx.Err() == nil {
		select {
		case <-a.ctx.Done():
		case <-time.After(attemptPause):
			err = a.attempt(address)
		}
	}
	closing := server.Close()
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return errors.Join(closing, a.ctx.Err())
}

func (a *app) attempt(address string) error {
	ctx, cancel := context.WithTimeout(a.ctx, attemptTimeout)
	defer cancel()
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}

// notThereYet reports whether a connection error may end by itself: no server
// answers, or it is starting, stopping or out of connections.
func notThereYet(err error) bool {
	if err == nil {
		return false
	}
	if _, wrong := errors.AsType[*pgconn.ParseConfigError](err); wrong {
		return false
	}
	if pg, answered := errors.AsType[*pgconn.PgError](err); answered {
		return strings.HasPrefix(pg.Code, "57P") || pg.Code == "53300"
	}
	return true
}

// notReady answers requests while the database is away.
func notReady(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/livez" {
		fmt.Fprintln(w, "ok")
		return
	}
	w.Header().Set("Retry-After", "5")
	http.Error(w, "gpuledger is waiting for its database", http.StatusServiceUnavailable)
}
