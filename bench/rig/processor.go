package rig

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Processor is the processor time of a database server with all its processes, which drifts less than wall time does
// while others use the machine.
type Processor struct{ pid int }

// ProcessorOf finds the process of the server at an address.
func ProcessorOf(ctx context.Context, dsn string) (p Processor, err error) {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	return Processor{parentOf(int(conn.PgConn().PID()))}, nil
}

// Time is 0 on other systems than Linux.
func (p Processor) Time() time.Duration {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	all := timeOf(p.pid)
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil && parentOf(pid) == p.pid {
			all += timeOf(pid)
		}
	}
	return all
}

// Own is the processor time of this program.
func Own() time.Duration { return timeOf(os.Getpid()) }

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

// timeOf is user and system time of a process and of children that it waited for.
func timeOf(pid int) time.Duration {
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
