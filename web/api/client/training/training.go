package training

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"gpuledger/web/api/client"
)

// Options configure a run. The zero value is usable.
type Options struct {
	Now     func() time.Time // nil: the clock
	Told    func(error)      // gets the first error of each kind: away or refused; may be nil
	Timeout time.Duration    // of a request; 0: 5 s
	Pause   time.Duration    // after a failure, doubled up to a minute; 0: 1 s
	Most    int              // rows that wait; 0: 10,000
}

// Counts are what became of the rows. The rest waits.
type Counts struct{ Sent, Refused, Dropped, Waiting int }

// Run is one run. It is safe for concurrent use, and no method but Cost and Close waits.
type Run struct {
	ledger *client.Client
	id     string
	o      Options

	mu      sync.Mutex
	rows    []row
	counts  Counts
	told    map[string]bool
	wake    chan struct{}
	closing chan struct{}
	ended   chan struct{}
	once    sync.Once
	stop    context.CancelFunc
}

// row is a checkpoint or a result, with the key that makes it safe to repeat.
type row struct {
	key        string
	checkpoint *client.CheckpointRow
	result     *client.ExperimentRow
}

// Start begins to tell a server about a run. Close ends it.
func Start(ctx context.Context, ledger *client.Client, runID string, o Options) *Run {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Timeout == 0 {
		o.Timeout = 5 * time.Second
	}
	if o.Pause == 0 {
		o.Pause = time.Second
	}
	if o.Most == 0 {
		o.Most = 10_000
	}
	r := &Run{ledger: ledger, id: runID, o: o, told: map[string]bool{}, wake: make(chan struct{}, 1),
		closing: make(chan struct{}), ended: make(chan struct{})}
	ctx, r.stop = context.WithCancel(ctx)
	go r.work(ctx)
	return r
}

// Checkpoint tells that a checkpoint was saved now; took is the time that writing it took, 0 if unknown.
func (r *Run) Checkpoint(step int64, took time.Duration) {
	c := &client.CheckpointRow{RunId: &r.id, At: r.o.Now().UTC().Format(time.RFC3339), Step: &step}
	if took > 0 {
		c.DurationSeconds = client.P(float32(took.Seconds()))
	}
	r.put(row{checkpoint: c})
}

// Metric tells a result of an experiment: value is a decimal such as 31.2.
func (r *Run) Metric(experiment, metric, value string) {
	r.put(row{result: &client.ExperimentRow{Experiment: experiment, Metric: metric, Value: value, Run: &r.id,
		At: client.P(r.o.Now().UTC().Format(time.RFC3339))}})
}

// Cost is what the run costs so far, one row per currency; none: the ledger does not have it yet. A cost that is not
// known is nil, not 0.
func (r *Run) Cost(ctx context.Context) ([]client.Runs, error) {
	ctx, cancel := context.WithTimeout(ctx, r.o.Timeout)
	defer cancel()
	filter := "run_id = '" + strings.ReplaceAll(r.id, "'", "''") + "'"
	page, err := r.ledger.GetRuns(ctx, &client.GetRunsParams{Filter: &filter})
	if err != nil {
		return nil, err
	}
	return page.Data, nil
}

// Counts are the counts so far.
func (r *Run) Counts() Counts {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.counts
	c.Waiting = len(r.rows)
	return c
}

// Close tries once more to send what waits, until ctx ends, and returns the counts. An error says that rows are
// missing.
func (r *Run) Close(ctx context.Context) (Counts, error) {
	r.once.Do(func() { close(r.closing) })
	select {
	case <-r.ended:
	case <-ctx.Done():
		r.stop()
		<-r.ended
	}
	r.stop()
	c := r.Counts()
	if c.Waiting+c.Refused+c.Dropped > 0 {
		return c, fmt.Errorf("run %s: %d rows were not sent, %d refused, %d dropped", r.id, c.Waiting, c.Refused, c.Dropped)
	}
	return c, nil
}

func (r *Run) put(one row) {
	key := make([]byte, 16)
	_, _ = rand.Read(key) // it never fails
	one.key = hex.EncodeToString(key)
	r.mu.Lock()
	if len(r.rows) == r.o.Most { // the newest checkpoint limits the loss, so the oldest row goes
		r.rows = r.rows[1:]
		r.counts.Dropped++
	}
	r.rows = append(r.rows, one)
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// work sends until the run is closed, and then tries once more.
func (r *Run) work(ctx context.Context) {
	defer close(r.ended)
	pause := r.o.Pause
	for {
		closing := false
		select {
		case <-r.wake:
		case <-r.closing:
			closing = true
		case <-ctx.Done():
			return
		}
		for r.sendAll(ctx) != nil {
			select {
			case <-r.closing:
				if closing {
					return
				}
				closing = true
			case <-ctx.Done():
				return
			case <-time.After(pause):
				pause = min(2*pause, time.Minute)
			}
		}
		if pause = r.o.Pause; closing {
			return
		}
	}
}

// sendAll sends the rows in order. It returns the error of a server that may take them later.
func (r *Run) sendAll(ctx context.Context) error {
	for {
		r.mu.Lock()
		if len(r.rows) == 0 {
			r.mu.Unlock()
			return nil
		}
		one := r.rows[0]
		r.mu.Unlock()
		err := r.send(ctx, one)
		problem, answered := errors.AsType[*client.Problem](err)
		refused := answered && (problem.Status == 400 || problem.Status == 413 || problem.Status == 422)
		if err != nil && !refused {
			r.tell("away", err)
			return err
		}
		r.mu.Lock()
		if len(r.rows) > 0 && r.rows[0].key == one.key { // it may have been dropped meanwhile
			r.rows = r.rows[1:]
		}
		if refused {
			r.counts.Refused++
		} else {
			r.counts.Sent++
		}
		r.mu.Unlock()
		if refused {
			r.tell("refused", err)
		}
	}
}

func (r *Run) send(ctx context.Context, one row) (err error) {
	ctx, cancel := context.WithTimeout(ctx, r.o.Timeout)
	defer cancel()
	if one.checkpoint != nil {
		_, err = r.ledger.PostCheckpoints(ctx, &client.PostCheckpointsParams{IdempotencyKey: &one.key},
			[]client.CheckpointRow{*one.checkpoint})
		return err
	}
	_, err = r.ledger.SaveExperiments(ctx, &client.SaveExperimentsParams{IdempotencyKey: &one.key},
		[]client.ExperimentRow{*one.result})
	return err
}

// tell passes on the first error of a kind.
func (r *Run) tell(kind string, err error) {
	r.mu.Lock()
	told := r.told[kind]
	r.told[kind] = true
	r.mu.Unlock()
	if !told && r.o.Told != nil {
		r.o.Told(err)
	}
}
