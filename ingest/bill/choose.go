package bill

import (
	"context"
	"errors"

	"gpuledger/internal/ledger"
)

// Unread counts the rows of files that are not read a second time, because
// nothing of them is loaded.
func (p *Plan) Unread() *ledger.Tally {
	tally := &ledger.Tally{}
	for _, f := range p.files {
		left := f.sv.Rows - f.sv.Tally.RejectedRows()
		for key := range f.repeated {
			tally.Ignore(repeatedRows, f.sv.units[key].rows)
			left -= f.sv.units[key].rows
		}
		tally.Ignore(refusedDelivery, max(left, 0))
	}
	return tally
}

// Choose makes the first pass again over files of which only some rows are new,
// for the control totals of these. It must be called before Read.
func (p *Plan) Choose(ctx context.Context) error {
	for _, f := range p.files {
		some := false
		for _, c := range f.chosen {
			some = some || c.taker != nil
		}
		if f.skip || !some {
			continue
		}
		sv, err := SurveyFile(ctx, p.format, f.sv.File, SurveyOptions{Lines: true, chosen: f.chosen})
		if err != nil {
			return err
		}
		if sv.SHA256 != f.sv.SHA256 {
			return &ledger.FileError{Rejection: ledger.Rejection{File: f.sv.File.Name, Reason: "file changed",
				Detail: "its content changed between two passes over it; import it again"}}
		}
		for key, slot := range f.slots {
			if c := f.chosen[key]; c == nil || c.taker == nil {
				continue
			}
			if sv.units[key] == nil {
				return errors.New("rows that were chosen are not in " + f.sv.File.Name)
			}
			d := p.deliveries[slot]
			d.addFile(sv, key, d.Scope)
		}
	}
	p.number() // rewinds what was taken
	return nil
}
