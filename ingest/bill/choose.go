package bill

import (
	"context"
	"errors"
	"slices"

	"gpuledger/internal/ledger"
)

// Ignored counts the rows that were read but are neither rejected nor in a delivery of the
// plan. Call it after everything publishable was published.
func (p *Plan) Ignored() *ledger.Tally {
	tally := &ledger.Tally{}
	for _, f := range p.files {
		good := f.sv.Rows - f.sv.Tally.RejectedRows()
		if f.skip {
			reason := refusedDelivery
			if slices.Contains(p.Leftover, f.sv.File.Name) {
				reason = "not in the manifest"
			}
			tally.Ignore(reason, good)
			continue
		}
		for key, u := range f.sv.units {
			slot, planned := f.slots[key]
			c := f.chosen[key]
			switch {
			case f.aside[key] != "":
				tally.Ignore(f.aside[key], u.rows)
			case f.excluded[key] || planned && p.spoiled[slot]:
				tally.Ignore(refusedDelivery, u.rows-f.sv.wrong[key])
			case f.repeated[key]:
				tally.Ignore(repeatedRows, u.rows)
			case c != nil && c.taker != nil:
				tally.Ignore(repeatedRows, u.rows-f.taken[key])
			}
		}
	}
	return tally
}

// Choose repeats the first pass for files of which only some rows are new, to compute the
// control totals of the new rows. Call it before Read.
func (p *Plan) Choose(ctx context.Context) error {
	for _, f := range p.files {
		some := false
		for _, c := range f.chosen {
			some = some || c.taker != nil
		}
		if f.skip || !some {
			continue
		}
		sv, err := SurveyFile(ctx, p.format, f.sv.File, SurveyOptions{Lines: true, Hints: f.sv.hints, chosen: f.chosen})
		if err != nil {
			return err
		}
		if sv.SHA256 != f.sv.SHA256 {
			return &ledger.FileError{Rejection: ledger.Rejection{File: f.sv.File.Name, Reason: "file changed",
				Detail: "the file changed while it was imported; import it again"}}
		}
		for key, slot := range f.slots {
			if c := f.chosen[key]; c == nil || c.taker == nil {
				continue
			}
			if sv.units[key] == nil {
				return errors.New("the rows to load are missing from " + f.sv.File.Name)
			}
			d := p.deliveries[slot]
			d.addFile(sv, key, d.Scope)
			f.taken[key] = sv.units[key].rows
		}
	}
	p.number() // rewinds the takers
	return nil
}
