package pages

import (
	"context"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation/owner"
	"gpuledger/internal/store/pg"
)

// LookAlikes are values of owners that differ in case and separators only.
func (s *Pages) LookAlikes(ctx context.Context) ([]owner.LookAlike, error) {
	var values []owner.Value
	err := s.QueryRead(ctx, "doctor.owner_values", func(rows pgx.Rows) error {
		var v owner.Value
		err := rows.Scan(&v.Dimension, &v.Text, &v.Workloads)
		values = append(values, v)
		return err
	}, pg.Tenant)
	if err != nil {
		return nil, err
	}
	return owner.LookAlikes(values), nil
}
