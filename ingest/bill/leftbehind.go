package bill

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// An export that overwrites its folder with fewer parts leaves the last parts of the earlier
// delivery behind. Without a manifest these look like parts of the new delivery, and two
// deliveries would be added up (docs/rules.md, 8.30).

// slowDelivery is the longest time for writing the files of one delivery: only a file that is
// older than others by more may belong to an earlier one. Exports deliver every few hours at
// most.
const slowDelivery = period.Hour

// leftBehind is the reason for rows that are read but not loaded, because they belong to an
// earlier delivery.
const leftBehind = "left behind by an earlier delivery"

// written is the known time of writing a file, and whether its store recorded it. The time of a
// local file proves nothing, since copying may change it.
func (p *Plan) written(c *candidate) (at period.Second, stored bool) {
	f := p.files[c.parts[0].file].sv.File
	return cmp.Or(f.Modified, f.Changed), f.Modified != 0
}

// withoutOlderParts leaves out files of one folder that are older than others and bill the
// same. If only local times show the order, or only the part numbers suggest a later delivery
// with fewer parts, the folder is refused; with --delivered-at, all of its files are one
// delivery.
func (p *Plan) withoutOlderParts(group []*candidate) ([]*candidate, *ledger.FileError) {
	add := group[0].appended(p.format) // increments never replace anything
	if len(group) < 2 || p.o.DeliveredAt != nil || !p.slow(group) || !add && !p.disjoint(group) && p.allOverlap(group) {
		return group, nil
	}
	sorted := slices.Clone(group)
	slices.SortStableFunc(sorted, func(a, b *candidate) int {
		x, _ := p.written(a)
		y, _ := p.written(b)
		return cmp.Compare(x, y)
	})
	stale := map[*candidate]bool{}
	for i, c := range sorted {
		at, stored := p.written(c)
		var newer []*candidate
		for _, other := range sorted[i+1:] {
			if then, _ := p.written(other); at != 0 && other.folder == c.folder && then > at+slowDelivery {
				newer = append(newer, other)
			}
		}
		if len(newer) == 0 {
			continue
		}
		again, of := p.billedAgain(c, newer, !add)
		switch {
		case again && stored && !add:
			stale[c] = true
		case again:
			return nil, p.undecidedBecause([]*candidate{c}, leftBehind,
				p.older(c, newer)+fmt.Sprintf(", which also bill at least half of the %d things that it bills",
					of)+staleAdvice)
		case !add && p.lastNumbers(c, newer):
			return nil, p.undecidedBecause([]*candidate{c}, leftBehind,
				p.older(c, newer)+", whose part numbers come before its own: a later delivery with fewer parts seems to have "+
					"overwritten only those"+staleAdvice)
		}
	}
	if len(stale) == 0 {
		return group, nil
	}
	for c := range stale {
		pt := c.parts[0]
		f := p.files[pt.file]
		f.aside[pt.unit] = leftBehind
		p.Aside = append(p.Aside,
			"file left behind by an earlier delivery; newer files of its folder bill the same: "+f.sv.File.Name)
	}
	return slices.DeleteFunc(slices.Clone(group), func(c *candidate) bool { return stale[c] }), nil
}

const staleAdvice = ". If it was left behind by an earlier delivery, delete it and import the folder again; " +
	"if it belongs to the bill, import the folder with --delivered-at and the time when its newest file was written"

// older describes by how much a file is older than others.
func (p *Plan) older(c *candidate, newer []*candidate) string {
	at, _ := p.written(c)
	next, _ := p.written(newer[0])
	return fmt.Sprintf("it was written %s, at least %s before %s", at, time.Duration(next-at)*time.Second,
		p.namesOf(newer))
}

// billedAgain reports whether newer files have half of a file's lines, or bill half of its
// things at the same times; all of them, if there are few.
func (p *Plan) billedAgain(c *candidate, newer []*candidate, lines bool) (again bool, of int) {
	if lines {
		own := slices.Compact(slices.Clone(p.lines(c)))
		if n := common(own, newer, p.lines); n > 0 && 2*n >= len(own) {
			return true, len(own)
		}
	}
	things := p.things(c)
	n := common(things, newer, p.things)
	return n > 0 && 2*n >= len(things) && (n == len(things) || n >= fewThings), len(things)
}

// common counts the sorted values that others also have.
func common(values []uint64, others []*candidate, of func(*candidate) []uint64) (n int) {
	found := make([]bool, len(values))
	for _, other := range others {
		have := of(other)
		for i := 0; i < len(values) && len(have) > 0; {
			switch v := have[0]; {
			case v < values[i]:
				have = have[1:]
			case v > values[i]:
				i++
			default:
				if !found[i] {
					found[i] = true
					n++
				}
				i++
			}
		}
	}
	return n
}

// slow reports whether files were written further apart than the files of one delivery.
func (p *Plan) slow(group []*candidate) bool {
	var first, last period.Second
	for _, c := range group {
		if at, _ := p.written(c); at != 0 {
			first, last = min(cmp.Or(first, at), at), max(last, at)
		}
	}
	return last > first+slowDelivery
}

// numbersRows reports whether rows of a file have numbers from the provider.
func (p *Plan) numbersRows(c *candidate) bool {
	u := p.files[c.parts[0].file].sv.units[c.parts[0].unit]
	for at := range u.read {
		if at < numberedEnd {
			return true
		}
	}
	return slices.ContainsFunc(u.exported, func(at int64) bool { return at < numberedEnd })
}

// things are hashes of the things that a file's rows bill, sorted.
func (p *Plan) things(c *candidate) []uint64 {
	s := &p.files[c.parts[0].file].sv.units[c.parts[0].unit].subjects
	slices.Sort(s.things)
	s.things = slices.Compact(s.things)
	return s.things
}

var (
	partNumber = regexp.MustCompile(`^(.*?)(\d{1,5})$`)
	dayAtEnd   = regexp.MustCompile(`\d{4}[-_]?\d{2}[-_]?\d{2}$`)
)

// numbered splits the number off the name of a part; ok is false for names without a number, or
// with a day, at the end.
func numbered(name string) (stem string, n int, ok bool) {
	name, _, _ = strings.Cut(path.Base(name), ".")
	m := partNumber.FindStringSubmatch(name)
	if m == nil || dayAtEnd.MatchString(name) {
		return "", 0, false
	}
	n, err := strconv.Atoi(m[2])
	return strings.TrimRight(m[1], "0"), n, err == nil
}

// lastNumbers reports whether newer files are the earlier parts of the same name: all of them
// have smaller numbers.
func (p *Plan) lastNumbers(c *candidate, newer []*candidate) bool {
	name := func(c *candidate) string { return p.files[c.parts[0].file].sv.File.Name }
	stem, n, ok := numbered(name(c))
	same := false
	for _, other := range newer {
		s, m, is := numbered(name(other))
		if !ok || !is || s != stem || m >= n {
			return false
		}
		same = true
	}
	return same
}
