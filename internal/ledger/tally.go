package ledger

import "fmt"

// Tally counts inputs that did not become facts, by reason: rejected and ignored rows and, separately, refused files
// and deliveries. The zero value is ready. It is not safe for concurrent use.
type Tally struct {
	Rejected map[string]int64 // rows
	Ignored  map[string]int64 // rows
	Refused  map[string]int64 // files and deliveries
	Noted    map[string]int64 // facts that are kept but deserve a look
	First    []Rejection      // the first MaxTallied rejected rows, and all refusals
}

// MaxTallied is how many rejected rows a Tally keeps.
const MaxTallied = 1000

// Reject counts a wrong row.
func (t *Tally) Reject(r Rejection) {
	if t.RejectedRows() < MaxTallied {
		t.First = append(t.First, r)
	}
	count(&t.Rejected, r.Reason, 1)
}

// RejectAlso lists a further fault of the row that was rejected last. A row counts once, for its first fault.
func (t *Tally) RejectAlso(r Rejection) {
	r.Also = true
	if t.RejectedRows() <= MaxTallied {
		t.First = append(t.First, r)
	}
}

// Refuse counts a refused file or delivery.
func (t *Tally) Refuse(r Rejection) {
	r.Whole = true
	t.First = append(t.First, r)
	count(&t.Refused, r.Reason, 1)
}

// Ignore counts n rows that are not used.
func (t *Tally) Ignore(reason string, n int64) { count(&t.Ignored, reason, n) }

// Note counts n facts that are kept but deserve a look.
func (t *Tally) Note(reason string, n int64) { count(&t.Noted, reason, n) }

func count(m *map[string]int64, reason string, n int64) {
	if n == 0 {
		return
	}
	if *m == nil {
		*m = map[string]int64{}
	}
	(*m)[reason] += n
}

// Merge adds o to t.
func (t *Tally) Merge(o *Tally) {
	room := MaxTallied - t.RejectedRows()
	for _, r := range o.First {
		if !r.Whole {
			if !r.Also {
				room--
			}
			if room < 0 {
				continue
			}
		}
		t.First = append(t.First, r)
	}
	for reason, n := range o.Rejected {
		count(&t.Rejected, reason, n)
	}
	for reason, n := range o.Ignored {
		count(&t.Ignored, reason, n)
	}
	for reason, n := range o.Refused {
		count(&t.Refused, reason, n)
	}
	for reason, n := range o.Noted {
		count(&t.Noted, reason, n)
	}
}

// RejectedRows is the number of rows that were rejected.
func (t *Tally) RejectedRows() int64 { return total(t.Rejected) }

// IgnoredRows is the number of rows that were ignored.
func (t *Tally) IgnoredRows() int64 { return total(t.Ignored) }

// Refusals is the number of files and deliveries that were refused.
func (t *Tally) Refusals() int64 { return total(t.Refused) }

// Faulty reports whether anything was rejected or refused.
func (t *Tally) Faulty() bool { return t.RejectedRows()+t.Refusals() > 0 }

func total(m map[string]int64) int64 {
	var n int64
	for _, v := range m {
		n += v
	}
	return n
}

// FileError refuses a whole input file.
type FileError struct{ Rejection }

// Error is "file line 3, column x: reason: detail".
func (e *FileError) Error() string { return e.String() }

// String is "file line 3, column x: reason: detail".
func (r Rejection) String() string {
	at := r.File
	if r.Line > 0 {
		at = fmt.Sprintf("%s line %d", at, r.Line)
	}
	if r.Column != "" {
		at += ", column " + r.Column
	}
	if r.Detail == "" {
		return at + ": " + r.Reason
	}
	return at + ": " + r.Reason + ": " + r.Detail
}

// Reading counts the outcomes of the rows of one input. Rows = Accepted + Absent + ignored + rejected.
type Reading struct {
	Rows       int64
	Accepted   int64 // became part of a fact
	Absent     int64 // rows without a value
	Unlabelled int64 // accepted rows without a cluster: it becomes "default"
	Tally
}
