package bill

import (
	"fmt"
	"slices"

	"gpuledger/internal/ledger"
)

// Increments of providers that are no append-only exports by contract: daily files, or
// files with what is new. Their rows are known by the start of their charge period, and
// by the provider's number of the row where it has one.

// together is all that readings hold, each row as often as the reading that has it
// most.
func together(readings []*read) Reading {
	own := Reading{}
	for _, r := range readings {
		more, _ := own.missing(r.rows)
		own.add(more)
	}
	return own
}

// replaced are the stored deliveries whose files were overwritten with something that
// lacks rows of theirs: all of their files are here, or gone; and all stored ones where
// a later delivery bills every charge period that they bill, otherwise.
func (p *Plan) replaced(group []*candidate, stored []Stored, readings []*read) (out []Stored) {
	here := map[string][32]byte{}
	for _, c := range group {
		for _, pt := range c.parts {
			sv := p.files[pt.file].sv
			here[sv.File.Place()] = sv.SHA256
		}
	}
	own := together(readings)
	kept := Reading{}
	for _, s := range stored {
		changed, whole := false, len(s.Places) > 0
		for _, place := range s.Places {
			sum, given := here[place.Path]
			changed = changed || given && sum != place.SHA256
			whole = whole && (given || p.o.Gone != nil && p.o.Gone(place.Path))
		}
		if changed && whole && !own.holds(s.Rows) {
			out = append(out, s)
		} else {
			kept.add(s.Rows)
		}
	}
	if len(out) > 0 || p.format.Describe(group[0].unit).Increment || !p.later(group, stored) {
		return out
	}
	if _, conflicts := kept.missing(own); len(conflicts) > 0 && own.covers(kept) {
		return stored
	}
	return nil
}

// later reports whether a group has a time, and stored deliveries none that is as late.
func (p *Plan) later(group []*candidate, stored []Stored) bool {
	whole := join(group)
	at, _, _ := p.time(whole, "")
	return at != nil && !slices.ContainsFunc(stored, func(s Stored) bool {
		return s.DeliveredAt != nil && *s.DeliveredAt >= *at
	})
}

// covers reports whether r has rows of every charge period of another reading, and no
// row of either has a number: a delivery of the whole then, and no increment.
func (r Reading) covers(other Reading) bool {
	for at := range other {
		if at < numberedEnd || len(r[at]) == 0 {
			return false
		}
	}
	for at := range r {
		if at < numberedEnd {
			return false
		}
	}
	return true
}

// sameThings refuses files of one folder that bill the same usage under other words or
// at other costs: parts of one delivery do not.
func (p *Plan) sameThings(readings []*read) *ledger.FileError {
	for _, r := range readings {
		if len(r.parts) > 1 {
			if err := p.sameSubjects(r.parts); err != nil {
				return err
			}
		}
	}
	return nil
}

// conflict says what is wrong with a reading, and what to do.
func (p *Plan) conflict(r *read, conflicts []Conflict) string {
	if appends(p.format) {
		return fmt.Sprintf("an append-only export never changes rows that it wrote, but %s differs from its earlier "+
			"rows: %s; "+
			"its files were changed, or were not split by export_time; fetch the whole day again",
			p.namesOf(r.parts), p.conflictText(conflicts))
	}
	return fmt.Sprintf("files of this provider add up by charge period, and %s overlaps with stored rows "+
		"or with another file: %s; nothing was replaced. "+
		"If these files are parts of one bill, put them into one folder and import the folder; if one was corrected, "+
		"copy it over the earlier one and import that folder again",
		p.namesOf(r.parts), p.conflictText(conflicts))
}

// moment says which rows a time is of.
func (p *Plan) moment(at int64) string {
	if appends(p.format) {
		return exportedAt(at)
	}
	if at < numberedEnd {
		at -= numberedRows
	}
	return "of charge periods that start at " + seconds(at)
}
