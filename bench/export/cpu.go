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

// processor is the processor time of a server with all its processes, which drifts less than wall time does while
// others use the machine.
type processor struct{ pid int }

func processorOf(ctx context.Context, server *localpg.Server) (p processor, err error) {
	conn, err := pgx.Connect(ctx, server.DSN("postgres"))
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	if fields := statOf(int(conn.PgConn().PID())); len(fields) > 1 {
		p.pid, err = strconv.Atoi(fields[1])
	}
	return p, err
}

// time is 0 on other systems than Linux.
func (p processor) time() time.Duration {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	all := cpuTime(statOf(p.pid))
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			if fields := statOf(pid); len(fields) > 1 && fields[1] == strconv.Itoa(p.pid) {
				all += cpuTime(fields)
			}
		}
	}
	return all
}

// cpuTime is user and system time of a process and of children that it waited for.
func cpuTime(fields []string) time.Duration {
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
