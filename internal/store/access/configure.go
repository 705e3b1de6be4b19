package access

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/folder"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// fromFiles holds the views of configuration files. No user, token or operator has its key.
var fromFiles = access.Holder{Key: "files", Name: "configuration files"}

// mostConfigured is how many views files may have.
const mostConfigured = 1000

// ConfiguredViews lists the views for everyone: those of files first, then what people share.
func ConfiguredViews(ctx context.Context, q pg.Querier) (list []folder.View, err error) {
	err = pg.Each(ctx, q, "access.configured_views", func(r struct {
		ID        ledger.ID
		Name, URL string
		Own       bool
	}) error {
		list = append(list, folder.View{ID: r.ID, Name: r.Name, URL: r.URL, Own: r.Own})
		return nil
	}, pg.Tenant, fromFiles.Key)
	return list, err
}

// ConfigureViews stores views of files, each with an entry in the audit log. A view with an id gets another address.
func ConfigureViews(ctx context.Context, tx pgx.Tx, list []folder.View, by, reason string, at time.Time) error {
	type words struct {
		viewWords
		Reason string `json:"reason,omitempty"`
	}
	for _, v := range list {
		said := words{viewWords{v.Name, v.URL, true}, reason}
		id, action := v.ID, "view changed"
		if id.IsZero() {
			id, action = randomID(), "view saved"
			n, err := pg.Exec(ctx, tx, "access.put_view", pg.Tenant, fromFiles.Key, id, fromFiles.Name, v.Name, v.URL, true, at,
				mostConfigured)
			if err == nil && n == 0 {
				err = refuse("files have %d views, which is the most", mostConfigured)
			}
			if err != nil {
				return err
			}
		} else if _, err := pg.Exec(ctx, tx, "access.move_view", pg.Tenant, fromFiles.Key, id, v.URL); err != nil {
			return err
		}
		if err := audit(ctx, tx, at, by, action, id.String(), said); err != nil {
			return err
		}
	}
	return nil
}
