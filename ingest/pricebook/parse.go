package pricebook

import (
	"crypto/sha256"
	"fmt"
	"io"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// MaxBytes is the largest price book that is read.
const MaxBytes = 16 << 20

// MaxLines is the limit of node-hours in one book: more than 1,000 nodes over five years.
const MaxLines = 50_000_000

// maxBookYears bounds the months that one book settles, including those without lines.
const maxBookYears = 2 * period.LongestYears

// Book is a price book.
type Book struct {
	File     string
	Text     string // as written
	SHA256   [32]byte
	Name     string         // billing account of its lines; not empty if there are owned entries
	IssuedAt *period.Second // nil if the book has none
	// Months is the period that the book settles, from the start of the first month to the end of
	// the last; empty without owned entries. A month without lines is settled too: it costs
	// nothing.
	Months period.Interval
	Rates  []ledger.Rate
	// RateLines are the lines of the rates.
	RateLines []int
	Owned     []*Owned
	Entries   int64 // read, of rates and owned
}

// bookKind is the kind of a book in a folder of files; a book may have it anywhere.
const bookKind = "price_book"

var bookKeys = []string{"kind", "name", "issued_at", "from", "through", "currency", "rates", "owned"}

// Parse reads a price book. The refusals name each fault; with any of them the book has neither
// rates nor owned entries and must not be used. The error is that of in.
func Parse(in io.Reader, file string) (*Book, ledger.Tally, error) {
	var tally ledger.Tally
	text, err := io.ReadAll(io.LimitReader(in, MaxBytes+1))
	if err != nil {
		return nil, tally, err
	}
	p := &parser{file: file, tally: &tally}
	b := &Book{File: file, Text: string(text), SHA256: sha256.Sum256(text)}
	if len(text) > MaxBytes {
		p.reject(0, "", "too large", fmt.Sprintf("a price book has at most %d bytes", MaxBytes))
		return b, tally, nil
	}
	p.book(b, text)
	if tally.Refusals() > 0 {
		b.Rates, b.RateLines, b.Owned, b.Months = nil, nil, nil, period.Interval{}
	}
	return b, tally, nil
}

// Place sets the file that a book is part of, and the number of lines before it there.
func (b *Book) Place(file string, before int) {
	b.File = file
	for i := range b.RateLines {
		b.RateLines[i] += before
	}
	for _, e := range b.Owned {
		e.line += before
	}
}

func (p *parser) book(b *Book, text []byte) {
	doc := p.document(text)
	if doc == nil {
		return
	}
	m := p.mapping(doc, "", bookKeys)
	if m.nodes["rates"] == nil && m.nodes["owned"] == nil && !m.bad() {
		p.reject(1, "rates", "missing value", "a list under rates: or owned: is expected")
	}
	if kind := m.text("kind"); kind != "" && kind != bookKind {
		m.reject("kind", "unknown kind", fmt.Sprintf("%q is not a price book: write %s, or leave it out", kind, bookKind))
	}
	b.Name = m.text("name")
	if at := m.at("issued_at"); at != 0 {
		b.IssuedAt = &at
	}
	rates, owned := m.list("rates"), m.list("owned")
	b.Entries = int64(len(rates) + len(owned))
	if len(owned) > maxEntries {
		m.reject("owned", "too large", fmt.Sprintf("a book has at most %d entries of owned hardware", maxEntries))
		return
	}
	for _, n := range rates {
		p.rate(n)
	}
	p.overlaps()
	for i := range p.rates {
		b.Rates, b.RateLines = append(b.Rates, p.rates[i].Rate), append(b.RateLines, p.rates[i].line)
	}
	if len(owned) == 0 {
		return
	}
	if b.Name == "" {
		m.reject("name", "missing value", "a book with owned: needs a name: its lines are booked under it")
	}
	defaults := ownedDefaults{book: b.Name, currency: m.text("currency"), through: m.nodes["through"]}
	for _, n := range owned {
		if e := p.owned(n, defaults); e != nil {
			b.Owned = append(b.Owned, e)
		}
	}
	if p.tally.Refusals() > 0 {
		return
	}
	p.checkMachines(b.Owned)
	b.Months = months(b.Owned)
	if from := m.at("from"); from != 0 {
		if from > b.Months.From {
			m.reject("from", "out of range",
				fmt.Sprintf("lines begin at %s; from must not be later", b.Months.From))
			return
		}
		b.Months.From = period.MonthOf(from).From
	}
	if last := b.Months.From.Time().AddDate(maxBookYears, 0, 0); !b.Months.Empty() && b.Months.To > period.FromTime(last) {
		m.reject("from", "too long",
			fmt.Sprintf("the book settles %s to %s, more than %d years; move the earlier ones into a book with another name",
				b.Months.From, b.Months.To, maxBookYears))
	}
}

// months covers the service of all entries by whole months.
func months(owned []*Owned) period.Interval {
	var all period.Interval
	for _, e := range owned {
		if e.Service.Empty() {
			continue
		}
		first, last := period.MonthOf(e.Service.From).From, period.MonthOf(e.Service.To-1).To
		if all.Empty() {
			all = period.Interval{From: first, To: last}
		}
		all = period.Interval{From: min(all.From, first), To: max(all.To, last)}
	}
	return all
}

// checkMachines refuses one machine in two entries at the same time, and books with implausibly
// many lines.
func (p *parser) checkMachines(owned []*Owned) {
	type use struct {
		during period.Interval
		line   int
	}
	seen := map[string][]use{}
	var lines int64
	for _, e := range owned {
		lines += int64(len(e.Machines)) * (e.Service.Seconds()/period.Hour + 2)
		for _, m := range e.Machines {
			at := slices.IndexFunc(seen[m.InstanceID], func(u use) bool { return u.during.Overlaps(e.Service) })
			if at >= 0 {
				p.reject(e.line, "nodes", "overlapping entries",
					fmt.Sprintf("%s is also in service in the entry on line %d at the same time", m.InstanceID,
						seen[m.InstanceID][at].line))
				continue
			}
			seen[m.InstanceID] = append(seen[m.InstanceID], use{e.Service, e.line})
		}
		if lines > MaxLines {
			p.reject(e.line, "", "too large", fmt.Sprintf("the book would write more than %d node-hours", MaxLines))
			return
		}
	}
}
