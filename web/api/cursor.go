package api

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"

	"gpuledger/metrics"
)

// cursor is the end of a page: the values of its last row in the columns of the order. The next page begins after them,
// so that the database makes no row of the pages before. It is valid for one question, and for one version of the
// ledger: pages of two versions would count rows twice, or leave them out.
type cursor struct {
	After    []*string `json:"a"` // nil: unknown
	Question string    `json:"q"`
	Version  string    `json:"v"`
}

// place reads the cursor. It refuses text that is no cursor, and the cursor of another question.
func (req *request) place() error {
	if req.cursor == "" {
		return nil
	}
	text, err := base64.RawURLEncoding.DecodeString(req.cursor)
	var c cursor
	if err != nil || json.Unmarshal(text, &c) != nil || c.Version == "" {
		return &badCursorError{"is not a next_cursor of this API"}
	}
	if c.Question != req.digest {
		return &badCursorError{"belongs to another question: all parameters but the cursor must stay the same"}
	}
	after, ok := req.query.PositionOf(c.After)
	if !ok {
		return &badCursorError{"is not a next_cursor of this API"}
	}
	req.query.After, req.issued = after, c.Version
	return nil
}

// checkCursor refuses a cursor of an older version of the ledger.
func (req *request) checkCursor(v metrics.Version) error {
	if req.issued != "" && req.issued != versionOf(v) {
		return &expiredCursorError{}
	}
	return nil
}

func versionOf(v metrics.Version) string {
	sum := sha256.Sum256([]byte(v.Tag + "\x00" + v.Policy))
	return hex.EncodeToString(sum[:8])
}

// next is the cursor after a row.
func (req *request) next(v metrics.Version, last metrics.Position) *string {
	text, err := json.Marshal(cursor{req.query.Texts(last), req.digest, versionOf(v)})
	if err != nil { // texts: it cannot fail
		return nil
	}
	next := base64.RawURLEncoding.EncodeToString(text)
	return &next
}

// lastRow are rows that remember the position of the one read last.
type lastRow struct {
	metrics.Rows
	at   []int // the columns of the order
	last metrics.Position
}

func remembered(rows metrics.Rows, q metrics.Query) *lastRow {
	r := &lastRow{Rows: rows, at: make([]int, len(q.Order)), last: make(metrics.Position, len(q.Order))}
	for i, o := range q.Order {
		r.at[i] = slices.IndexFunc(rows.Columns(), func(c metrics.Column) bool { return c.Name == o.Column })
	}
	return r
}

// Values implements metrics.Rows.
func (r *lastRow) Values() []metrics.Value {
	values := r.Rows.Values()
	for i, at := range r.at {
		r.last[i] = values[at]
	}
	return values
}

// badCursorError refuses a cursor that no repetition makes right.
type badCursorError struct{ reason string }

// Error implements error.
func (e *badCursorError) Error() string { return "cursor " + e.reason }

// expiredCursorError refuses a cursor that was right.
type expiredCursorError struct{}

// Error implements error.
func (*expiredCursorError) Error() string {
	return "cursor has expired: the ledger, the policy or your scope changed since it was issued; start again without it"
}
