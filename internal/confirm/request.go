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

// Kind is the kind of a change, as the audit log names it.
type Kind string

// Kinds.
const (
	Reopen   Kind = "reopen"
	Store    Kind = "store policy"
	Withdraw Kind = "withdraw policy"
	Map      Kind = "store mapping"
)

// Guarded is the policy's name for changes of the kind.
func (k Kind) Guarded() policy.Guarded {
	if k == Reopen {
		return policy.Reopening
	}
	return policy.Policies
}

// Right is the right that requesting the change needs, and confirming it too.
func (k Kind) Right() access.Right {
	if k == Reopen {
		return access.Reopen
	}
	return access.Policy
}

// State is the state of a request.
type State string

// States.
const (
	Waiting   State = "waiting"
	Confirmed State = "confirmed" // and made
	Declined  State = "declined"
	TakenBack State = "taken back"
	Expired   State = "expired"
	Outdated  State = "outdated" // the statements or versions it is about have changed
)

// Life is how long a request waits.
const Life = 7 * 24 * time.Hour

// Asked is the exact request.
type Asked struct {
	Period   string `json:"billing_period,omitempty"`
	Account  string `json:"billing_account,omitempty"` // to reopen; empty: all closed ones
	Reason   string `json:"reason,omitempty"`
	Version  string `json:"version,omitempty"`  // of the policy, or name of the mapping
	Document string `json:"document,omitempty"` // to store, as written
	// Differences are from the previous version to the requested one.
	Differences []policy.Difference `json:"differences,omitempty"`
	// Stands is the state that the request is about: the valid statements, or the versions of
	// the policy and of the mapping, with their digests.
	Stands []string `json:"stands"`
}

// Request is a requested change.
type Request struct {
	ID      ledger.ID
	Kind    Kind
	Subject string // as the audit log has it: ACCOUNT/PERIOD, a version of the policy, or a mapping
	Asked   Asked  `db:"-"`
	Text    string // Asked as JSON; Digest is its SHA-256
	Digest  [sha256.Size]byte
	By      Person `db:"-"`
	At      time.Time
	Expires time.Time

	State     State
	DecidedBy string
	DecidedAt time.Time
	Note      string // why it was declined, or why it is outdated
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
	at = at.UTC().Truncate(time.Microsecond) // the database's precision
	var id ledger.ID
	_, _ = rand.Read(id[:]) // never fails (crypto/rand)
	return Request{
		ID: id, Kind: kind, Subject: subject, Asked: asked, Text: string(text),
		Digest: sha256.Sum256(text), By: by, At: at, Expires: at.Add(Life), State: Waiting,
	}, nil
}

// Read fills Asked from Text, after checking Text against the digest.
func (r *Request) Read() error {
	if sha256.Sum256([]byte(r.Text)) != r.Digest {
		return fmt.Errorf("change %s: the request does not match its digest: the database was changed outside gpuledger",
			r.ID)
	}
	return json.Unmarshal([]byte(r.Text), &r.Asked)
}

// Ends is the state at an instant: a waiting request expires.
func (r *Request) Ends(at time.Time) State {
	if r.State == Waiting && !at.Before(r.Expires) {
		return Expired
	}
	return r.State
}

// waits refuses a request that is already decided or expired.
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

// Confirm refuses people who may not confirm or decline the request: the one who asked, and
// anyone who is not identified in person.
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

// Decline is Confirm for declining, which needs a reason.
func (r *Request) Decline(by Person, reason string, at time.Time) error {
	if err := r.Confirm(by, at); err != nil {
		return err
	}
	if reason == "" {
		return refuse("the reason is missing: say why you decline the change")
	}
	return nil
}

// TakeBack refuses everyone but the person who asked.
func (r *Request) TakeBack(by Person, at time.Time) error {
	if err := r.waits(at); err != nil {
		return err
	}
	if !by.Same(r.By) {
		return deny("%s asked for it: only that person can take it back; others can decline it", r.By.Name)
	}
	return nil
}

// Still refuses a request if the state that it is about has changed.
func (r *Request) Still(stands []string) error {
	if slices.Equal(stands, r.Asked.Stands) {
		return nil
	}
	what := "versions of the policy were stored or withdrawn"
	switch r.Kind {
	case Reopen:
		what = "the period was reopened or closed"
	case Map:
		what = "versions of the policy or of the mapping were stored or withdrawn"
	}
	return &RefusedError{
		Reason: fmt.Sprintf("%s after the request for change %s: ask again", what, r.ID), Outdated: true,
	}
}

// Names names both people of a confirmed change.
func (r *Request) Names(by Person) string { return r.By.Name + ", confirmed by " + by.Name }
