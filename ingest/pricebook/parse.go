package pricebook

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// MaxBytes is the largest price book that is read.
const MaxBytes = 16 << 20

// always bounds entries without valid_from or valid_to: 1970-01-01 to
// 9999-12-31.
var always = period.Interval{From: 0, To: 253402214400}

// entry is a rate and where it stands.
type entry struct {
	ledger.Rate
	line int
}

// Parse reads a price book. The rejections name each fault; with any of them
// the book must not be used. entries counts the entries read.
func Parse(in io.Reader, file string) (rates []ledger.Rate, entries int64, tally ledger.Tally, err error) {
	text, err := io.ReadAll(io.LimitReader(in, MaxBytes+1))
	if err != nil {
		return nil, 0, tally, err
	}
	p := &parser{file: file, tally: &tally}
	if len(text) > MaxBytes {
		p.reject(0, "", "too large", fmt.Sprintf("a price book has at most %d bytes", MaxBytes))
		return nil, 0, tally, nil
	}
	list := p.document(text)
	for _, n := range list {
		p.entry(n)
	}
	p.overlaps()
	if tally.RejectedRows() > 0 {
		return nil, int64(len(list)), tally, nil
	}
	for i := range p.entries {
		rates = append(rates, p.entries[i].Rate)
	}
	return rates, int64(len(list)), tally, nil
}

type parser struct {
	file    string
	tally   *ledger.Tally
	entries []entry
}

func (p *parser) reject(line int, key, reason, detail string) {
	p.tally.Reject(ledger.Rejection{File: p.file, Line: int64(line), Column: key, Reason: reason, Detail: detail})
}

var yamlLine = regexp.MustCompile(`line (\d+)`)

// document returns the entries of the rates list.
func (p *parser) document(text []byte) []*yaml.Node {
	var doc yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(&doc); err != nil {
		line := 0
		if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
			line, _ = strconv.Atoi(m[1]) // digits by the pattern
		}
		if errors.Is(err, io.EOF) {
			p.reject(0, "rates", "missing value", "the file is empty; a list under rates: is expected")
			return nil
		}
		p.reject(line, "", "broken yaml", err.Error())
		return nil
	}
	var more yaml.Node
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		p.reject(more.Line, "", "broken yaml", "only one document is expected")
		return nil
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		p.reject(1, "rates", "missing value", "a mapping with rates: is expected")
		return nil
	}
	var list *yaml.Node
	for i := 0; i+1 < len(doc.Content[0].Content); i += 2 {
		key, value := doc.Content[0].Content[i], doc.Content[0].Content[i+1]
		switch {
		case key.Value != "rates":
			p.reject(key.Line, key.Value, "unknown key", "only rates: is expected")
		case list != nil:
			p.reject(key.Line, "rates", "repeated key", "one list of rates is expected")
		case value.Kind != yaml.SequenceNode:
			p.reject(value.Line, "rates", "not a list", "a list of entries is expected")
		default:
			list = value
		}
	}
	if list == nil {
		if p.tally.RejectedRows() == 0 {
			p.reject(1, "rates", "missing value", "a list under rates: is expected")
		}
		return nil
	}
	return list.Content
}

var keys = []string{"instance_type", "region", "price_class", "currency", "hourly", "valid_from", "valid_to", "source"}

