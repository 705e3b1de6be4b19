package metrics

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gpuledger/internal/ledger"
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
	In       CompareOp = "in"
	Like     CompareOp = "like"
)

// Compare tests one key. The empty string as a value stands for "no value",
// as it does in CSV. != is the complement of =, so rows without a value match
// key != 'x'. like takes % for any text, _ for one character and \ before a
// literal %, _ or \; rows without a value match no pattern.
type Compare struct {
	Key    string
	Op     CompareOp
	Values []string // one, but for In
}

func (And) expr()     {}
func (Or) expr()      {}
func (Not) expr()     {}
func (Compare) expr() {}

// Bounds of a filter: nothing typed by hand comes near them.
const (
	maxFilterBytes = 16 << 10
	maxFilterDepth = 64
	maxFilterTests = 500
)

// ParseFilter reads the filter language of the contract. Words of the grammar
// (and, or, not, in, like) may be written in any case; a value equal to one of
// them must be quoted. Inside quotes the quote itself is written twice.
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

type tokenKind int

const (
	tokEnd tokenKind = iota
	tokWord
	tokString
	tokSymbol
)

type token struct {
	kind tokenKind
	text string
	at   int
}

type filterParser struct {
	text   string
	pos    int
	tok    token
	tests  int
	lexErr error
}

func (p *filterParser) errorf(format string, args ...any) error {
	found := "the end"
	if p.tok.kind != tokEnd {
		found = strconv.Quote(clip(p.tok.text))
	}
	return fmt.Errorf("at character %d: %s, found %s", p.tok.at+1, fmt.Sprintf(format, args...), found)
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_.:/-", c) >= 0
}

func (p *filterParser) next() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
	start := p.pos
	if start == len(p.text) {
		p.tok = token{tokEnd, "", start}
		return
	}
	switch c := p.text[start]; {
	case c == '(' || c == ')' || c == ',' || c == '=':
		p.pos++
		p.tok = token{tokSymbol, p.text[start:p.pos], start}
	case strings.HasPrefix(p.text[start:], "!="):
		p.pos += 2
		p.tok = token{tokSymbol, "!=", start}
	case c == '\'' || c == '"':
		p.quoted(c)
	case wordByte(c):
		for p.pos < len(p.text) && wordByte(p.text[p.pos]) {
			p.pos++
		}
		p.tok = token{tokWord, p.text[start:p.pos], start}
	default:
		r, size := utf8.DecodeRuneInString(p.text[start:])
		p.fail("at character %d: %q must stand in quotes", start+1, r)
		p.pos += size
	}
}

func (p *filterParser) fail(format string, args ...any) {
	if p.lexErr == nil {
		p.lexErr = fmt.Errorf(format, args...)
	}
	p.tok = token{tokEnd, "", p.pos}
}

func (p *filterParser) quoted(quote byte) {
	start := p.pos
	var b strings.Builder
	for i := start + 1; i < len(p.text); i++ {
		if p.text[i] != quote {
			b.WriteByte(p.text[i])
			continue
		}
		if i+1 < len(p.text) && p.text[i+1] == quote {
			b.WriteByte(quote)
			i++
			continue
		}
		p.pos = i + 1
		p.tok = token{tokString, b.String(), start}
		return
	}
	p.fail("at character %d: the string that begins here does not end", start+1)
	p.pos = len(p.text)
}

func (p *filterParser) keyword(word string) bool {
	return p.tok.kind == tokWord && strings.EqualFold(p.tok.text, word)
}

func (p *filterParser) symbol(s string) bool { return p.tok.kind == tokSymbol && p.tok.text == s }

func (p *filterParser) or(depth int) (Expr, error) {
	left, err := p.and(depth)
	for err == nil && p.keyword("or") {
		p.next()
		var right Expr
		right, err = p.and(depth)
		left = Or{left, right}
	}
	return left, err
}

func (p *filterParser) and(depth int) (Expr, error) {
	left, err := p.not(depth)
	for err == nil && p.keyword("and") {
		p.next()
		var right Expr
		right, err = p.not(depth)
		left = And{left, right}
	}
	return left, err
}

