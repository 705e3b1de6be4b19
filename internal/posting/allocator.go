package posting

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Allocator turns facts into the ledger, step by step. Every step is a separate transaction that finds its pending
// work itself, so a process may die anywhere, and the next run leads to the same ledger.
type Allocator struct {
	Store    AllocationStore
	Workers  int                   // nodes at once; default 2
	Crew     Crew                  // other processes that help; nil: none
	Now      func() time.Time      // default time.Now; only names the calculation
	Log      *slog.Logger          // default: silent
	Progress func(done, total int) // node-days; called from one goroutine at a time; may be nil

	ShareFrom int // fewest node-days to share with the crew; default 256
}

// AllocationSummary is the result of a run.
type AllocationSummary struct {
	Calculation ledger.ID        `json:"calculation"`
	Nodes       int              `json:"nodes"`
	FleetNodes  int              `json:"fleet_nodes"`
	GPUs        int              `json:"gpus"`
	Workloads   int              `json:"workloads"`
	Runs        int              `json:"runs"`
	Attempts    int              `json:"attempts"`
	Deliveries  int              `json:"deliveries"`     // deliveries in the book
	Recut       int              `json:"deliveries_cut"` // those cut in this run
	Charges     int64            `json:"charges_cut"`
	Parts       int64            `json:"parts"`
	Chunks      int              `json:"chunks"` // node-days computed
	UsageRows   int64            `json:"usage_rows"`
	Postings    int64            `json:"postings"`
	Shares      int64            `json:"shares"`      // rows of pairs written (rule 12.6)
	Diagnostics map[string]int64 `json:"diagnostics"` // by code
	// Examples are a few details per diagnostic code, smallest first.
	Examples map[string][]string `json:"examples,omitempty"`
	Seconds  float64             `json:"seconds"`
}

// Run brings the ledger up to date with the facts for all dirty node-days that overlap within; zero bounds are open.
// It waits for another allocation of the tenant to end. An error does not undo saved steps.
func (a *Allocator) Run(ctx context.Context, within period.Interval) (*AllocationSummary, error) {
	r := a.start()
	unlock, err := a.Store.Lock(ctx)
	if err != nil {
		return nil, fmt.Errorf("wait for the allocation lock: %w", err)
	}
	defer unlock()

	// The mark first, so that everything read after it is at least as new.
	if r.calculation.Mark, err = a.Store.NewestMark(ctx); err != nil {
		return nil, fmt.Errorf("look for changes: %w", err)
	}
	if r.policies, err = a.Store.Policies(ctx); err != nil {
		return nil, fmt.Errorf("read the policy: %w", err)
	}
	if err := a.Store.StartCalculation(ctx, r.calculation, r.policies.World().Version); err != nil {
		return nil, fmt.Errorf("start calculation: %w", err)
	}
	alive, stop := r.keepAlive(ctx)
	defer stop()
	err = r.run(Fenced(alive, r.calculation.ID), within)
	if errors.Is(context.Cause(alive), ErrTakenOver) {
		err = ErrTakenOver
	}
	message := ""
	if err != nil {
		message = err.Error()
	}
	// Recorded even if ctx has ended, because the calculation has. A planner that hung after its last step learns
	// only here that another one took over.
	finishErr := a.Store.FinishCalculation(context.WithoutCancel(ctx), r.calculation.ID, r.sum.Chunks, message)
	if errors.Is(err, ErrTakenOver) && errors.Is(finishErr, ErrTakenOver) {
		finishErr = nil
	}
	if finishErr != nil {
		finishErr = fmt.Errorf("finish calculation: %w", finishErr)
	}
	if err := errors.Join(err, finishErr); err != nil {
		return nil, err
	}
	r.sum.Seconds = r.seconds()
	return &r.sum, nil
}

// run is one pass of an Allocator.
type run struct {
	*Allocator
	now         func() time.Time
	log         *slog.Logger
	workers     int
	began       time.Time
	calculation Calculation
	policies    policy.Book
	findings    findings
	sum         AllocationSummary

	rated sync.Mutex
	kept  map[ledger.ID]bool // stored rates
}

func (a *Allocator) start() *run {
	r := &run{
		Allocator: a, now: a.Now, log: a.Log, workers: a.Workers, findings: newFindings(), kept: map[ledger.ID]bool{},
	}
	if r.now == nil {
		r.now = time.Now //nolint:forbidigo // the documented default
	}
	if r.log == nil {
		r.log = slog.New(slog.DiscardHandler)
	}
	if r.workers < 1 {
		r.workers = 2
	}
	r.began = r.now()
	// Two processes may begin at the same instant.
	r.calculation.ID = ledger.NewID("calculation", r.began.UTC().Format(time.RFC3339Nano), rand.Text())
	r.sum.Calculation = r.calculation.ID
	return r
}

func (r *run) run(ctx context.Context, within period.Interval) error {
	world, err := r.Store.World(ctx)
	if err != nil {
		return fmt.Errorf("read facts: %w", err)
	}
	s := r.derive(world)
	r.log.Info("facts resolved", "nodes", len(s.derived.Nodes), "runs", len(s.derived.Runs), "seconds", r.seconds())
	if err := r.Store.SaveWorld(ctx, &s.derived); err != nil {
		return fmt.Errorf("save nodes and runs: %w", err)
	}
	if err := r.recut(ctx, s); err != nil {
		return err
	}
	r.log.Info("charges cut", "deliveries", r.sum.Recut, "charges", r.sum.Charges, "seconds", r.seconds())

	prices, err := r.prices(ctx, world)
	if err != nil {
		return err
	}
	if err := r.Store.UsePublicPrices(ctx, prices.public.Digest()); err != nil {
		return fmt.Errorf("look for new public prices: %w", err)
	}
	dirty, err := r.Store.Work(ctx, r.calculation, within)
	if err != nil {
		return fmt.Errorf("list changes: %w", err)
	}
	if err := r.Store.Prepare(ctx, dirty); err != nil {
		return fmt.Errorf("prepare changed node-days: %w", err)
	}
	err = r.chunks(ctx, s, prices, dirty)
	r.sum.Diagnostics, r.sum.Examples = r.findings.result()
	r.log.Info("ledger written", "chunks", r.sum.Chunks, "postings", r.sum.Postings, "seconds", r.seconds())
	if err != nil {
		return err
	}
	if err := r.doubles(ctx, s, world, prices.billers); err != nil {
		return err
	}
	return r.share(ctx)
}

// seconds is the time since the run began.
func (r *run) seconds() float64 { return r.now().Sub(r.began).Seconds() }
