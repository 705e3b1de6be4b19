package pages

import (
	"context"

	"gpuledger/allocation/owner"
	"gpuledger/internal/store/pg"
)

// LookAlikes are values of owners that differ only in case and separators.
func (s *Pages) LookAlikes(ctx context.Context) ([]owner.LookAlike, error) {
	values, err := pg.List[owner.Value](ctx, s.ReadOnly(), "doctor.owner_values", pg.Tenant)
	if err != nil {
		return nil, err
	}
	return owner.LookAlikes(values), nil
}
