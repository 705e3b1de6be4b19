package odata

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"gpuledger/metrics"
)

// properties are the columns that an expression may name.
type properties []metrics.Column

func (p properties) kind(name string) (metrics.Kind, bool) {
	i := slices.IndexFunc(p, func(c metrics.Column) bool { return c.Name == name })
	if i < 0 {
		return "", false
	}
	return p[i].Kind, true
}

// parseFilter translates a filter into the grammar of reports, which has two values of logic where OData has three:
// a function of an unknown text is unknown, and so is its complement. Negations are therefore moved inside.
func parseFilter(text string, known properties) (metrics.Expr, error) {
	tokens, err := scan(text)
	if err != nil {
		return nil, err
	}
	p := &filterParser{tokens: tokens, known: known}
	e, err := p.or(false, 0)
	if err == nil && p.peek().kind != tokenEnd {
		err = p.fault("expected and, or, or the end")
	}
	return e, err
}

type filterParser struct {
	tokens []token
	at     int
	known  properties
}

// deepest is how deep parentheses may be nested.
const deepest = 60

func (p *filterParser) peek() token { return p.tokens[p.at] }

func (p *filterParser) next() token {
	t := p.tokens[p.at]
	if t.kind != tokenEnd {
		p.at++
	}
	return t
}

func (p *filterParser) word(text string) bool {
	return p.peek().kind == tokenWord && p.peek().text == text
}

func (p *filterParser) symbol(text string) error {
	if t := p.peek(); t.kind != tokenSymbol || t.text != text {
		return p.fault("expected " + text)
	}
	p.at++
	return nil
}

func (p *filterParser) fault(what string) error {
	t := p.peek()
	if t.kind == tokenEnd {
		return fmt.Errorf("%s at its end", what)
	}
	return fmt.Errorf("at character %d: %s, found %q", t.at+1, what, t.text)
}

func (p *filterParser) or(not bool, depth int) (metrics.Expr, error) {
	return p.joined("or", not, !not, depth, p.and)
}

func (p *filterParser) and(not bool, depth int) (metrics.Expr, error) {
	return p.joined("and", not, not, depth, p.unary)
}

// joined reads operands with a word between them; either joins them by or.
func (p *filterParser) joined(
	word string, not, either bool, depth int, operand func(bool, int) (metrics.Expr, error),
) (metrics.Expr, error) {
	left, err := operand(not, depth)
	for err == nil && p.word(word) {
		p.at++
		var right metrics.Expr
		if right, err = operand(not, depth); either {
			left = metrics.Or{Left: left, Right: right}
		} else {
			left = metrics.And{Left: left, Right: right}
		}
	}
	return left, err
}

func (p *filterParser) unary(not bool, depth int) (metrics.Expr, error) {
	if depth > deepest {
		return nil, fmt.Errorf("is nested deeper than %d", deepest)
	}
	switch t := p.peek(); {
	case p.word("not"):
		p.at++
		return p.unary(!not, depth+1)
	case t.kind == tokenSymbol && t.text == "(":
		p.at++
		e, err := p.or(not, depth+1)
		if err != nil {
			return nil, err
		}
		return e, p.symbol(")")
	}
	return p.compare(not)
}

// patterns are the functions that test a text, as patterns of like.
var patterns = map[string]func(string) string{
	"startswith": func(s string) string { return s + "%" },
	"endswith":   func(s string) string { return "%" + s },
	"contains":   func(s string) string { return "%" + s + "%" },
}

var operators = map[string]metrics.CompareOp{"eq": metrics.Equal, "ne": metrics.NotEqual, "lt": metrics.Less,
	"le": metrics.AtMost, "gt": metrics.Greater, "ge": metrics.AtLeast}

// flipped are operators with their sides exchanged.
var flipped = map[metrics.CompareOp]metrics.CompareOp{metrics.Less: metrics.Greater, metrics.Greater: metrics.Less,
	metrics.AtMost: metrics.AtLeast, metrics.AtLeast: metrics.AtMost}

func (p *filterParser) compare(not bool) (metrics.Expr, error) {
	first := p.next()
	if first.kind == tokenWord && p.peek().kind == tokenSymbol && p.peek().text == "(" {
		return p.function(first, not)
	}
	if _, property := p.known.kind(first.text); first.kind == tokenWord && property && p.word("in") {
		p.at++
		return p.in(first.text, not)
	}
	op, ok := operators[p.peek().text]
	if !ok || p.peek().kind != tokenWord {
		return nil, p.fault("expected eq, ne, lt, le, gt, ge or in")
	}
	p.at++
	key, value := first, p.next()
	if isLiteral(first) && !isLiteral(value) {
		key, value = value, first
		if other, ordered := flipped[op]; ordered {
			op = other
		}
	}
	kind, ok := p.known.kind(key.text)
	switch {
	case key.kind != tokenWord || isLiteral(key):
		return nil, fmt.Errorf("at character %d: expected a property, found %q", key.at+1, key.text)
	case !ok:
		return nil, p.unknown(key)
	case value.kind != tokenWord && value.kind != tokenString:
		return nil, fmt.Errorf("at character %d: expected a value after %s", value.at+1, key.text)
	case !isLiteral(value):
		return nil, &UnsupportedError{"$filter", "a comparison of two properties"}
	}
	text, null, err := literal(value, key.text, kind)
	if err != nil {
		return nil, err
	}
	return negated(test(key.text, op, text, null), not), nil
}

