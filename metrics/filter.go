package metrics

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Expr is a filter: And, Or, Not or Compare.
type Expr interface{ expr() }

// And holds when both do.
type And struct{ Left, Right Expr }

// Or holds when one does.
type Or struct{ Left, Right Expr }

// Not is the exact complement of its operand; no third value leaks.
type Not struct{ Of Expr }

// CompareOp is the operator of a Compare.
type CompareOp string

// Operators.
const (
	Equal    CompareOp = "="
	NotEqual CompareOp = "!="
	Less     CompareOp = "<"
	AtMost   CompareOp = "<="
	Greater  CompareOp = ">"
	AtLeast  CompareOp = ">="
	In       CompareOp = "in"
	Like     CompareOp = "like"
)

// ordered operators need values with an order; no row without a value is above
// or below anything.
func (o CompareOp) ordered() bool { return o == Less || o == AtMost || o == Greater || o == AtLeast }

// Compare tests one key. The empty string as a value means "no value", as in CSV; "is null" is the same. != is the
// complement of =, so rows without a value match key != 'x'. like takes % for any text, _ for one character and \
// before a literal %, _ or \; rows without a value match no pattern. Texts are ordered by their bytes.
type Compare struct {
	Key    string
	Op     CompareOp
	Values []string // one, except for In; written as their kind once a dataset has checked them
	Kind   Kind     // of the values, once a dataset has checked them
}

func (And) expr()     {}
func (Or) expr()      {}
func (Not) expr()     {}
func (Compare) expr() {}

// tests lists the comparisons of a filter.
func tests(e Expr) []Compare {
	switch e := e.(type) {
	case And:
		return append(tests(e.Left), tests(e.Right)...)
	case Or:
		return append(tests(e.Left), tests(e.Right)...)
	case Not:
		return tests(e.Of)
	case Compare:
		return []Compare{e}
	}
	return nil
}

// FilterKeys lists the keys that a filter names.
func FilterKeys(e Expr) []string {
	var names []string
	for _, c := range tests(e) {
		names = append(names, c.Key)
	}
	return names
}

// Bounds of a filter, far beyond anything typed by hand.
const (
	maxFilterBytes = 16 << 10
	maxFilterDepth = 64
	maxFilterTests = 500
)

// ParseFilter reads the filter language of the contract:
//
//	key = v   key != v   key < v   key <= v   key > v   key >= v
//	key [not] in (v, …)   key [not] like 'pattern'   key is [not] null
//	… and …   … or …   not …   ( … )
//
// Words of the grammar may be written in any case; a key or value equal to one
// of them must be quoted. Inside quotes the quote itself is written twice.
// Errors say at which character.
func ParseFilter(text string) (Expr, error) {
	if len(text) > maxFilterBytes {
		return nil, fmt.Errorf("is longer than %d bytes", maxFilterBytes)
	}
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return nil, fmt.Errorf("is not valid UTF-8 text")
	}
	p := &filterParser{text: text}
	p.next()
	e, err := p.or(0)
	if err == nil && p.tok.kind != tokEnd {
		err = p.errorf("expected and, or or the end")
	}
	if p.lexErr != nil {
		err = p.lexErr
	}
	if err != nil {
		return nil, err
	}
	return e, nil
}
