package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/localpg"
)

// rig measures on one server, each run in a separate database.
type rig struct {
	server  *localpg.Server
	program string
	files   string
	rows    int
	runs    int
}

// result is the cost of a run. Peak is of the importing process, in bytes; cpu is its own and its children's time,
// without the server's.
type result struct {
	wall, cpu time.Duration
	peak      int64
}

// database makes an empty database and returns how to drop it.
func (r *rig) database(ctx context.Context) (dsn string, drop func() error, err error) {
	r.runs++
	name := fmt.Sprint("bench_", r.runs)
	for _, sql := range []string{"drop database if exists " + name, "create database " + name} {
		if err := r.admin(ctx, sql); err != nil {
			return "", nil, err
		}
	}
	return r.server.DSN(name), func() error { return r.admin(context.WithoutCancel(ctx), "drop database "+name) }, nil
}

func (r *rig) admin(ctx context.Context, sql string) (err error) {
	return r.on(ctx, r.server.DSN("postgres"), sql)
}

func (r *rig) on(ctx context.Context, dsn, sql string) (err error) {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	if _, err = conn.Exec(ctx, sql); err != nil {
		return fmt.Errorf("%s: %w", sql, err)
	}
	return nil
}

// psql copies the ready text with two connections at once.
func (r *rig) psql(ctx context.Context) (got result, err error) {
	program, err := exec.LookPath("psql")
	if err != nil {
		return got, err
	}
	dsn, drop, err := r.database(ctx)
	if err != nil {
		return got, err
	}
	defer func() { err = errors.Join(err, drop()) }()
	for _, sql := range []string{createText, "checkpoint"} {
		if err := r.on(ctx, dsn, sql); err != nil {
			return got, err
		}
	}
	var wg sync.WaitGroup
	results, errs := make([]result, 2), make([]error, 2)
	start := time.Now()
	for i := range results {
		wg.Go(func() {
			results[i], errs[i] = run(exec.CommandContext(ctx, program, dsn, "-qc",
				fmt.Sprintf(`\copy bill from '%s'`, filepath.Join(r.files, "text", fmt.Sprint(i, ".tsv")))))
		})
	}
	wg.Wait()
	return result{
		wall: time.Since(start), cpu: results[0].cpu + results[1].cpu, peak: max(results[0].peak, results[1].peak),
	}, errors.Join(errs...)
}

func (r *rig) parquet(ctx context.Context) (result, error) { return r.load(ctx, "parquet") }

func (r *rig) csv(ctx context.Context) (result, error) { return r.load(ctx, "csv") }

// load imports a folder and checks that all rows became charges.
func (r *rig) load(ctx context.Context, form string) (got result, err error) {
	dsn, drop, err := r.database(ctx)
	if err != nil {
		return got, err
	}
	defer func() { err = errors.Join(err, drop()) }()
	if _, err := run(exec.CommandContext(ctx, r.program, "migrate", "--database-url", dsn)); err != nil {
		return got, err
	}
	if err := r.on(ctx, dsn, "checkpoint"); err != nil {
		return got, err
	}
	got, err = run(exec.CommandContext(ctx, r.program, "import", "aws-cur", filepath.Join(r.files, form),
		"--keep-everything", "--database-url", dsn))
	if err != nil {
		return got, err
	}
	// The measured import must be readable: the view finds all its lines.
	return got, r.on(ctx, dsn,
		fmt.Sprintf(`do $$ begin if (select count(*) from charges where delivery_state = 'current') <> %d then raise 'not all lines are there'; end if; end $$`, r.rows/parts*parts))
}

// run runs a command to its end.
func run(cmd *exec.Cmd) (result, error) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return result{}, err
	}
	ended := make(chan struct{})
	peak := make(chan int64)
	go func() { peak <- watch(cmd.Process.Pid, ended) }()
	err := cmd.Wait()
	got := result{wall: time.Since(start), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	close(ended)
	got.peak = <-peak
	if err != nil {
		return result{}, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out.String())
	}
	return got, nil
}

// watch returns the peak memory of a process from its status file: the figure for an ended child would include the
// memory it was forked with.
func watch(pid int, ended <-chan struct{}) (peak int64) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return peak
		case <-tick.C:
		}
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			continue // not Linux, or gone
		}
		_, rest, found := strings.Cut(string(status), "VmHWM:")
		if fields := strings.Fields(rest); found && len(fields) > 0 {
			if kB, err := strconv.ParseInt(fields[0], 10, 64); err == nil {
				peak = max(peak, kB<<10)
			}
		}
	}
}
