package bill

import (
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

// Unreadable stands for a file that SurveyFile refused.
func Unreadable(f blob.File) *Survey {
	return &Survey{File: f, units: map[Unit]*unit{}, unreadable: true}
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
			if appends(p.format) { // what its other files hold is told by times, and what they lack can come later
				for u := range f.sv.units {
					if f.scope[u] == c.unit.Scope && u.Partition == c.unit.Partition && u.Dataset == c.unit.Dataset {
						return f.sv.File.Name
					}
				}
				continue
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
		Detail: fmt.Sprintf("%s of the same delivery was refused, so these rows are not loaded either; deliver it again, or move it to a folder of its own if it belongs elsewhere", without)}
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
		p.Spoil(slot)
	}
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

// Names lists the files of a delivery.
func (p *Plan) Names(slot int) string { return strings.Join(p.deliveries[slot].names, ", ") }
