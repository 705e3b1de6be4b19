package confirm

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"gpuledger/allocation/policy"
	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
)

// Kind is what is asked for, as the audit log calls it.
type Kind string

// Kinds.
const (
	Reopen   Kind = "reopen"
	Store    Kind = "store policy"
	Withdraw Kind = "withdraw policy"
)

// Guarded is what the policy calls changes of the kind.
func (k Kind) Guarded() policy.Guarded {
	if k == Reopen {
		return policy.Reopening
	}
	return policy.Policies
}

// Right is what asking takes, and confirming too.
func (k Kind) Right() access.Right {
	if k == Reopen {
		return access.Reopen
	}
	return access.Policy
}

// State is what became of a request.
type State string

// States.
const (
	Waiting   State = "waiting"
	Confirmed State = "confirmed" // and done
	Declined  State = "declined"
	TakenBack State = "taken back"
	Expired   State = "expired"
	Outdated  State = "outdated" // what it was about stood differently
)

// Life is how long a request waits.
const Life = 7 * 24 * time.Hour

// Asked is what exactly was asked for.
type Asked struct {
	Period   string `json:"billing_period,omitempty"`
	Account  string `json:"billing_account,omitempty"` // of reopening; empty: all that are closed
	Reason   string `json:"reason,omitempty"`
	Version  string `json:"version,omitempty"`  // of the policy
	Document string `json:"document,omitempty"` // to store, as written
	// Differences are from the version before to the one asked for.
	Differences []policy.Difference `json:"differences,omitempty"`
	// Stands is what it was asked about: the statements that hold, or the versions of
	// the policy, with their digests.
	Stands []string `json:"stands"`
}

// Request is a change that somebody asked for.
type Request struct {
	ID      ledger.ID
	Kind    Kind
	Subject string // as the audit log has it: ACCOUNT/PERIOD, or a version of the policy
	Asked   Asked  `db:"-"`
	Text    string // Asked as JSON, of which Digest is the SHA-256
	Digest  [sha256.Size]byte
	By      Person `db:"-"`
	At      time.Time
	Expires time.Time

	State     State
	DecidedBy string
	DecidedAt time.Time
	Note      string // why it was declined, or how it came to be outdated
}

// New is a request that waits.
func New(kind Kind, subject string, asked Asked, by Person, at time.Time) (Request, error) {
	if asked.Stands == nil {
		asked.Stands = []string{}
	}
	text, err := json.Marshal(asked)
	if err != nil {
		return Request{}, err
	}
	at = at.UTC().Truncate(time.Microsecond) // as the database keeps it
	var id ledger.ID
	_, _ = rand.Read(id[:]) // never fails (crypto/rand)
	return Request{
		ID: id, Kind: kind, Subject: subject, Asked: asked, Text: string(text),
		Digest: sha256.Sum256(text), By: by, At: at, Expires: at.Add(Life), State: Waiting,
	}, nil
}

// Read fills Asked from Text, which must have the digest.
func (r *Request) Read() error {
	if sha256.Sum256([]byte(r.Text)) != r.Digest {
		return fmt.Errorf("change %s: the request does not match its digest: the database was changed outside gpuledger",
			r.ID)
	}
	return json.Unmarshal([]byte(r.Text), &r.Asked)
}

// Ends is the state at an instant.
func (r *Request) Ends(at time.Time) State {
	if r.State == Waiting && !at.Before(r.Expires) {
		return Expired
	}
	return r.State
}

// waits refuses what is decided already.
func (r *Request) waits(at time.Time) error {
	switch state := r.Ends(at); {
	case state == Waiting:
		return nil
	case state == Expired:
		return refuse("change %s expired at %s: ask again", r.ID, r.Expires.UTC().Format(time.RFC3339))
	case r.DecidedBy != "":
		return refuse("change %s is already %s, by %s", r.ID, state, r.DecidedBy)
	default:
		return refuse("change %s is already %s", r.ID, state)
	}
}

// Confirm refuses whoever may not confirm or decline the request: who asked himself, and
// who is not there in person.
func (r *Request) Confirm(by Person, at time.Time) error {
	switch err := r.waits(at); {
	case err != nil:
		return err
	case by.Same(r.By):
		return deny("%s asked for it: another person has to confirm it", r.By.Name)
	case by.Way == Token:
		return deny("a token does not stand for a person: sign in to confirm the change")
	case !by.Confirms():
		return deny("the command line does not identify a person: confirm the change on a page or by REST")
	}
	return nil
}

// Decline is Confirm for who says no, and why.
func (r *Request) Decline(by Person, reason string, at time.Time) error {
	if err := r.Confirm(by, at); err != nil {
		return err
	}
	if reason == "" {
		return refuse("the reason is missing: say why you decline the change")
	}
	return nil
}

// TakeBack refuses everybody but who asked.
func (r *Request) TakeBack(by Person, at time.Time) error {
	if err := r.waits(at); err != nil {
		return err
	}
	if !by.Same(r.By) {
		return deny("%s asked for it: only that person can take it back; others can decline it", r.By.Name)
	}
	return nil
}

// Still refuses a request about what stands differently now.
func (r *Request) Still(stands []string) error {
	if slices.Equal(stands, r.Asked.Stands) {
		return nil
	}
	what := "versions of the policy were stored or withdrawn"
	if r.Kind == Reopen {
		what = "the period was reopened or closed"
	}
	return &RefusedError{
		Reason: fmt.Sprintf("%s after the request for change %s: ask again", what, r.ID), Outdated: true,
	}
}

// Names are both who made a confirmed change.
func (r *Request) Names(by Person) string { return r.By.Name + ", confirmed by " + by.Name }
