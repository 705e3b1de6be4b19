package metrics

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

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
	case strings.HasPrefix(p.text[start:], "!=") || strings.HasPrefix(p.text[start:], "<=") ||
		strings.HasPrefix(p.text[start:], ">="):
		p.pos += 2
		p.tok = token{tokSymbol, p.text[start:p.pos], start}
	case c == '<' || c == '>':
		p.pos++
		p.tok = token{tokSymbol, p.text[start:p.pos], start}
	case c == '\'' || c == '"':
		p.quoted(c)
	case wordByte(c):
		for p.pos < len(p.text) && wordByte(p.text[p.pos]) {
			p.pos++
		}
		p.tok = token{tokWord, p.text[start:p.pos], start}
	default:
		r, size := utf8.DecodeRuneInString(p.text[start:])
		p.fail("at character %d: %q must be in quotes", start+1, r)
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

// reserved words. is and null are special only after a key; as values and keys they are plain words.
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
	if p.keyword("is") {
		return p.null(c)
	}
	not := p.keyword("not")
	if not {
		p.next()
	}
	e, err := p.operator(c, not)
	if not && err == nil {
		e = Not{e}
	}
	return e, err
}

// null reads the rest after "key is".
func (p *filterParser) null(c Compare) (Expr, error) {
	c.Op, c.Values = Equal, []string{""}
	if p.next(); p.keyword("not") {
		c.Op = NotEqual
		p.next()
	}
	if !p.keyword("null") {
		return nil, p.errorf("expected null or not null after is")
	}
	p.next()
	return c, nil
}

// operator reads an operator and its values; words is set where only in and like may follow.
func (p *filterParser) operator(c Compare, words bool) (Expr, error) {
	switch {
	case p.keyword("in"):
		c.Op = In
	case p.keyword("like"):
		c.Op = Like
	case words:
		return nil, p.errorf("expected in or like after %s not", clip(c.Key))
	case p.tok.kind == tokSymbol &&
		slices.Contains([]CompareOp{Equal, NotEqual, Less, AtMost, Greater, AtLeast}, CompareOp(p.tok.text)):
		c.Op = CompareOp(p.tok.text)
	default:
		return nil, p.errorf("expected =, !=, <, <=, >, >=, in, like or is null after %s", clip(c.Key))
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