func (p *filterParser) unknown(t token) error {
	names := make([]string, len(p.known))
	for i, c := range p.known {
		names[i] = c.Name
	}
	return fmt.Errorf("at character %d: %q is not a property; there are %s", t.at+1, t.text, strings.Join(names, ", "))
}

// test is a comparison with a literal. The empty text is a value in OData, which no row has; in reports it means
// unknown.
func test(key string, op metrics.CompareOp, text string, null bool) metrics.Expr {
	unknown := metrics.Compare{Key: key, Op: metrics.Equal, Values: []string{""}}
	known := metrics.Compare{Key: key, Op: metrics.NotEqual, Values: []string{""}}
	never, always := metrics.And{Left: unknown, Right: known}, metrics.Or{Left: unknown, Right: known}
	switch {
	case null && op == metrics.Equal:
		return unknown
	case null && op == metrics.NotEqual:
		return known
	case null:
		return never
	case text != "":
		return metrics.Compare{Key: key, Op: op, Values: []string{text}}
	case op == metrics.NotEqual:
		return always
	case op == metrics.Greater || op == metrics.AtLeast:
		return known
	}
	return never
}

func negated(e metrics.Expr, not bool) metrics.Expr {
	if not {
		return metrics.Not{Of: e}
	}
	return e
}

// in reads the list after in.
func (p *filterParser) in(key string, not bool) (metrics.Expr, error) {
	kind, _ := p.known.kind(key)
	if err := p.symbol("("); err != nil {
		return nil, err
	}
	c := metrics.Compare{Key: key, Op: metrics.In}
	for {
		text, null, err := literal(p.next(), key, kind)
		if err != nil {
			return nil, err
		}
		if text != "" || null {
			c.Values = append(c.Values, text)
		}
		if t := p.next(); t.kind != tokenSymbol || t.text != "," && t.text != ")" {
			return nil, fmt.Errorf("at character %d: expected , or )", t.at+1)
		} else if t.text == ")" {
			break
		}
	}
	if len(c.Values) == 0 {
		return negated(test(key, metrics.Equal, "", false), not), nil
	}
	return negated(c, not), nil
}

// function reads startswith, endswith or contains of a property and a text.
func (p *filterParser) function(name token, not bool) (metrics.Expr, error) {
	pattern, ok := patterns[name.text]
	if !ok {
		return nil, &UnsupportedError{"$filter", "the function " + name.text}
	}
	p.at++ // (
	key := p.next()
	kind, ok := p.known.kind(key.text)
	switch {
	case key.kind != tokenWord || !ok:
		return nil, p.unknown(key)
	case kind != metrics.Text:
		return nil, fmt.Errorf("%s works on texts, %s is a %s", name.text, key.text, kind)
	}
	if err := p.symbol(","); err != nil {
		return nil, err
	}
	value := p.next()
	if value.kind != tokenString {
		return nil, fmt.Errorf("at character %d: expected a text in single quotes", value.at+1)
	}
	if err := p.symbol(")"); err != nil {
		return nil, err
	}
	escape := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
	like := metrics.Compare{Key: key.text, Op: metrics.Like, Values: []string{pattern(escape.Replace(value.text))}}
	if not {
		return metrics.And{Left: metrics.Not{Of: like}, Right: test(key.text, metrics.NotEqual, "", true)}, nil
	}
	return like, nil
}

var (
	number  = regexp.MustCompile(`^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$`)
	instant = regexp.MustCompile(`^\d{4}-\d\d-\d\dT`)
	day     = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)
)

func isLiteral(t token) bool {
	if t.kind == tokenString {
		return true
	}
	return t.kind == tokenWord && (slices.Contains([]string{"null", "true", "false"}, t.text) || number.MatchString(t.text) ||
		instant.MatchString(t.text) || day.MatchString(t.text))
}

// literal reads a value for a column, as reports write it.
func literal(t token, key string, kind metrics.Kind) (text string, null bool, err error) {
	wants := ""
	switch {
	case t.kind == tokenWord && t.text == "null":
		return "", true, nil
	case kind == metrics.Text || kind == metrics.ID:
		if t.kind == tokenString {
			return t.text, false, nil
		}
		wants = "a text in single quotes"
	case kind == metrics.Bool:
		if t.kind == tokenWord && (t.text == "true" || t.text == "false") {
			return t.text, false, nil
		}
		wants = "true or false"
	case kind == metrics.Time:
		if t.kind == tokenWord && day.MatchString(t.text) {
			return t.text + "T00:00:00Z", false, nil
		}
		if at, err := time.Parse(time.RFC3339, t.text); t.kind == tokenWord && err == nil {
			return at.UTC().Format(time.RFC3339Nano), false, nil
		}
		wants = "a time such as 2026-11-01T00:00:00Z"
	case t.kind == tokenWord && number.MatchString(t.text):
		return strings.TrimPrefix(t.text, "+"), false, nil
	default:
		wants = "a number"
	}
	return "", false, fmt.Errorf("at character %d: %s needs %s, found %q", t.at+1, key, wants, t.text)
}
