package verify

import "context"

// Prove checks invariants that a test defines.
func (s *Verifier) Prove(ctx context.Context, list []Invariant) (*Report, error) {
	return s.prove(ctx, list)
}
