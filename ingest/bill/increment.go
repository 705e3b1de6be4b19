package bill

import (
	"fmt"
	"slices"

	"gpuledger/internal/ledger"
)

// Increments are files of providers without an append-only contract: daily files, or files with
// only new rows. Their rows are identified by the start of their charge period and, if they
// have one, by the provider's row number.

// together holds each row of all readings, as often as the reading in which it occurs most.
func together(readings []*read) Reading {
	own := Reading{}
	for _, r := range readings {
		more, _ := own.missing(r.rows)
		own.add(more)
	}
	return own
}

// replaced returns the stored deliveries that the group replaces. These are deliveries whose
// files were overwritten with content that lacks some of their rows, if all of their files are
// here or gone; otherwise all stored ones, if a later delivery bills every charge period that
// they bill.
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

// later reports whether a group has a time and no stored delivery is as late.
func (p *Plan) later(group []*candidate, stored []Stored) bool {
	whole := join(group)
	at, _, _ := p.time(whole, "")
	return at != nil && !slices.ContainsFunc(stored, func(s Stored) bool {
		return s.DeliveredAt != nil && *s.DeliveredAt >= *at
	})
}

// covers reports whether r has rows of every charge period of another reading and no row of
// either has a number: then it is a whole delivery, not an increment.
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

// sameThings refuses files of one folder that bill the same usage with other texts or costs:
// parts of one delivery never do.
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

// conflict describes the fault of a reading, and the remedy.
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

// moment names the rows of a time.
func (p *Plan) moment(at int64) string {
	if appends(p.format) {
		return exportedAt(at)
	}
	if at < numberedEnd {
		at -= numberedRows
	}
	return "of charge periods that start at " + seconds(at)
}
