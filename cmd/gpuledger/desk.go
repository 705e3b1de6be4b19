package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"gpuledger/allocation/policy"
	"gpuledger/internal/access"
	"gpuledger/internal/closing"
	"gpuledger/internal/config"
	"gpuledger/internal/confirm"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store"
	"gpuledger/internal/store/book"
	"gpuledger/internal/store/figures"
	"gpuledger/metrics"
	"gpuledger/web/operate"
)

// operators are the configured operators, with the tokens from their
// environment variables.
func operators(cfg *config.Config) (operate.Operators, error) {
	var list operate.Operators
	for _, o := range cfg.Operators {
		token := os.Getenv(o.TokenEnv)
		if len(token) < shortestToken {
			return nil, fmt.Errorf("operator %s: the environment variable %s has %d characters; a token needs at least %d",
				o.Name, o.TokenEnv, len(token), shortestToken)
		}
		var rights []access.Right
		for _, right := range o.May {
			rights = append(rights, access.Right(right))
		}
		list = append(list, operate.NewOperator(o.Name, token, rights...))
	}
	return list, nil
}

// shortestToken is in characters: 128 bits in hexadecimal.
const shortestToken = 32

// deskLedger lets operators change the books of a store.
type deskLedger struct {
	*store.Store
	proofs *closing.Proofs
	take   takeFile
}

// desk is the ledger of a store for operators; the end of ctx ends its running proofs.
func desk(ctx context.Context, s *store.Store, take takeFile) deskLedger {
	version := func(ctx context.Context) (string, error) {
		v, err := s.Version(ctx)
		return v.Tag, err
	}
	return deskLedger{s, &closing.Proofs{Version: version, Verify: s.Failing, Lifetime: ctx, Now: time.Now}, take}
}

// SavePolicy implements operate.Ledger.
func (l deskLedger) SavePolicy(ctx context.Context, document []byte, by string) (string, bool, error) {
	v, stored, err := l.Store.SavePolicy(ctx, document, by)
	return v.Settings.Version, stored, refused(err)
}

// WithdrawPolicy implements operate.Ledger.
func (l deskLedger) WithdrawPolicy(ctx context.Context, version, by string) error {
	return refused(l.Store.WithdrawPolicy(ctx, version, by))
}

// TryPolicy implements operate.Ledger.
func (l deskLedger) TryPolicy(ctx context.Context, document []byte, within period.Interval) (*metrics.Trial, error) {
	v, err := policy.Parse(document)
	if err != nil {
		return nil, &operate.RefusedError{Reasons: []string{strings.TrimPrefix(err.Error(), "policy: ")}}
	}
	return posting.Trial(ctx, l.Store, v, within)
}

// ClosePeriod implements operate.Ledger.
func (l deskLedger) ClosePeriod(ctx context.Context, month, account, by string) ([]operate.Statement, error) {
	return closePeriod(ctx, l.Store, month, account, by)
}

// CheckPeriod implements operate.Checker.
func (l deskLedger) CheckPeriod(ctx context.Context, month, account string) (operate.PeriodCheck, error) {
	m, err := billingPeriod(month)
	if err != nil {
		return operate.PeriodCheck{}, err
	}
	found, unproved, err := closerOf(l.Store).Look(ctx, m, account)
	if err != nil || !unproved {
		return operate.PeriodCheck{Reasons: reasonsOf(found)}, err
	}
	proof, err := l.proofs.Of(ctx, m)
	if err == nil {
		err = proof.Err
	}
	if err != nil {
		return operate.PeriodCheck{}, err
	}
	if proof.Running {
		return operate.PeriodCheck{Reasons: reasonsOf(found), Proving: proof.At}, nil
	}
	for _, f := range proof.Failing {
		found = append(found, closing.VerifyFails(f))
	}
	return operate.PeriodCheck{Reasons: reasonsOf(found), Proof: proof.At}, nil
}

func reasonsOf(found []closing.Reason) (list []operate.Reason) {
	for _, r := range found {
		list = append(list, operate.Reason{Step: string(r.Step), Text: r.Text})
	}
	return list
}

// ReopenPeriod implements operate.Ledger.
func (l deskLedger) ReopenPeriod(ctx context.Context, month, account, reason, by string) ([]operate.Statement, error) {
	return reopenPeriod(ctx, l.Store, month, account, reason, by)
}

// DecideRecommendation implements operate.Ledger.
func (l deskLedger) DecideRecommendation(ctx context.Context, id, status, note, by string) error {
	parsed, err := ledger.ParseID(id)
	if err != nil {
		return &operate.RefusedError{Reasons: []string{err.Error()}}
	}
	return refused(l.Decide(ctx, parsed, status, note, by, time.Now()))
}

// RevokeToken implements operate.Ledger.
func (l deskLedger) RevokeToken(ctx context.Context, id, by string) error {
	parsed, err := ledger.ParseID(id)
	if err != nil {
		return &operate.RefusedError{Reasons: []string{err.Error()}}
	}
	return refused(l.Access.RevokeToken(ctx, parsed, by, time.Now()))
}

// refused turns refusals of the ledger into a *operate.RefusedError.
func refused(err error) error {
	if p, ok := errors.AsType[*book.PolicyError](err); ok {
		return &operate.RefusedError{Reasons: []string{p.Reason}}
	}
	if m, ok := errors.AsType[*book.MappingError](err); ok {
		return &operate.RefusedError{Reasons: m.Reasons()}
	}
	if r, ok := errors.AsType[*confirm.RefusedError](err); ok && !r.Denied { // the same change waits already
		return &operate.RefusedError{Reasons: []string{r.Reason}}
	}
	if r, ok := errors.AsType[*access.RefusedError](err); ok {
		return &operate.RefusedError{Reasons: []string{r.Reason}}
	}
	if r, ok := errors.AsType[*figures.RecommendationError](err); ok {
		return &operate.RefusedError{Reasons: []string{r.Reason}}
	}
	return err
}
