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

// A delivery is loaded whole or not at all. The deliveries of one import are independent: a
// fault in one does not affect the others.

// Unreadable stands for a file that SurveyFile refused; sv is what it could read of the file,
// or nil.
func Unreadable(f blob.File, sv *Survey) *Survey {
	if sv == nil {
		return &Survey{File: f, units: map[Unit]*unit{}, unreadable: true}
	}
	return sv
}

// broken reports whether a file cannot be loaded.
func (sv *Survey) broken() bool { return sv.unreadable || sv.Tally.RejectedRows() > 0 }

// refuse records the reason why something is left out.
func (p *Plan) refuse(r ledger.Rejection) { p.Refused = append(p.Refused, r) }

// refuseErr is refuse for an error of a file.
func (p *Plan) refuseErr(err *ledger.FileError) { p.refuse(err.Rejection) }

// stem is a file's folder and its name without numbers and endings: parts of a delivery are
// numbered.
func stem(f blob.File) string {
	name, _, _ := strings.Cut(f.Base(), ".")
	return f.Folder() + "/" + digitRuns.ReplaceAllString(name, "#")
}

var digitRuns = regexp.MustCompile(`\d+`)

// incomplete names the broken file that a group of candidates lacks, a part of the same
// delivery by its name or by its rows; empty if it lacks none.
func (p *Plan) incomplete(group []*candidate) string {
	for _, f := range p.files {
		if !f.sv.broken() {
			continue
		}
		for _, c := range group {
			if c.manifest != nil {
				continue // all of its files were examined
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

// apart excludes files of an append-only partition that share an export time with a broken
// file, directly or through a third file: no time may be loaded in part. The other files are
// loaded, and the broken files' rows add to them when they arrive.
func (p *Plan) apart(group []*candidate) []*candidate {
	unit := group[0].unit
	spoilt := map[int64]string{} // times with their broken file
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

// Spoil marks a delivery as refused. Its rows are in no other plan of these files, since they
// were already examined.
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

// spoilBy marks a delivery as refused because of a file.
func (p *Plan) spoilBy(slot, file int) {
	p.Spoil(slot)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.faulty[slot] == nil {
		p.faulty[slot] = map[int]bool{}
	}
	p.faulty[slot][file] = true
}

// Companions are the refusals of faultless files that belong to a delivery in which the second
// pass refused another file.
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

// Close frees data that is only needed while files are read.
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
