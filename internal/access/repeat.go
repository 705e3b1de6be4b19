package access

import "time"

// Attempt is a change that a client may send again: with an idempotency key.
type Attempt struct {
	Client string // user, token or operator; keys of different clients are independent
	Key    string
	Digest [32]byte // of method, address and body
	At     time.Time
}

// KeptAnswer is the stored answer to an Attempt.
type KeptAnswer struct {
	Status   int
	Type     string // Content-Type
	Location string
	Body     []byte
}

// Claim is what the store knows of an Attempt.
type Claim int

// Claims.
const (
	Claimed  Claim = iota // it is new: answer it
	Answered              // it was answered: repeat the answer
	Running               // the first one still runs
	Misused               // the key belongs to another request
)

// KeptFor is how long an answer is kept.
const KeptFor = 24 * time.Hour

// GivenUpAfter is how long an attempt may run. After that its process counts as dead, and the next attempt takes over.
const GivenUpAfter = 15 * time.Minute
