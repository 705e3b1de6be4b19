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
var Rights = []access.Right{access.Policy, access.Close, access.Reopen, access.Advise, access.Plan, access.Write}

// Operator is a person or program that may change the books with a token.
type Operator struct {
	name   string
	token  [sha256.Size]byte
	rights []access.Right
}

// NewOperator returns an operator; only a hash of the token is kept.
func NewOperator(name, token string, rights ...access.Right) Operator {
	return Operator{name, sha256.Sum256([]byte(token)), rights}
}

// DeniedError says why a user may not make a change. Its Status is 401 if
// the token is missing or unknown, 403 if a right is missing.
type DeniedError struct {
	Status int
	Reason string
}

// Error implements error.
func (e *DeniedError) Error() string { return e.Reason }

// RefusedError says why the ledger refuses a change: 409.
type RefusedError struct{ Reasons []string }

// Error implements error.
func (e *RefusedError) Error() string { return strings.Join(e.Reasons, "; ") }

// Operators are the configured operators.
type Operators []Operator

// Admit returns the name of the operator with the token, if the operator has the right. It compares all
// tokens, even after a match, so that its duration reveals nothing.
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

// Any reports whether some operator has the right, so that pages offer only changes
// that are possible.
func (o Operators) Any(right access.Right) bool {
	return slices.ContainsFunc(o, func(one Operator) bool { return slices.Contains(one.rights, right) })
}

// Statement is the statement of a closed or reopened period.
type Statement struct {
	BillingAccount string `json:"billing_account"`
	BillingPeriod  string `json:"billing_period"`
	Version        int    `json:"version"`
	Digest         string `json:"digest"` // SHA-256 of the canonical bytes, hexadecimal
}

// Saved counts the rows of a document.
type Saved struct {
	Rows   int64 `json:"rows"`
	Stored int64 `json:"stored"` // the others were stored before
}

// Reasoned refuses a change of a plan without a reason.
func Reasoned(reason string) error {
	if strings.TrimSpace(reason) == "" {
		return &metrics.OptionError{Option: "reason", Reason: "is empty: say why"}
	}
	return nil
}

// Ledger makes the changes. Its methods return a *RefusedError if it refuses one.
type Ledger interface {
	// SavePolicy stores a document; stored is false if it was stored before.
	SavePolicy(ctx context.Context, document []byte, by string) (version string, stored bool, err error)
	WithdrawPolicy(ctx context.Context, version, by string) error
	// TryPolicy computes how a document would change costs; it writes nothing.
	TryPolicy(ctx context.Context, document []byte, within period.Interval) (*metrics.Trial, error)
	// SaveMapping stores a document as the next version of a mapping. TryMapping computes what it would move between
	// owners, without a window in the two newest months; it writes nothing.
	SaveMapping(ctx context.Context, document []byte, reason, by string) (SavedMapping, error)
	TryMapping(ctx context.Context, document []byte, within period.Interval) (*TriedMapping, error)
	// ClosePeriod closes a billing period of an account; an empty account means all.
	ClosePeriod(ctx context.Context, billingPeriod, account, by string) ([]Statement, error)
	ReopenPeriod(ctx context.Context, billingPeriod, account, reason, by string) ([]Statement, error)
	// DecideRecommendation records a decision: open, accepted, dismissed or done.
	DecideRecommendation(ctx context.Context, id, status, note, by string) error
	// SaveBudgets and SaveAnnotations store the rows of a JSON document, all or none. A wrong field is a
	// *metrics.OptionError.
	SaveBudgets(ctx context.Context, document []byte, by string) (Saved, error)
	SaveAnnotations(ctx context.Context, document []byte, by string) (Saved, error)
	// Import takes a file. It returns a *RefusedError if nothing of it was stored. SaveExperiments and SavePriceBook
	// store a document, all or nothing.
	Import(ctx context.Context, f File, by string) (Imported, error)
	SaveExperiments(ctx context.Context, document []byte, by string) (Imported, error)
	SavePriceBook(ctx context.Context, document []byte, by string) (Imported, error)
	// SaveExport stores a schedule of exports under its name; stored is false if it was stored before. RemoveExport
	// returns a *MissingError if there is none.
	SaveExport(ctx context.Context, e Export, by string) (stored bool, err error)
	RemoveExport(ctx context.Context, name, by string) error
	// RevokeToken revokes a token at once.
	RevokeToken(ctx context.Context, id, by string) error
}

// Checker is a Ledger that lists the reasons that block closing a period of an
// account (empty: of all accounts). There are none if it can be closed.
type Checker interface {
	CheckPeriod(ctx context.Context, billingPeriod, account string) (PeriodCheck, error)
}

// PeriodCheck are the reasons that block closing a period.
type PeriodCheck struct {
	Reasons []Reason
	// Proof is when verify proved the current ledger; zero if it has not.
	Proof time.Time
	// Proving is when the running proof began; zero if none runs.
	Proving time.Time
}

// Reason blocks closing at a step of the checklist, as internal/closing names them.
type Reason struct{ Step, Text string }

// Desk admits users to changes and passes the changes to the ledger.
type Desk struct {
	Operators Operators // used only without access control
	Ledger    Ledger
	Shelf     *Shelf // nil: views cannot be saved
}

// Admit returns the name of the user who makes a change: the signed-in user (access.From), else the
// operator with the token.
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

// AdmitFacts is Admit for facts that programs send. As with telemetry, a token that sees nothing, such as one of role
// ingest, may send them.
func (d Desk) AdmitFacts(ctx context.Context, token string) (name string, err error) {
	if v := access.From(ctx); v != nil && v.May(access.Write) && !v.Seeing() {
		return v.Name, nil
	}
	return d.Admit(ctx, token, access.Write)
}

// Offers reports whether the user may be able to make a change, so that pages offer no
// others, and whether an operator's token is needed.
func (d Desk) Offers(ctx context.Context, right access.Right) (may, token bool) {
	if v := access.From(ctx); v != nil {
		return v.May(right) && !v.Bounded() && !v.Seeing(), false
	}
	return d.Operators.Any(right), true
}