// entry reads one entry; a faulty one is left out after its rejections.
func (p *parser) entry(n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		p.reject(n.Line, "", "not an entry", "a mapping with "+strings.Join(keys, ", ")+" is expected")
		return
	}
	before := p.tally.RejectedRows()
	values, lines := map[string]string{}, map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		_, repeated := lines[key.Value]
		switch {
		case !slices.Contains(keys, key.Value):
			p.reject(key.Line, key.Value, "unknown key", "known keys are "+strings.Join(keys, ", "))
		case repeated:
			p.reject(key.Line, key.Value, "repeated key", "each key is expected once")
		case value.Kind != yaml.ScalarNode:
			p.reject(value.Line, key.Value, "not a value", "a plain text is expected")
		default:
			lines[key.Value] = value.Line
			if value.Tag != "!!null" {
				values[key.Value] = value.Value
			}
		}
	}
	e := entry{line: n.Line, Rate: ledger.Rate{Valid: always}}
	need := func(key string) string {
		if values[key] == "" && p.tally.RejectedRows() == before {
			p.reject(n.Line, key, "missing value", "every entry needs "+key)
		}
		return values[key]
	}
	e.InstanceType, e.Region = need("instance_type"), values["region"]
	e.PriceClass = ledger.PriceClass(need("price_class"))
	e.Currency = need("currency")
	hourly := need("hourly")
	if e.Source = values["source"]; e.Source == "" {
		e.Source = p.file
	}
	if p.tally.RejectedRows() > before {
		return
	}
	switch e.PriceClass {
	case ledger.OnDemand, ledger.Spot, ledger.SavingsPlan, ledger.Reserved, ledger.Owned:
	default:
		p.reject(lines["price_class"], "price_class", "unknown price class", fmt.Sprintf("%q is none of on_demand, spot, savings_plan, reserved, owned", e.PriceClass))
	}
	if len(e.Currency) != 3 || strings.Trim(e.Currency, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		p.reject(lines["currency"], "currency", "unknown unit", fmt.Sprintf("%q is no ISO 4217 currency code", e.Currency))
	}
	amount, err := money.Parse(hourly)
	switch {
	case err != nil:
		p.reject(lines["hourly"], "hourly", "not a number", err.Error())
	case amount.Sign() < 0:
		p.reject(lines["hourly"], "hourly", "negative", "a price per hour is zero or more")
	}
	e.Hourly = amount
	for _, bound := range []struct {
		key string
		at  *period.Second
	}{{"valid_from", &e.Valid.From}, {"valid_to", &e.Valid.To}} {
		if values[bound.key] == "" {
			continue
		}
		if *bound.at, err = instant(values[bound.key]); err != nil {
			p.reject(lines[bound.key], bound.key, "not a date", err.Error())
		}
	}
	if p.tally.RejectedRows() > before {
		return
	}
	if e.Valid.Empty() {
		p.reject(n.Line, "valid_to", "end before start", fmt.Sprintf("the entry is valid from %s to %s, which is never", e.Valid.From, e.Valid.To))
		return
	}
	e.ID = ledger.NewID("rate", e.InstanceType, e.Region, string(e.PriceClass), e.Currency, e.Hourly.String(), e.Valid.String(), e.Source)
	p.entries = append(p.entries, e)
}

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

// overlaps refuses two prices for the same thing at the same time.
func (p *parser) overlaps() {
	type key struct{ instanceType, region, class string }
	groups := map[key][]entry{}
	for _, e := range p.entries {
		k := key{e.InstanceType, e.Region, string(e.PriceClass)}
		groups[k] = append(groups[k], e)
	}
	var clashes []entry
	with := map[int]int{}
	for _, g := range groups {
		sort.Slice(g, func(i, j int) bool {
			if g[i].Valid.From != g[j].Valid.From {
				return g[i].Valid.From < g[j].Valid.From
			}
			return g[i].line < g[j].line
		})
		latest := 0 // the entry that reaches furthest
		for i := 1; i < len(g); i++ {
			if g[i].Valid.From < g[latest].Valid.To {
				clashes = append(clashes, g[i])
				with[g[i].line] = g[latest].line
			}
			if g[i].Valid.To > g[latest].Valid.To {
				latest = i
			}
		}
	}
	sort.Slice(clashes, func(i, j int) bool { return clashes[i].line < clashes[j].line })
	for _, e := range clashes {
		p.reject(e.line, "", "overlapping entries", fmt.Sprintf("%s %s %s is priced by the entry on line %d at the same time; give one of them valid_from or valid_to",
			e.InstanceType, e.Region, e.PriceClass, with[e.line]))
	}
}
