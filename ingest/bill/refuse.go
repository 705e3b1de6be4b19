package bill

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// A delivery is loaded whole or not at all, and the deliveries of one import
// do not stand for each other: what is wrong with one leaves the others be.

// Unreadable stands for a file that SurveyFile refused; sv is what it read of it,
// or nil.
func Unreadable(f blob.File, sv *Survey) *Survey {
	if sv == nil {
		return &Survey{File: f, units: map[Unit]*unit{}, unreadable: true}
	}
	return sv
}

// broken reports whether a file cannot be loaded.
func (sv *Survey) broken() bool { return sv.unreadable || sv.Tally.RejectedRows() > 0 }

// refuse remembers why something is left out.
func (p *Plan) refuse(r ledger.Rejection) { p.Refused = append(p.Refused, r) }

// refuseErr is refuse for an error of a file.
func (p *Plan) refuseErr(err *ledger.FileError) { p.refuse(err.Rejection) }

// stem is where a file lies and its name without numbers and endings: parts of
// a delivery are numbered.
func stem(f blob.File) string {
	name, _, _ := strings.Cut(f.Base(), ".")
	return f.Folder() + "/" + digitRuns.ReplaceAllString(name, "#")
}

var digitRuns = regexp.MustCompile(`\d+`)

// incomplete reports which broken file a group of candidates lacks, empty when
// none: a part of the same delivery by its name, or by what its rows say.
func (p *Plan) incomplete(group []*candidate) string {
	for _, f := range p.files {
		if !f.sv.broken() {
			continue
		}
		for _, c := range group {
			if c.manifest != nil {
				continue // its files were all looked at
			}
			for _, pt := range c.parts {
				if stem(p.files[pt.file].sv.File) == stem(f.sv.File) {
					return f.sv.File.Name
				}
			}
			if c.folder != f.sv.File.Folder() {
				continue
			}
			for u := range f.sv.units {
				if u.Scope == c.unit.Scope && u.Partition == c.unit.Partition && u.Dataset == c.unit.Dataset {
					return f.sv.File.Name
				}
			}
		}
	}
	return ""
}

// apart leaves out of the files of a partition of an append-only export those that
// share a time of export with a broken one, be it through a third: no time is
// loaded in part as far as anybody can tell. The others are loaded: what the broken
// ones hold adds up with it when it comes.
func (p *Plan) apart(group []*candidate) []*candidate {
	unit := group[0].unit
	spoilt := map[int64]string{} // times, with the broken file that has them
	for _, f := range p.files {
		for u, rows := range f.sv.units {
			if f.sv.broken() && f.scope[u] == unit.Scope && u.Partition == unit.Partition && u.Dataset == unit.Dataset {
				for at := range rows.reading() {
					spoilt[at] = f.sv.File.Name
				}
			}
		}
	}
	for again := len(spoilt) > 0; again; {
		again = false
		group = slices.DeleteFunc(group, func(c *candidate) bool {
			rows := p.files[c.parts[0].file].sv.units[c.parts[0].unit].reading()
			shared := slices.DeleteFunc(slices.Collect(maps.Keys(rows)), func(at int64) bool { return spoilt[at] == "" })
			if len(shared) == 0 {
				return false
			}
			first := slices.Min(shared)
			by := spoilt[first]
			for at := range rows {
				spoilt[at] = cmp.Or(spoilt[at], by)
			}
			p.refuse(ledger.Rejection{File: p.namesOf([]*candidate{c}), Reason: "incomplete delivery",
				Detail: fmt.Sprintf("%s was refused and also has rows %s, so these are not loaded either; deliver both again", by,
					p.moment(first))})
			p.leaveOut([]*candidate{c})
			again = true
			return true
		})
	}
	return group
}

// leaveOut excludes the rows of a group.
func (p *Plan) leaveOut(group []*candidate) {
	for _, c := range group {
		for _, pt := range c.parts {
			p.files[pt.file].excluded[pt.unit] = true
		}
	}
}

// namesOf lists the files of a group.
func (p *Plan) namesOf(group []*candidate) string {
	var names []string
	for _, c := range group {
		for _, pt := range c.parts {
			if n := p.files[pt.file].sv.File.Name; !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	return strings.Join(names, ", ")
}

// incompleteDelivery is the refusal of a group that lacks a broken file.
func (p *Plan) incompleteDelivery(group []*candidate, without string) ledger.Rejection {
	return ledger.Rejection{File: p.namesOf(group), Reason: "incomplete delivery",
		Detail: fmt.Sprintf("%s of the same delivery was refused, so these rows are not loaded either; deliver it again, "+
			"or move it to a separate folder if it belongs elsewhere", without)}
}

// Spoil marks a delivery that is refused. Its rows are in no other plan of these
// files either: they were looked at.
func (p *Plan) Spoil(slot int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spoiled[slot] = true
}

// SpoilFile marks the deliveries of a file that could not be read.
func (p *Plan) SpoilFile(i int) {
	for _, slot := range p.files[i].slots {
		p.spoilBy(slot, i)
	}
}

// spoilBy marks a delivery that is refused for what a file holds.
func (p *Plan) spoilBy(slot, file int) {
	p.Spoil(slot)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.faulty[slot] == nil {
		p.faulty[slot] = map[int]bool{}
	}
	p.faulty[slot][file] = true
}

// Companions are the refusals of files in which nothing is wrong, but which belong to
// a delivery of which the second pass refused another file.
func (p *Plan) Companions() (out []ledger.Rejection) {
	for _, slot := range slices.Sorted(maps.Keys(p.faulty)) {
		var bad, good []string
		for _, pt := range p.deliveries[slot].parts {
			list := &good
			if p.faulty[slot][pt.file] {
				list = &bad
			}
			if name := p.files[pt.file].sv.File.Name; !slices.Contains(*list, name) {
				*list = append(*list, name)
			}
		}
		if len(good) > 0 {
			out = append(out, ledger.Rejection{File: strings.Join(good, ", "), Reason: "incomplete delivery",
				Detail: strings.Join(bad, ", ") +
					" of the same delivery was refused, so these rows are not loaded either; import them together again when it " +
					"is corrected"})
		}
	}
	return out
}

// Spoiled lists the slots of deliveries that were refused.
func (p *Plan) Spoiled() []int {
	slots := slices.Sorted(maps.Keys(p.spoiled))
	for _, slot := range slots {
		for _, pt := range p.deliveries[slot].parts {
			p.files[pt.file].sv.bad[pt.unit] = true
		}
	}
	return slots
}

// refusedBefore reports whether rows of a group were refused under another plan.
func (p *Plan) refusedBefore(group []*candidate) bool {
	for _, c := range group {
		for _, pt := range c.parts {
			if p.files[pt.file].sv.bad[pt.unit] {
				return true
			}
		}
	}
	return false
}

// Close forgets what was only needed while files were read.
func (p *Plan) Close() error {
	var errs []error
	for _, d := range p.deliveries {
		errs = append(errs, d.seen.close())
	}
	return errors.Join(errs...)
}

// Names lists the files of deliveries.
func (p *Plan) Names(slots ...int) string {
	var names []string
	for _, slot := range slots {
		for _, name := range p.deliveries[slot].names {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return strings.Join(names, ", ")
}
