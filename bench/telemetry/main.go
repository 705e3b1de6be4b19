package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest/remotewrite"
	"gpuledger/internal/localpg"
)

// rig measures on one database server, each run in a separate database.
type rig struct {
	server       *localpg.Server
	program, dir string
	alone        bool // no peer
	runs         int
}

type options struct {
	only         string
	gpus, batch  int
	shards       int
	rounds       int
	duration     time.Duration
	step         time.Duration
	two          bool
	alone        bool
	dir, program string
	hours        int
}

func main() {
	localpg.SuperviseIfAsked()
	var o options
	flag.StringVar(&o.only, "only", "", "measure this alone: write, openmetrics, rollup")
	flag.IntVar(&o.gpus, "gpus", 10_000, "GPUs of the fleet")
	flag.IntVar(&o.batch, "batch", 2000, "samples per request")
	flag.IntVar(&o.shards, "shards", 8, "requests at once")
	flag.IntVar(&o.rounds, "rounds", 2, "turns of each server")
	flag.DurationVar(&o.duration, "duration", time.Minute, "how long a turn of remote_write is")
	flag.DurationVar(&o.step, "step", 15*time.Second, "fleet time between two scrapes")
	flag.IntVar(&o.hours, "hours", 2, "hours of the fleet's tenth part in the OpenMetrics file, one sample a minute")
	flag.BoolVar(&o.two, "two", false, "send remote_write 2.0, which the peer may not take")
	flag.BoolVar(&o.alone, "alone", false, "without the peer")
	flag.StringVar(&o.dir, "dir", filepath.Join(os.TempDir(), "gpuledger-bench-telemetry"), "folder of servers and files")
	flag.StringVar(&o.program, "program", "bin/gpuledger", "what to measure")
	flag.Parse()
	if err := onTwoCores(); err != nil {
		fmt.Fprintln(os.Stderr, "bench-telemetry: more than two cores are used:", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := measure(ctx, &o); err != nil {
		fmt.Fprintln(os.Stderr, "bench-telemetry:", err)
		os.Exit(1)
	}
}

// onTwoCores runs this program again with its children on two cores, if there are more.
func onTwoCores() error {
	if runtime.NumCPU() <= 2 {
		return nil
	}
	taskset, err := exec.LookPath("taskset")
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	args := append([]string{"-c", "0,1", self}, os.Args[1:]...)
	cmd := exec.Command(taskset, args...) //nolint:noctx // it is this program
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
	return nil
}

func measure(ctx context.Context, o *options) (err error) {
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return err
	}
	server, err := localpg.Start(ctx, localpg.Options{DataDir: filepath.Join(o.dir, "server")})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	r := &rig{server: server, program: o.program, dir: o.dir, alone: o.alone || o.two}
	if o.only == "" || o.only == "write" {
		s := &stream{gpus: o.gpus, batch: o.batch, shards: o.shards, step: o.step, version: remotewrite.V1}
		if o.two {
			s.version = remotewrite.V2
		}
		if err := r.remoteWrite(ctx, s, o.rounds, o.duration); err != nil {
			return err
		}
	}
	if o.only == "" || o.only == "rollup" {
		return r.rollup(ctx, rollupGPUs, rollupHours, rollupRounds)
	}
	if o.only == "" || o.only == "openmetrics" {
		if err := r.openMetrics(ctx, o.hours, o.rounds); err != nil {
			return fmt.Errorf("openmetrics: %w", err)
		}
	}
	return nil
}

// The size and number of roll-ups.
const (
	rollupGPUs   = 400
	rollupHours  = 24
	rollupRounds = 5
)

// database makes an empty database and returns how to drop it.
func (r *rig) database(ctx context.Context) (dsn string, drop func() error, err error) {
	r.runs++
	name := fmt.Sprint("bench_", r.runs)
	for _, sql := range []string{
		"drop database if exists " + name + " with (force)", "create database " + name, "checkpoint",
	} {
		if err := r.admin(ctx, sql); err != nil {
			return "", nil, err
		}
	}
	return r.server.DSN(name), func() error {
		return r.admin(context.WithoutCancel(ctx), "drop database if exists "+name+" with (force)")
	}, nil
}

func (r *rig) admin(ctx context.Context, sql string) (err error) {
	conn, err := pgx.Connect(ctx, r.server.DSN("postgres"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	if _, err = conn.Exec(ctx, sql); err != nil {
		return fmt.Errorf("%s: %w", sql, err)
	}
	return nil
}

// databaseCPU is the processor time of all processes of the database server.
func (r *rig) databaseCPU() time.Duration {
	found, err := filepath.Glob(filepath.Join(r.dir, "server", "*", "postmaster.pid"))
	if err != nil || len(found) != 1 {
		return 0
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		return 0
	}
	var pid int
	if _, err := fmt.Sscan(string(text), &pid); err != nil {
		return 0
	}
	return treeCPU(pid)
}

// treeCPU is the time of a process and of its living children.
func treeCPU(pid int) time.Duration {
	sum := cpuOf(pid)
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		return sum
	}
	for c := range strings.FieldsSeq(string(children)) {
		var n int
		if _, err := fmt.Sscan(c, &n); err == nil {
			sum += treeCPU(n)
		}
	}
	return sum
}
