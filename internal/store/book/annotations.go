package book

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// PublishAnnotations stores annotations and returns how many of them are new.
func (s *Book) PublishAnnotations(
	ctx context.Context, importID ledger.ID, by string, list []ledger.Annotation,
) (added int64, err error) {
	err = s.InTx(ctx, "publish annotations", func(tx pgx.Tx) (err error) {
		added, err = putAnnotations(ctx, tx, importID, by, list)
		return err
	})
	return added, err
}

// SaveAnnotations is PublishAnnotations of a user, with an entry in the audit log.
func (s *Book) SaveAnnotations(
	ctx context.Context, by string, at time.Time, list []ledger.Annotation,
) (added int64, err error) {
	err = s.InTx(ctx, "save annotations", func(tx pgx.Tx) (err error) {
		if added, err = putAnnotations(ctx, tx, ledger.ID{}, by, list); err != nil || added == 0 {
			return err
		}
		return auditDetail(ctx, tx, at, by, "annotations stored", fmt.Sprintf("%d annotations", added),
			map[string]any{"stored": added})
	})
	return added, err
}

func putAnnotations(
	ctx context.Context, tx pgx.Tx, importID ledger.ID, by string, list []ledger.Annotation,
) (added int64, err error) {
	for i := range list {
		a := &list[i]
		n, err := pg.Exec(ctx, tx, "annotation.put", pg.Tenant, a.ID(), a.At, openBound(a.Until), string(a.Kind), a.Key,
			a.Value, a.Text, a.Source, a.Link, by, importID)
		if err != nil {
			return 0, err
		}
		added += n
	}
	return added, nil
}
