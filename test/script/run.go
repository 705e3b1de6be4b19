package script

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gpuledger/allocation/policy"
	"gpuledger/allocation/share"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
)

// Run plays the case and returns the differences between its tables and the ledger. It returns an error if a statement
// cannot be played, if the engine refuses it, and if a charge is not posted to the last digit.
func (c *Case) Run() ([]Difference, error) {
	var out []Difference
	err := c.play(func(s *statement, got *table) {
		if !s.want.equal(got) {
			out = append(out, c.difference(s, got))
		}
	})
	return out, err
}

// Update returns the text of the case with the ledger's tables.
func (c *Case) Update() (string, error) {
	lines := slices.Clone(c.lines)
	type change struct {
		rows [2]int
		text []string
	}
	var changes []change
	err := c.play(func(s *statement, got *table) { changes = append(changes, change{s.rows, got.lines()}) })
	for _, ch := range slices.Backward(changes) {
		lines = slices.Replace(lines, ch.rows[0]-1, ch.rows[1]-1, ch.text...)
	}
	return strings.Join(lines, "\n") + "\n", err
}

// play executes the statements in turn and passes each expected table with the actual one to show.
func (c *Case) play(show func(*statement, *table)) error {
	w := newWorld(c)
	for i := range c.statements {
		s := &c.statements[i]
		if s.text != "expect" {
			if err := w.do(s); err != nil {
				return err
			}
			continue
		}
		if w.last == nil {
			return c.fault(s, s.word, "nothing is allocated yet: write allocate before expect")
		}
		got, err := w.view(s)
		if err != nil {
			return err
		}
		show(s, got)
	}
	return nil
}

// result is the result of an allocation.
type result struct {
	nodes     map[ledger.ID]*ledger.Node
	workloads map[ledger.ID]*ledger.Workload
	owners    map[ledger.ID]ledger.Owner
	charges   map[ledger.ID]*ledger.Charge
	parts     map[ledger.ID]ledger.Part
	runs      []ledger.Run
	attempts  []ledger.Attempt
	usage     []ledger.Usage
	postings  []ledger.Posting
	shared    []*share.Shared
	findings  map[string][]string // by code
}

// allocate runs the allocator over the facts, in a separate memory.
func (w *world) allocate() (*result, error) {
	r := &result{nodes: map[ledger.ID]*ledger.Node{}, workloads: map[ledger.ID]*ledger.Workload{},
		owners: map[ledger.ID]ledger.Owner{}, charges: map[ledger.ID]*ledger.Charge{}, parts: map[ledger.ID]ledger.Part{}}
	for i := range w.charges {
		r.charges[w.charges[i].ID] = &w.charges[i]
	}
	for _, id := range sortedIDs(w.final.postings) {
		r.postings = append(r.postings, w.final.postings[id]...)
	}
	allocator := posting.Allocator{
		Store: &memory{world: w, result: r, stored: map[ledger.ID][]ledger.Part{}}, Workers: 1, Now: w.day.Time,
	}
	sum, err := allocator.Run(context.Background(), period.Interval{})
	if err != nil {
		return nil, err
	}
	r.findings = sum.Examples
	return r, w.conserved(r)
}

// daysOf lists the days of a life and of parts.
func daysOf(life period.Interval, parts []ledger.Part) []period.Interval {
	days := map[period.Second]bool{}
	for d := life.From.Floor(period.Day); !life.Empty() && d < life.To; d += period.Day {
		days[d] = true
	}
	for i := range parts {
		days[parts[i].Hour.Floor(period.Day)] = true
	}
	var out []period.Interval
	for _, d := range slices.Sorted(maps.Keys(days)) {
		out = append(out, period.DayOf(d))
	}
	return out
}

func on(parts []ledger.Part, day period.Interval) []ledger.Part {
	var out []ledger.Part
	for i := range parts {
		if day.Contains(parts[i].Hour) {
			out = append(out, parts[i])
		}
	}
	return out
}

// doPolicy reads a version of the policy: policy [NAME] [from DATE] and its document, indented.
func (w *world) doPolicy(s *statement) error {
	name, from := fmt.Sprintf("case-%d", len(w.book)+1), ""
	for i := 0; i < len(s.args); i++ {
		switch {
		case s.args[i].text == "from" && i+1 < len(s.args):
			i++
			from = "valid_from: " + s.args[i].text
		case i == 0:
			name = s.args[0].text
		default:
			return w.c.fault(s, s.args[i], "write: policy [NAME] [from 2026-11-03]")
		}
	}
	// The document keeps the lines of the case, so that its errors name them.
	text := strings.Repeat("\n", max(s.line-2, 0)) + from + "\nversion: " + name + "\n" +
		strings.Join(undent(s.body), "\n")
	v, err := policy.Parse([]byte(text))
	if err != nil {
		return w.c.fault(s, s.word, "%s", err)
	}
	w.book = append(w.book, v)
	return nil
}

// undent removes the indentation of the first line from all lines.
func undent(lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	width := len(lines[0]) - len(strings.TrimLeft(lines[0], " "))
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l[min(width, len(l)-len(strings.TrimLeft(l, " "))):]
	}
	return out
}
