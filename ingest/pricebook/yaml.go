package pricebook

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/yamlfault"
)

// parser collects the faults of a book; a book with any fault is not used.
type parser struct {
	file  string
	tally *ledger.Tally
	rates []entry
	// machinesRead counts the machines of all entries, to bound them.
	machinesRead int
}

func (p *parser) reject(line int, key, reason, detail string) {
	p.tally.Refuse(ledger.Rejection{File: p.file, Line: int64(line), Column: key, Reason: reason, Detail: detail})
}

// document returns the file's mapping, nil after a rejection.
func (p *parser) document(text []byte) *yaml.Node {
	var doc yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			p.reject(0, "rates", "missing value", "the file is empty; lists under rates: or owned: are expected")
			return nil
		}
		for _, f := range yamlfault.Decoded(text, err) {
			p.reject(f.Line, "", "broken yaml", f.Text)
		}
		return nil
	}
	var more yaml.Node
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		p.reject(more.Line, "", "broken yaml", "only one document is expected")
		return nil
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		p.reject(1, "rates", "missing value", "a mapping with rates: or owned: is expected")
		return nil
	}
	return doc.Content[0]
}

// mapping is a YAML mapping with known keys.
type mapping struct {
	p      *parser
	prefix string // of keys in rejections
	line   int
	nodes  map[string]*yaml.Node // without nulls
	faults int64                 // rejections before it was read
}

// mapping reads the keys of a mapping; unknown and repeated ones are rejected.
func (p *parser) mapping(n *yaml.Node, prefix string, known []string) *mapping {
	m := &mapping{p: p, prefix: prefix, line: n.Line, nodes: map[string]*yaml.Node{}, faults: p.tally.Refusals()}
	if n.Kind != yaml.MappingNode {
		p.reject(n.Line, strings.TrimSuffix(prefix, "."), "not an entry",
			"a mapping with "+strings.Join(known, ", ")+" is expected")
		return m
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch {
		case !slices.Contains(known, key.Value):
			p.reject(key.Line, prefix+key.Value, "unknown key", "known keys are "+strings.Join(known, ", "))
		case seen[key.Value]:
			p.reject(key.Line, prefix+key.Value, "repeated key", "each key is expected once")
		case value.Tag != "!!null":
			m.nodes[key.Value] = value
		}
		seen[key.Value] = true
	}
	return m
}

// bad reports whether anything was rejected since the mapping began.
func (m *mapping) bad() bool { return m.p.tally.Refusals() > m.faults }

func (m *mapping) reject(key, reason, detail string) {
	line := m.line
	if n := m.nodes[key]; n != nil {
		line = n.Line
	}
	m.p.reject(line, m.prefix+key, reason, detail)
}

// text is a scalar as written, "" if absent.
func (m *mapping) text(key string) string {
	n := m.nodes[key]
	if n == nil {
		return ""
	}
	if n.Kind != yaml.ScalarNode {
		m.reject(key, "not a value", "a plain text is expected")
		return ""
	}
	return n.Value
}

// need is a required text. Of several missing ones, the first is named.
func (m *mapping) need(key string) string {
	t := m.text(key)
	if t == "" && !m.bad() {
		m.p.reject(m.line, m.prefix+key, "missing value", "every entry needs "+key)
	}
	return t
}

// list returns the items under a key.
func (m *mapping) list(key string) []*yaml.Node {
	n := m.nodes[key]
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		m.reject(key, "not a list", "a list of entries is expected")
		return nil
	}
	return n.Content
}

// maxAmount bounds the figures of a book: a trillion of anything is a typing error.
var maxAmount = money.MustParse("1000000000000")

// amount reads a decimal that is zero or more.
func (m *mapping) amount(key, text string) money.Amount {
	a, err := money.Parse(text)
	_, scale := a.Scaled()
	switch {
	case err != nil:
		m.reject(key, "not a number", err.Error())
	case a.Sign() < 0:
		m.reject(key, "negative", key+" is zero or more")
	case a.Cmp(maxAmount) > 0:
		m.reject(key, "too large", key+" is at most "+maxAmount.String())
	case scale > money.Digits:
		m.reject(key, "too many decimals", fmt.Sprintf("%s has at most %d decimals", key, money.Digits))
	default:
		return a
	}
	return money.Amount{}
}

// decimal is amount of an optional key, nil if absent.
func (m *mapping) decimal(key string) *money.Amount {
	t := m.text(key)
	if t == "" {
		return nil
	}
	a := m.amount(key, t)
	return &a
}

// fraction reads a decimal above 0 and up to 1; nil if absent.
func (m *mapping) fraction(key string) *big.Rat {
	a := m.decimal(key)
	if a == nil {
		return nil
	}
	if a.Sign() <= 0 || a.Cmp(money.MustParse("1")) > 0 {
		m.reject(key, "out of range", key+" is above 0 and at most 1")
		return nil
	}
	return a.Rat()
}

// whole reads a whole number between least and most; 0 if absent.
func (m *mapping) whole(key string, least, most int64) int64 {
	t := m.text(key)
	if t == "" {
		return 0
	}
	n, err := strconv.ParseInt(t, 10, 64)
	if err != nil || n < least || n > most {
		m.reject(key, "out of range", fmt.Sprintf("%s is a whole number from %d to %d", key, least, most))
		return 0
	}
	return n
}

// currency reads an ISO 4217 code.
func (m *mapping) currency(key string) string {
	c := m.need(key)
	if c != "" && !ledger.CurrencyCode(c) {
		m.reject(key, "unknown unit", fmt.Sprintf("%q is not an ISO 4217 currency code", c))
	}
	return c
}

// at reads a date or an instant, 0 if absent or bad; a date means its start in UTC.
func (m *mapping) at(key string) period.Second {
	t := m.text(key)
	if t == "" {
		return 0
	}
	s, err := instant(t)
	if err != nil {
		m.reject(key, "not a date", err.Error())
	}
	return s
}

// always bounds entries without valid_from or valid_to: 1970-01-01 to
// 9999-12-31.
var always = period.Interval{From: 0, To: 253402214400}

// instant reads a date or an instant; a date means its start in UTC.
func instant(s string) (period.Second, error) {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, s); err == nil {
			at := period.FromTime(t)
			if at < always.From || at > always.To {
				return 0, fmt.Errorf("%q lies outside 1970 to 9999", s)
			}
			return at, nil
		}
	}
	return 0, fmt.Errorf("%q: a date such as 2026-11-01 or 2026-11-01T00:00:00Z is expected", s)
}
