package main

import (
	"context"

	"gpuledger/internal/folder"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store/book"
	"gpuledger/metrics"
	"gpuledger/web/operate"
)

// SaveMapping implements operate.Ledger.
func (l deskLedger) SaveMapping(
	ctx context.Context, document []byte, reason, by string,
) (operate.SavedMapping, error) {
	m, err := l.Store.SaveMapping(ctx, document, reason, by)
	if err != nil {
		return operate.SavedMapping{}, refused(err)
	}
	return operate.SavedMapping{Name: m.Name, ValidFrom: dayOrNone(m.ValidFrom), Version: m.Number, Stored: m.Stored}, nil
}

// TryMapping implements operate.Ledger.
func (l deskLedger) TryMapping(
	ctx context.Context, document []byte, within period.Interval,
) (*operate.TriedMapping, error) {
	one, faults := folder.OneMapping("", document)
	if len(faults) > 0 {
		return nil, refused(&book.MappingError{Faults: faults})
	}
	state, err := l.Configuration(ctx)
	if err != nil {
		return nil, err
	}
	plan, faults := folder.Compare(state, one)
	if len(faults) > 0 {
		return nil, refused(&book.MappingError{Faults: faults})
	}
	change := plan.Changes[0]
	out := &operate.TriedMapping{Name: change.Name, Action: string(change.Action), Fields: change.Fields,
		Money: []metrics.Move{}}
	if !plan.Moves() {
		return out, nil
	}
	moves, err := posting.Moves(ctx, l.Store, &posting.Proposal{Book: plan.Book}, plan.Keys(state), within)
	if err != nil {
		return nil, err
	}
	out.Money, out.Days, out.Waiting = moves.Rows, moves.Days, moves.Waiting
	out.From, out.To = dayOrNone(moves.From), dayOrNone(moves.To)
	return out, nil
}

// dayOrNone is a day as text; nil for none.
func dayOrNone(at period.Second) *string {
	if at == 0 {
		return nil
	}
	text := dayText(at)
	return &text
}
