package closing

import (
	"context"
	"sync"
	"time"

	"gpuledger/internal/period"
)

// Proofs caches results of verify per period, so that viewers don't wait for it: one proof at a time runs in the
// background. The zero value of the unexported fields is ready; it is safe for concurrent use.
type Proofs struct {
	// Version identifies the state of the books: equal versions have equal proofs.
	Version func(ctx context.Context) (string, error)
	// Verify returns the checks that fail in a period.
	Verify func(ctx context.Context, month period.Month) ([]string, error)
	// Lifetime cancels running proofs when it ends.
	Lifetime context.Context
	Now      func() time.Time

	mu      sync.Mutex
	known   map[period.Month]proof
	running *Proof
}

// Proof is the state of a period's proof.
type Proof struct {
	Period  period.Month
	Running bool      // no result yet: a proof runs, of this period or of one requested before
	At      time.Time // when it finished; while it runs, when it began
	Failing []string  // checks that fail
	Err     error     // why verify could not run
}

type proof struct {
	Proof
	version string
}

// Of returns the proof of a period for the current books. If there is none, it starts one, unless another runs.
func (p *Proofs) Of(ctx context.Context, month period.Month) (Proof, error) {
	version, err := p.Version(ctx)
	if err != nil {
		return Proof{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if have, ok := p.known[month]; ok && have.version == version {
		if have.Err != nil {
			delete(p.known, month) // report the error once, then try again
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
