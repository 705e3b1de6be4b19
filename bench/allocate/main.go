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
	"strconv"
	"strings"

	"gpuledger/internal/localpg"
)

// options are the flags.
type options struct {
	only   string
	fleet  fleet
	scale  []int // further fleet sizes
	rounds int
	dir    string
	duckdb string // folder of DuckDB's npm package
	alone  bool
}

// halves are the measurements, in order.
var halves = []struct {
	name string
	run  func(context.Context, *options) error
}{{"engine", benchEngine}, {"postgres", benchPostgres}}

func main() {
	localpg.SuperviseIfAsked()
	var o options
	scale := ""
	flag.StringVar(&o.only, "only", "", "measure this half alone: engine, postgres")
	flag.IntVar(&o.fleet.gpus, "gpus", 1000, "GPUs of the fleet, eight per node")
	flag.IntVar(&o.fleet.days, "days", 30, "days of the month")
	flag.Uint64Var(&o.fleet.seed, "seed", 1, "seed of the fleet")
	flag.StringVar(&scale, "scale", "250,500,1000,2000", "fleet sizes at which the time is shown, too")
	flag.IntVar(&o.rounds, "rounds", 5, "turns of each contestant")
	flag.StringVar(&o.dir, "dir", filepath.Join(os.TempDir(), "gpuledger-bench-allocate"),
		"folder of the generated files and of servers")
	flag.StringVar(&o.duckdb, "duckdb", os.Getenv("GPULEDGER_DUCKDB"), "folder in which npm installed @duckdb/node-api")
	flag.BoolVar(&o.alone, "alone", false, "without peers")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := o.take(scale)
	if err == nil {
		err = onTwoCores()
	}
	for _, h := range halves {
		if err == nil && (o.only == "" || o.only == h.name) {
			err = h.run(ctx, &o)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench-allocate:", err)
		os.Exit(1)
	}
}

// take checks the flags.
func (o *options) take(scale string) error {
	for s := range strings.SplitSeq(scale, ",") {
		if s == "" {
			continue
		}
		n, err := strconv.Atoi(s)
		if err != nil || n < gpusPerNode {
			return fmt.Errorf("-scale: %q is no number of GPUs from %d up", s, gpusPerNode)
		}
		o.scale = append(o.scale, n)
	}
	if o.fleet.gpus < gpusPerNode || o.fleet.days < 1 || o.rounds < 1 {
		return fmt.Errorf("-gpus %d -days %d -rounds %d: at least %d, 1 and 1", o.fleet.gpus, o.fleet.days, o.rounds,
			gpusPerNode)
	}
	return os.MkdirAll(o.dir, 0o755)
}

// onTwoCores runs this program again with its children on two cores, if there are more: the target figures are for two.
func onTwoCores() error {
	if runtime.NumCPU() <= 2 {
		return nil
	}
	taskset, err := exec.LookPath("taskset")
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench-allocate: more than two cores are used:", err)
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	again := exec.Command(taskset, append([]string{"-c", "0,1", self}, os.Args[1:]...)...)
	again.Stdin, again.Stdout, again.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = again.Run()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		os.Exit(failed.ExitCode())
	}
	if err == nil {
		os.Exit(0)
	}
	return err
}
