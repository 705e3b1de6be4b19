package verify

import "context"

// Prove proves invariants of a test's own.
func (s *Verifier) Prove(ctx context.Context, list []Invariant) (*Report, error) {
	return s.prove(ctx, list)
}
