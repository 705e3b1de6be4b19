package operate

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// Rights that operators may have.
var Rights = []access.Right{access.Policy, access.Close, access.Reopen, access.Advise}

// Operator is somebody who may change the books.
type Operator struct {
	name   string
	token  [sha256.Size]byte
	rights []access.Right
}

// NewOperator returns an operator; only a hash of the token is kept.
func NewOperator(name, token string, rights ...access.Right) Operator {
	return Operator{name, sha256.Sum256([]byte(token)), rights}
}

// DeniedError says why somebody may not do something. Its Status is 401 where
// a token is missing or unknown, 403 where a right is.
type DeniedError struct {
	Status int
	Reason string
}

// Error implements error.
func (e *DeniedError) Error() string { return e.Reason }

// RefusedError says why the ledger does not do what it was asked: 409.
type RefusedError struct{ Reasons []string }

// Error implements error.
func (e *RefusedError) Error() string { return strings.Join(e.Reasons, "; ") }

// Operators are all that are configured.
type Operators []Operator

// Admit names the operator who has the token, when he has the right. All
// tokens are compared, whatever matches, so that time tells nothing.
func (o Operators) Admit(token string, right access.Right) (name string, err error) {
	if len(o) == 0 {
		return "", &DeniedError{http.StatusForbidden,
			"no operators are configured: add them to the configuration under operators, or use the command line"}
	}
	shown := sha256.Sum256([]byte(token))
	found := -1
	for i := range o {
		if subtle.ConstantTimeCompare(shown[:], o[i].token[:]) == 1 {
			found = i
		}
	}
	switch {
	case token == "" || found < 0:
		return "", &DeniedError{http.StatusUnauthorized, "an operator's token is missing or wrong"}
	case !slices.Contains(o[found].rights, right):
		return "", &DeniedError{http.StatusForbidden, fmt.Sprintf("%s does not have the right %q", o[found].name, right)}
	}
	return o[found].name, nil
}

// Any reports whether anybody has the right, so that pages offer only what
// somebody may do.
func (o Operators) Any(right access.Right) bool {
	return slices.ContainsFunc(o, func(one Operator) bool { return slices.Contains(one.rights, right) })
}

// Statement is what closing has written.
type Statement struct {
	BillingAccount string `json:"billing_account"`
	BillingPeriod  string `json:"billing_period"`
	Version        int    `json:"version"`
	Digest         string `json:"digest"` // SHA-256 of the canonical bytes, hexadecimal
}

// Ledger does what operators may ask for. A *RefusedError says why not.
type Ledger interface {
	// SavePolicy stores a document; false where it is stored already.
	SavePolicy(ctx context.Context, document []byte, by string) (version string, stored bool, err error)
	WithdrawPolicy(ctx context.Context, version, by string) error
	// TryPolicy says who would pay what differently; it writes nothing.
	TryPolicy(ctx context.Context, document []byte, within period.Interval) (*metrics.Trial, error)
	// ClosePeriod closes a billing period of an account, of all for an empty one.
	ClosePeriod(ctx context.Context, billingPeriod, account, by string) ([]Statement, error)
	ReopenPeriod(ctx context.Context, billingPeriod, account, reason, by string) ([]Statement, error)
	// DecideRecommendation records what was decided: open, accepted, dismissed, done.
	DecideRecommendation(ctx context.Context, id, status, note, by string) error
	// RevokeToken ends a token at once.
	RevokeToken(ctx context.Context, id, by string) error
}

// Checker is a Ledger that says what speaks against closing a period of an
// account, of all for an empty one: nothing when it can be closed.
type Checker interface {
	CheckPeriod(ctx context.Context, billingPeriod, account string) (PeriodCheck, error)
}

// PeriodCheck is what speaks against closing a period.
type PeriodCheck struct {
	Reasons []string
	// Proof is when verify proved the ledger as it is now; zero while it was not.
	Proof time.Time
	// Proving is when the proof began that still runs; zero when none does.
	Proving time.Time
}

// Desk is where changes are asked for: who may, and who does them.
type Desk struct {
	Operators Operators // where nobody signs in
	Ledger    Ledger
}

// Admit names who changes the books: whoever is signed in (access.From), else the
// operator who has the token.
func (d Desk) Admit(ctx context.Context, token string, right access.Right) (name string, err error) {
	v := access.From(ctx)
	switch {
	case v == nil:
		return d.Operators.Admit(token, right)
	case !v.May(right):
		return "", &DeniedError{http.StatusForbidden, fmt.Sprintf("role %s does not have the right %q", v.Role, right)}
	case v.Bounded():
		return "", &DeniedError{http.StatusForbidden, "users with a scope cannot change the books"}
	case v.Seeing():
		return "", &DeniedError{http.StatusForbidden, "you cannot change anything while you view the pages as another user"}
	}
	return v.Name, nil
}

// Offers reports whether whoever asks may be able to do it, so that pages offer no
// more, and whether an operator's token is needed.
func (d Desk) Offers(ctx context.Context, right access.Right) (may, token bool) {
	if v := access.From(ctx); v != nil {
		return v.May(right) && !v.Bounded() && !v.Seeing(), false
	}
	return d.Operators.Any(right), true
}
