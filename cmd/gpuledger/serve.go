package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"gpuledger/internal/store"
)

type serveCmd struct {
	Addr string `default:"127.0.0.1:8080" help:"Address to listen on."`
}

// Run implements the command.
func (c *serveCmd) Run(a *app) error {
	return a.withStore(func(s *store.Store) error { return a.serve(s, c.Addr) })
}

// shutdownTimeout is how long answers under way may take at the end.
const shutdownTimeout = 10 * time.Second

// serve answers until the context ends.
func (a *app) serve(s *store.Store, addr string) error {
	handler, err := a.handler(s)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(a.ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", addr, err)
	}
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		// Requests end with the server, not with the command's context: they may finish.
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(a.ctx) },
	}
	fmt.Fprintf(a.stdout, "gpuledger is at http://%s\n", listener.Addr())
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-a.ctx.Done():
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), shutdownTimeout)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		return fmt.Errorf("shut down: %w", err)
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
