package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"gpuledger/internal/access"
	"gpuledger/internal/pgdoor"
	"gpuledger/internal/store"
)

// checkBIDoor returns why BI tools cannot be let in at an address. It is called before anything starts.
func (a *app) checkBIDoor(addr string) error {
	switch {
	case addr == "":
		return nil
	case a.flags.DatabaseURL != "":
		return errors.New("--bi-listen is for the PostgreSQL that gpuledger runs itself: with --database-url, BI tools " +
			"connect to that server")
	}
	return pgdoor.Check(addr)
}

// openBIDoor lets BI logins reach gpuledger's own PostgreSQL at a TCP address, until end. An empty address opens none.
func (a *app) openBIDoor(s *store.Store, dsn, addr string) (end func(), err error) {
	if addr == "" {
		return func() {}, nil
	}
	conf, err := pgconn.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("database address: %w", err)
	}
	listener, err := pgdoor.Listen(a.ctx, addr)
	if err != nil {
		return nil, err
	}
	network, address := pgconn.NetworkAddress(conf.Host, conf.Port)
	door := &pgdoor.Door{Network: network, Address: address, Log: a.log, Now: time.Now,
		Admits: func(ctx context.Context, login string) (bool, error) {
			list, err := s.Access.Logins(ctx)
			return slices.ContainsFunc(list, func(l access.Login) bool { return l.Name == login }), err
		}}
	fmt.Fprintf(a.stdout, "BI logins connect to %s, database %s\n", listener.Addr(), conf.Database)
	ctx, cancel := context.WithCancel(a.ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := door.Serve(ctx, listener); err != nil {
			a.log.Error("BI tools can no longer connect over TCP", "error", err)
		}
	}()
	return func() {
		cancel()
		<-ended
	}, nil
}
