package book

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation/policy"
	"gpuledger/internal/folder"
	"gpuledger/internal/store/pg"
)

// mappingsOf reads the mappings that apply, by name and day.
func mappingsOf(ctx context.Context, q pg.Querier) (list []folder.StoredMapping, err error) {
	err = pg.Each(ctx, q, "mapping.current", func(r struct {
		Name     string
		Version  int
		Document string
	}) error {
		m, err := policy.ParseMapping([]byte(r.Document))
		if err != nil {
			return err
		}
		list = append(list, folder.StoredMapping{Mapping: m, Number: r.Version, Document: r.Document})
		return nil
	}, pg.Tenant)
	return list, err
}

// addMapping stores the next version of a mapping, without marks.
func addMapping(
	ctx context.Context, tx pgx.Tx, m folder.StoredMapping, differences []policy.Difference, by made, at time.Time,
) error {
	_, err := pg.Exec(ctx, tx, "mapping.put", pg.Tenant, m.Name, sinceOrAlways(m.ValidFrom), m.Number, m.Document, m.Note,
		by.reason, at, by.names)
	if err != nil {
		return err
	}
	detail := move{since: m.ValidFrom, differences: differences}.detail()
	detail["version"] = m.Number
	return auditDetail(ctx, tx, at, by.actor, "store mapping", m.Name, by.detail(detail))
}