func (p *filterParser) not(depth int) (Expr, error) {
	if depth > maxFilterDepth {
		return nil, p.errorf("is nested deeper than %d", maxFilterDepth)
	}
	if p.keyword("not") {
		p.next()
		e, err := p.not(depth + 1)
		return Not{e}, err
	}
	if p.symbol("(") {
		p.next()
		e, err := p.or(depth + 1)
		if err != nil {
			return nil, err
		}
		if !p.symbol(")") {
			return nil, p.errorf("expected )")
		}
		p.next()
		return e, nil
	}
	return p.compare()
}

var reserved = []string{"and", "or", "not", "in", "like"}

func isReserved(word string) bool {
	return slices.ContainsFunc(reserved, func(r string) bool { return strings.EqualFold(r, word) })
}

func (p *filterParser) compare() (Expr, error) {
	if p.tok.kind != tokString && (p.tok.kind != tokWord || isReserved(p.tok.text)) {
		return nil, p.errorf("expected a key")
	}
	if p.tests++; p.tests > maxFilterTests {
		return nil, p.errorf("has more than %d comparisons; use in", maxFilterTests)
	}
	c := Compare{Key: p.tok.text}
	p.next()
	switch {
	case p.symbol("="):
		c.Op = Equal
	case p.symbol("!="):
		c.Op = NotEqual
	case p.keyword("in"):
		c.Op = In
	case p.keyword("like"):
		c.Op = Like
	default:
		return nil, p.errorf("expected =, !=, in or like after %s", clip(c.Key))
	}
	p.next()
	if c.Op == In {
		return p.list(c)
	}
	v, err := p.value()
	if err != nil {
		return nil, err
	}
	c.Values = []string{v}
	if c.Op == Like && strings.HasSuffix(strings.ReplaceAll(v, `\\`, ""), `\`) {
		return nil, fmt.Errorf(`the pattern %q ends in a single \; write \\ for a literal one`, clip(v))
	}
	return c, nil
}

func (p *filterParser) list(c Compare) (Expr, error) {
	if !p.symbol("(") {
		return nil, p.errorf("expected ( after in")
	}
	for {
		p.next()
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		c.Values = append(c.Values, v)
		if p.symbol(")") {
			p.next()
			return c, nil
		}
		if !p.symbol(",") {
			return nil, p.errorf("expected , or )")
		}
	}
}

func (p *filterParser) value() (string, error) {
	if p.tok.kind != tokString && (p.tok.kind != tokWord || isReserved(p.tok.text)) {
		return "", p.errorf("expected a value: a word of A-Z a-z 0-9 _ . : / - or a quoted string")
	}
	v := p.tok.text
	p.next()
	return v, nil
}

// checkFilter refuses keys that the dataset does not have and values that a
// key's kind cannot hold.
func (d *Dataset) checkFilter(e Expr) error {
	switch e := e.(type) {
	case And:
		return firstError(d.checkFilter(e.Left), d.checkFilter(e.Right))
	case Or:
		return firstError(d.checkFilter(e.Left), d.checkFilter(e.Right))
	case Not:
		return d.checkFilter(e.Of)
	case Compare:
		return d.checkCompare(e)
	}
	return fmt.Errorf("unknown expression %T", e)
}

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// FilterKind is the kind of the values of a filter key of the dataset.
func (d *Dataset) FilterKind(name string) (Kind, bool) {
	if d.Grouped {
		_, ok := LookupKey(name)
		return Text, ok
	}
	if _, ok := d.offers(name); ok {
		return Text, true
	}
	c, ok := d.Column(name)
	return c.Kind, ok && c.Filter
}

func (d *Dataset) checkCompare(c Compare) error {
	kind, ok := d.FilterKind(c.Key)
	if !ok {
		return fmt.Errorf("%q is not a filter key of %s; known are %s", clip(c.Key), d.Name, d.filterNames())
	}
	if kind != Text && c.Op == Like {
		return fmt.Errorf("like works on texts, %s is a %s", c.Key, kind)
	}
	for _, v := range c.Values {
		if v == "" || kind == Text {
			continue
		}
		switch kind {
		case ID:
			if _, err := ledger.ParseID(v); err != nil {
				return fmt.Errorf("%s %q: %w", c.Key, clip(v), err)
			}
		case Bool:
			if v != "true" && v != "false" {
				return fmt.Errorf("%s is true or false, not %q", c.Key, clip(v))
			}
		default:
			if _, err := strconv.ParseInt(v, 10, 64); err != nil {
				return fmt.Errorf("%s is a whole number, not %q", c.Key, clip(v))
			}
		}
	}
	return nil
}
