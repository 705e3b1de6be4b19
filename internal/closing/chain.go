package closing

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"gpuledger/internal/period"
	"iter"
	"strconv"
)

// Statement is what was said of a period when it was closed. It never changes.
type Statement struct {
	Head
	Written
	Number     int64             // in the chain of all statements, from 1
	RowsDigest [sha256.Size]byte // of the final rows, by node-day
	OpenPeriod period.Month      // where adjustments of it go
	Previous   []byte            // the chain value of the statement before; empty for the first
	Chain      []byte
}

// Seal sets the chain value: a hash of the one before and of all that the
// statement says.
func (s *Statement) Seal(previous []byte) {
	s.Previous = previous
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "gpuledger statement chain 1\n%x\n%d\n%q\n%s\n%d\n%d\n%d\n%x\n%x\n%s\n%q\n", previous, s.Number,
		s.BillingAccount, s.BillingPeriod, s.Version,
		s.Lines, s.Bytes, s.Digest, s.RowsDigest, s.OpenPeriod, s.Policies)
	s.Chain = h.Sum(nil)
}

// Name is how a statement is asked for: account, period and version, joined by
// slashes.
func (s *Statement) Name() string {
	return s.BillingAccount + "/" + string(s.BillingPeriod) + "/" + strconv.Itoa(s.Version)
}

// Entry is one line of the audit log.
type Entry struct {
	Number  int64  // from 1
	At      string // RFC 3339 with microseconds, UTC
	Actor   string
	Action  string // close, close refused, reopen, reopen refused, policy …
	Subject string // what it was done to: ACCOUNT/PERIOD, the name of a policy version
	Detail  string // JSON
	// Previous is the hash of the entry before, empty for the first.
	Previous []byte
}

// Hash is over all of the entry.
func (e *Entry) Hash() []byte {
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "gpuledger audit 1\n%x\n%d\n%q\n%q\n%q\n%q\n%q\n", e.Previous, e.Number, e.At, e.Actor, e.Action,
		e.Subject, e.Detail)
	return h.Sum(nil)
}

// Link is what is stored of an element of a chain, and what its content hashes
// to now.
type Link struct {
	Number   int64
	Previous []byte
	Stored   []byte
	Computed []byte
}

// CheckChain names every place at which a chain, given in order of its numbers,
// is broken: an element that was changed, one that is missing, or a cut end.
// head is what is known of its last element apart from it; zero: nothing.
func CheckChain(links iter.Seq2[Link, error], head Link) ([]string, error) {
	var broken []string
	var last Link
	for l, err := range links {
		if err != nil {
			return nil, err
		}
		switch {
		case l.Number != last.Number+1:
			broken = append(broken, fmt.Sprintf("number=%d: follows number %d: the entries between them are missing", l.Number,
				last.Number))
		case !bytes.Equal(l.Previous, last.Stored):
			broken = append(broken, fmt.Sprintf("number=%d: does not follow the entry before it", l.Number))
		}
		if !bytes.Equal(l.Computed, l.Stored) {
			broken = append(broken, fmt.Sprintf("number=%d: was changed after it was written", l.Number))
		}
		last = l
	}
	if head.Number != 0 && (head.Number != last.Number || !bytes.Equal(head.Stored, last.Stored)) {
		broken = append(broken, fmt.Sprintf("number=%d: the chain ends here but should end at number %d", last.Number,
			head.Number))
	}
	return broken, nil
}
