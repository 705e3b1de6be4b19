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

// Mark is a kind of change on a day.
type Mark string

// Marks.
const (
	Ledger   Mark = "ledger"   // chunks, states of postings
	Counters Mark = "counters" // counters of servers
	Warnings Mark = "warnings" // interruption warnings of spot machines
)

// Step is one stage of analysis.
type Step struct {
	Name  string
	Reads []Mark   // marks that queue a day for the step
	Needs []string // earlier steps in the list whose tables it reads
	// Day computes one day again and returns the number of rows written, in one transaction that also drops the day's
	// mark. May be nil.
	Day func(ctx context.Context, a *Analyst, day period.Second) (int64, error)
	// Days is Day for several days at once, from the first on; it returns how many it did. Nil: one at a time.
	Days func(ctx context.Context, a *Analyst, days []period.Second) (done int, rows int64, err error)
	// After runs once after the step's days, if there were any, and returns the number of rows written. May be nil.
	After func(ctx context.Context, a *Analyst) (int64, error)
}

// steps in the order in which they begin, the longest first. A step waits only for those that it needs.
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

// Steps are the names of the steps.
func Steps() []string {
	var names []string
	for _, s := range steps {
		names = append(names, s.Name)
	}
	return names
}

// atOnce is how many steps run in parallel: the database works on one while this process computes another.
const atOnce = 2

// Store is the access of analysis to the database.
type Store interface {
	// LockAnalysis waits until no other process runs analysis.
	LockAnalysis(ctx context.Context) (unlock func(), err error)
	// RefreshFigures refreshes the planner's statistics of tables with many changes, because pages read them at once.
	RefreshFigures(ctx context.Context) error
	// PublicPrices are the built-in prices and the imported ones.
	PublicPrices(ctx context.Context) (*catalog.PriceList, error)
	// DealDays hands changed days to the steps that read what changed.
	DealDays(ctx context.Context, steps, reads []string) error
	// AnalysisDays lists the days of a step, ascending.
	AnalysisDays(ctx context.Context, step string) ([]period.Second, error)
	// ForgetAnalysisDay drops a day of a step that writes no daily rows.
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
	// Finished is called after each step, also after one without days. May be nil.
	Finished func(step string)

	told sync.Mutex // one step at a time calls Progress
}

// Summary is the result of a pass.
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

// Run brings everything up to date with the ledger. On an error, finished days stay written and unfinished ones stay
// marked.
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

// all runs the steps, each after those that it needs.
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
			cancel() // cancels running steps and starts no more
			continue
		}
		list[e.step], through[e.sum.Name] = e.sum, true
		if a.Finished != nil {
			a.Finished(e.sum.Name)
		}
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
	if s.Day == nil && s.Days == nil { // the marks were kept until After had finished
		for _, day := range days {
			if err := a.Store.ForgetAnalysisDay(ctx, s.Name, day); err != nil {
				return sum, err
			}
		}
	}
	return sum, nil
}

// tell reports the progress of a step.
func (a *Analyst) tell(step string, done, total int) {
	if a.Progress == nil {
		return
	}
	a.told.Lock()
	defer a.told.Unlock()
	a.Progress(step, done, total)
}

// some computes the first of days.
func (s Step) some(ctx context.Context, a *Analyst, days []period.Second) (done int, rows int64, err error) {
	switch {
	case s.Days != nil:
		return s.Days(ctx, a, days)
	case s.Day != nil:
		rows, err = s.Day(ctx, a, days[0])
	}
	return 1, rows, err
}
