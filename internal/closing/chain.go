package closing

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"gpuledger/internal/period"
	"iter"
	"strconv"
)

// Statement is the record of a period at closing. It never changes.
type Statement struct {
	Head
	Written
	Number     int64             // in the chain of all statements, from 1
	RowsDigest [sha256.Size]byte // of the final rows, by node-day
	OpenPeriod period.Month      // period in which its adjustments are posted
	Previous   []byte            // chain value of the statement before; empty for the first
	Chain      []byte
}

// Seal sets the chain value: a hash of the previous one and of the whole statement.
func (s *Statement) Seal(previous []byte) {
	s.Previous = previous
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "gpuledger statement chain 1\n%x\n%d\n%q\n%s\n%d\n%d\n%d\n%x\n%x\n%s\n%q\n", previous, s.Number,
		s.BillingAccount, s.BillingPeriod, s.Version,
		s.Lines, s.Bytes, s.Digest, s.RowsDigest, s.OpenPeriod, s.Policies)
	s.Chain = h.Sum(nil)
}

// Name identifies a statement: account, period and version, joined by slashes.
func (s *Statement) Name() string {
	return s.BillingAccount + "/" + string(s.BillingPeriod) + "/" + strconv.Itoa(s.Version)
}

// Entry is one line of the audit log.
type Entry struct {
	Number  int64  // from 1
	At      string // RFC 3339 with microseconds, UTC
	Actor   string
	Action  string // close, close refused, reopen, reopen refused, policy …
	Subject string // object of the action: ACCOUNT/PERIOD, the name of a policy version
	Detail  string // JSON
	// Previous is the hash of the entry before, empty for the first.
	Previous []byte
}

// Hash covers the whole entry.
func (e *Entry) Hash() []byte {
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "gpuledger audit 1\n%x\n%d\n%q\n%q\n%q\n%q\n%q\n", e.Previous, e.Number, e.At, e.Actor, e.Action,
		e.Subject, e.Detail)
	return h.Sum(nil)
}

// Link is the stored state of a chain element, and the hash of its content now.
type Link struct {
	Number   int64
	Previous []byte
	Stored   []byte
	Computed []byte
}

// CheckChain names every place at which a chain, given in order of its numbers, is broken: a changed element, a
// missing one, or a cut end. head is the separately stored last element; zero: unknown.
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
