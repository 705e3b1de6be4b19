package analysis

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"gpuledger/internal/catalog"
	"gpuledger/internal/period"
)

// Mark says what has changed on a day.
type Mark string

// Marks.
const (
	Ledger   Mark = "ledger"   // chunks, states of postings
	Counters Mark = "counters" // what servers counted
	Warnings Mark = "warnings" // that spot machines are taken away
)

// Step is one stage of analysis.
type Step struct {
	Name  string
	Reads []Mark   // changes of these deal a day to the step
	Needs []string // steps, further up in the list, whose tables it reads
	// Day works out one day anew and returns the rows that it wrote: one
	// transaction, which also drops the day's mark. May be nil.
	Day func(ctx context.Context, a *Analyst, day period.Second) (int64, error)
	// Days is Day of as many days, from the first, as it does at once; it returns
	// how many. Nil: one at a time.
	Days func(ctx context.Context, a *Analyst, days []period.Second) (done int, rows int64, err error)
	// After is what follows once, from days together: it runs when the step had
	// a day, and returns the rows that it wrote. May be nil.
	After func(ctx context.Context, a *Analyst) (int64, error)
}

// steps in the order in which they are begun, the longest first; they need not
// wait for one another but for those that they need.
var steps = []Step{
	onDemandHours,
	onDemandRates,
	servedNames,
	servingStep,
	rollUpCosts,
	interruptions,
	useStep,
	layouts,
	wasteStep,
	{
		Name: "advice", Reads: []Mark{Ledger},
		Needs: []string{rollUpCosts.Name, interruptions.Name, layouts.Name, wasteStep.Name}, After: advise,
	},
}

// atOnce is how many steps are worked through at once: the database adds up for
// one while this process works out another.
const atOnce = 2

// Store is what analysis reads from and writes to the database.
type Store interface {
	// LockAnalysis waits until no other process analyses.
	LockAnalysis(ctx context.Context) (unlock func(), err error)
	// RefreshFigures tells the planner about what was made, where much changed:
	// pages are asked for at once.
	RefreshFigures(ctx context.Context) error
	// PublicPrices are those of the program and those that were imported.
	PublicPrices(ctx context.Context) (*catalog.PriceList, error)
	// DealDays gives the days that changed to the steps that read what changed.
	DealDays(ctx context.Context, steps, reads []string) error
	// AnalysisDays lists the days of a step, ascending.
	AnalysisDays(ctx context.Context, step string) ([]period.Second, error)
	// ForgetAnalysisDay drops a day of a step that writes nothing by day.
	ForgetAnalysisDay(ctx context.Context, step string, day period.Second) error
	LayoutStore
	RollupStore
	ServingStore
	WasteStore
	SpotStore
	UseStore
	AdviceStore
}

// Analyst runs the steps.
type Analyst struct {
	Store    Store
	Now      func() time.Time // default time.Now; for durations only
	Log      *slog.Logger     // default: silent
	Progress func(step string, done, total int)

	told sync.Mutex // Progress is told by one step at a time
}

// Summary says what a pass did.
type Summary struct {
	Steps   []StepSummary `json:"steps"`
	Seconds float64       `json:"seconds"`
}

// StepSummary is one step of a pass.
type StepSummary struct {
	Name string `json:"name"`
	Days int    `json:"days"`
	Rows int64  `json:"rows"`
}

// Run brings everything up to date with the ledger. On an error what was
// written stays, and what was not stays marked.
func (a *Analyst) Run(ctx context.Context) (*Summary, error) {
	if a.Now == nil {
		a.Now = time.Now //nolint:forbidigo // the documented default
	}
	if a.Log == nil {
		a.Log = slog.New(slog.DiscardHandler)
	}
	began := a.Now()
	unlock, err := a.Store.LockAnalysis(ctx)
	if err != nil {
		return nil, fmt.Errorf("wait for the analysis lock: %w", err)
	}
	defer unlock()
	var names, reads []string
	for _, s := range steps {
		for _, m := range s.Reads {
			names, reads = append(names, s.Name), append(reads, string(m))
		}
	}
	if err := a.Store.DealDays(ctx, names, reads); err != nil {
		return nil, fmt.Errorf("look for changed days: %w", err)
	}
	sum := &Summary{}
	if sum.Steps, err = a.all(ctx); err != nil {
		return nil, err
	}
	if err := a.Store.RefreshFigures(ctx); err != nil {
		return nil, err
	}
	sum.Seconds = a.Now().Sub(began).Seconds()
	return sum, nil
}

// all works the steps through, each once those that it needs are.
func (a *Analyst) all(ctx context.Context) (list []StepSummary, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type end struct {
		step int
		sum  StepSummary
		err  error
	}
	ends := make(chan end)
	list = make([]StepSummary, len(steps))
	begun, through := map[string]bool{}, map[string]bool{}
	waits := func(name string) bool { return !through[name] }
	for running := 0; ; {
		for i, s := range steps {
			if err == nil && running < atOnce && !begun[s.Name] && !slices.ContainsFunc(s.Needs, waits) {
				begun[s.Name] = true
				running++
				go func() {
					sum, err := a.step(ctx, s)
					ends <- end{i, sum, err}
				}()
			}
		}
		if running == 0 {
			return list, err
		}
		e := <-ends
		running--
		if e.err != nil {
			err = errors.Join(err, fmt.Errorf("analysis, %s: %w", steps[e.step].Name, e.err))
			cancel() // what is under way ends, nothing else begins
			continue
		}
		list[e.step], through[e.sum.Name] = e.sum, true
		a.Log.Info("analysed", "step", e.sum.Name, "days", e.sum.Days, "rows", e.sum.Rows)
	}
}

func (a *Analyst) step(ctx context.Context, s Step) (StepSummary, error) {
	sum := StepSummary{Name: s.Name}
	days, err := a.Store.AnalysisDays(ctx, s.Name)
	if err != nil || len(days) == 0 {
		return sum, err
	}
	for sum.Days < len(days) {
		a.tell(s.Name, sum.Days, len(days))
		done, rows, err := s.some(ctx, a, days[sum.Days:])
		if err != nil {
			return sum, fmt.Errorf("day %s: %w", period.DayOf(days[sum.Days]).From, err)
		}
		sum.Days += done
		sum.Rows += rows
	}
	if s.After != nil {
		rows, err := s.After(ctx, a)
		if err != nil {
			return sum, err
		}
		sum.Rows += rows
	}
	if s.Day == nil && s.Days == nil { // the marks stood until After was through
		for _, day := range days {
			if err := a.Store.ForgetAnalysisDay(ctx, s.Name, day); err != nil {
				return sum, err
			}
		}
	}
	return sum, nil
}

// tell says how far a step is.
func (a *Analyst) tell(step string, done, total int) {
	if a.Progress == nil {
		return
	}
	a.told.Lock()
	defer a.told.Unlock()
	a.Progress(step, done, total)
}

// some works out the first of days.
func (s Step) some(ctx context.Context, a *Analyst, days []period.Second) (done int, rows int64, err error) {
	switch {
	case s.Days != nil:
		return s.Days(ctx, a, days)
	case s.Day != nil:
		rows, err = s.Day(ctx, a, days[0])
	}
	return 1, rows, err
}
