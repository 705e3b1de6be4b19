package closing

import (
	"context"
	"sync"
	"time"

	"gpuledger/internal/period"
)

// Proofs remembers what verify said of periods, so that nobody who looks waits for
// it: one proof at a time runs beside everything else. The zero value of what is
// not exported is ready; it is safe for concurrent use.
type Proofs struct {
	// Version names the state of the books: equal versions have equal proofs.
	Version func(ctx context.Context) (string, error)
	// Verify returns the checks that fail in a period.
	Verify func(ctx context.Context, month period.Month) ([]string, error)
	// Lifetime ends the proofs that run.
	Lifetime context.Context
	Now      func() time.Time

	mu      sync.Mutex
	known   map[period.Month]proof
	running *Proof
}

// Proof is what is known of a period.
type Proof struct {
	Period  period.Month
	Running bool      // not known yet: a proof runs, of this period or one that was asked for before
	At      time.Time // when it was done; when it began while it runs
	Failing []string  // checks that fail
	Err     error     // why it could not be done
}

type proof struct {
	Proof
	version string
}

// Of returns the proof of a period as the books are now; without one it begins it,
// unless another runs.
func (p *Proofs) Of(ctx context.Context, month period.Month) (Proof, error) {
	version, err := p.Version(ctx)
	if err != nil {
		return Proof{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if have, ok := p.known[month]; ok && have.version == version {
		if have.Err != nil {
			delete(p.known, month) // said once, then tried again
		}
		return have.Proof, nil
	}
	if p.running == nil {
		p.running = &Proof{Period: month, Running: true, At: p.Now()}
		go p.prove(month, version)
	}
	return *p.running, nil
}

func (p *Proofs) prove(month period.Month, version string) {
	failing, err := p.Verify(p.Lifetime, month)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known == nil {
		p.known = map[period.Month]proof{}
	}
	p.known[month] = proof{Proof{Period: month, At: p.Now(), Failing: failing, Err: err}, version}
	p.running = nil
}
