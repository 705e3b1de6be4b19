// Package closing defines the closing of the books (docs/rules.md, section 13): when a billing period may be closed,
// the contents of a statement, its canonical bytes and their digest, and the chains of statements and of the audit
// log.
//
// It knows no database: a Books does the work in one transaction. It guarantees that a period is closed only if there
// is no reason against it, that equal lines give equal bytes on every machine and in every version that supports
// their format, and that every close, refusal and reopening is an audit entry. It refuses lines out of order and a
// reopening without a reason.
package closing
