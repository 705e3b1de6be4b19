package access

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

const (
	mostViews  = 100 // of one holder
	mostShared = 500 // of others that are listed, newest first
)

// viewWords is the audit log's detail about a saved view.
type viewWords struct {
	Name   string `json:"name"`
	URL    string `json:"url"`
	Shared bool   `json:"shared"`
}

// Views lists the holder's saved views by name, then those that others share, the newest first.
func (s *Access) Views(ctx context.Context, h access.Holder) ([]access.SavedView, error) {
	return pg.List[access.SavedView](ctx, s.DB.Pool, "access.views", pg.Tenant, h.Key, mostShared)
}

// View returns a saved view that the holder may see; otherwise a *access.UnknownViewError.
func (s *Access) View(ctx context.Context, h access.Holder, id ledger.ID) (access.SavedView, error) {
	v, found, err := pg.Found(pg.One[access.SavedView](ctx, s.DB.Pool, "access.view", pg.Tenant, h.Key, id))
	if err == nil && !found {
		err = &access.UnknownViewError{ID: id.String()}
	}
	return v, err
}

// StartView is the address that the holder starts with; empty if there is none.
func (s *Access) StartView(ctx context.Context, h access.Holder) (url string, err error) {
	url, _, err = pg.Found(pg.Value[string](ctx, s.DB.Pool, "access.start_view", pg.Tenant, h.Key))
	return url, err
}

// SaveView stores the name, address and sharing of a view. It returns a *access.RefusedError if the holder has too
// many.
func (s *Access) SaveView(
	ctx context.Context, h access.Holder, v access.SavedView, at time.Time,
) (id ledger.ID, err error) {
	id = randomID()
	return id, s.DB.InTx(ctx, "save a view", func(tx pgx.Tx) error {
		n, err := pg.Exec(ctx, tx, "access.put_view", pg.Tenant, h.Key, id, h.Name, v.Name, v.URL, v.Shared, at, mostViews)
		if err != nil {
			return err
		}
		if n == 0 {
			return refuse("you have %d saved views, which is the most: delete one first", mostViews)
		}
		return audit(ctx, tx, at, h.Name, "view saved", id.String(), viewWords{v.Name, v.URL, v.Shared})
	})
}

// ChangeView renames the holder's view, or shares it or stops sharing it.
func (s *Access) ChangeView(
	ctx context.Context, h access.Holder, id ledger.ID, c access.ViewChange, at time.Time,
) error {
	return s.DB.InTx(ctx, "change a view", func(tx pgx.Tx) error {
		was, err := ownView(ctx, tx, "access.own_view", h, id)
		if err != nil {
			return err
		}
		now := was
		if c.Name != nil {
			now.Name = *c.Name
		}
		if c.Shared != nil {
			now.Shared = *c.Shared
		}
		if now == was {
			return nil
		}
		if _, err := pg.Exec(ctx, tx, "access.change_view", pg.Tenant, h.Key, id, c.Name, c.Shared); err != nil {
			return err
		}
		return audit(ctx, tx, at, h.Name, "view changed", id.String(), moved{was, now})
	})
}

// DropView deletes the holder's view.
func (s *Access) DropView(ctx context.Context, h access.Holder, id ledger.ID, at time.Time) error {
	return s.DB.InTx(ctx, "delete a view", func(tx pgx.Tx) error {
		was, err := ownView(ctx, tx, "access.drop_view", h, id)
		if err != nil {
			return err
		}
		return audit(ctx, tx, at, h.Name, "view deleted", id.String(), was)
	})
}

// StartWith makes a view that the holder may see the start page of the holder, or no longer.
func (s *Access) StartWith(ctx context.Context, h access.Holder, id ledger.ID, start bool, at time.Time) error {
	v, err := s.View(ctx, h, id)
	if err != nil || v.Start == start {
		return err
	}
	statement, action := "access.drop_start", "start page removed"
	if start {
		statement, action = "access.put_start", "start page set"
	}
	return s.DB.InTx(ctx, "choose a start page", func(tx pgx.Tx) error {
		if _, err := pg.Exec(ctx, tx, statement, pg.Tenant, h.Key, id); err != nil {
			return err
		}
		return audit(ctx, tx, at, h.Name, action, id.String(), viewWords{v.Name, v.URL, v.Shared})
	})
}

// ownView runs a statement that returns a view of the holder.
func ownView(ctx context.Context, tx pgx.Tx, statement string, h access.Holder, id ledger.ID) (viewWords, error) {
	v, found, err := pg.Found(pg.One[viewWords](ctx, tx, statement, pg.Tenant, h.Key, id))
	if err == nil && !found {
		err = &access.UnknownViewError{ID: id.String()}
	}
	return v, err
}
