package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/localpg"
)

// pgRig is the server that both sides work on.
type pgRig struct {
	server *localpg.Server
	pid    int // of the postmaster
}

func (r *pgRig) dsn(database string) string { return r.server.DSN(database) }

// with runs f on a separate connection.
func (r *pgRig) with(ctx context.Context, database string, f func(*pgx.Conn) error) (err error) {
	conn, err := pgx.Connect(ctx, r.dsn(database))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	return f(conn)
}

// on runs statements, each in a separate transaction.
func (r *pgRig) on(ctx context.Context, database string, statements ...string) error {
	return r.with(ctx, database, func(conn *pgx.Conn) error {
		for _, sql := range statements {
			if _, err := conn.Exec(ctx, sql); err != nil {
				return fmt.Errorf("%s: %w", sql, err)
			}
		}
		return nil
	})
}

func (r *pgRig) admin(ctx context.Context, statements ...string) error {
	return r.on(ctx, "postgres", statements...)
}

// find finds the process of the server.
func (r *pgRig) find(ctx context.Context) error {
	return r.with(ctx, "postgres", func(conn *pgx.Conn) error {
		r.pid = parentOf(int(conn.PgConn().PID()))
		return nil
	})
}

// serverCPU is the processor time of the server with all its processes.
func (r *pgRig) serverCPU() time.Duration {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0 // not Linux
	}
	all := cpuTime(r.pid)
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil && parentOf(pid) == r.pid {
			all += cpuTime(pid)
		}
	}
	return all
}

func parentOf(pid int) int {
	fields := statOf(pid)
	if len(fields) < 2 {
		return 0
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return 0
	}
	return parent
}

// cpuTime is user and system time of a process and of children that it waited for.
func cpuTime(pid int) time.Duration {
	fields := statOf(pid)
	var ticks int64
	for i := 11; i < 15 && i < len(fields); i++ {
		if n, err := strconv.ParseInt(fields[i], 10, 64); err == nil {
			ticks += n
		}
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// statOf are the fields of /proc/pid/stat from the state on.
func statOf(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	return strings.Fields(rest)
}
