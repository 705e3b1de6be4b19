package operate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/metrics"
)

// Views stores saved views. What is missing, or belongs to someone else and is not shared, gives a
// *access.UnknownViewError.
type Views interface {
	Views(ctx context.Context, h access.Holder) ([]access.SavedView, error)
	View(ctx context.Context, h access.Holder, id ledger.ID) (access.SavedView, error)
	// StartView is the address of the holder's start page; empty if there is none.
	StartView(ctx context.Context, h access.Holder) (url string, err error)
	SaveView(ctx context.Context, h access.Holder, v access.SavedView, at time.Time) (ledger.ID, error)
	ChangeView(ctx context.Context, h access.Holder, id ledger.ID, c access.ViewChange, at time.Time) error
	DropView(ctx context.Context, h access.Holder, id ledger.ID, at time.Time) error
	StartWith(ctx context.Context, h access.Holder, id ledger.ID, start bool, at time.Time) error
}

// Shelf keeps the saved views of the viewer in the context.
type Shelf struct {
	Store Views
	// Page refuses any address other than a page of this server.
	Page func(address string) error
	Now  func() time.Time
}

// List lists the viewer's views by name, then those that others share.
func (s *Shelf) List(ctx context.Context) ([]access.SavedView, error) {
	return s.Store.Views(ctx, holder(ctx))
}

// Start is the address of the viewer's start page; empty if there is none.
func (s *Shelf) Start(ctx context.Context) (string, error) {
	return s.Store.StartView(ctx, holder(ctx))
}

// View returns a view that the viewer may see.
func (s *Shelf) View(ctx context.Context, id string) (access.SavedView, error) {
	parsed, err := viewID(id)
	if err != nil {
		return access.SavedView{}, err
	}
	return s.Store.View(ctx, holder(ctx), parsed)
}

// Save saves an address for the viewer. A *metrics.OptionError names the invalid field.
func (s *Shelf) Save(ctx context.Context, name, url string, shared bool) (ledger.ID, error) {
	name, err := viewName(name)
	if err == nil {
		err = s.Page(url)
	}
	if err != nil {
		return ledger.ID{}, err
	}
	id, err := s.Store.SaveView(ctx, holder(ctx), access.SavedView{Name: name, URL: url, Shared: shared}, s.Now())
	return id, refusal(err)
}

// Rename gives the viewer's view another name.
func (s *Shelf) Rename(ctx context.Context, id, name string) error {
	name, err := viewName(name)
	if err != nil {
		return err
	}
	return s.change(ctx, id, access.ViewChange{Name: &name})
}

// Share shows the viewer's view to everyone who is signed in, or no longer.
func (s *Shelf) Share(ctx context.Context, id string, shared bool) error {
	return s.change(ctx, id, access.ViewChange{Shared: &shared})
}

func (s *Shelf) change(ctx context.Context, id string, c access.ViewChange) error {
	parsed, err := viewID(id)
	if err != nil {
		return err
	}
	return s.Store.ChangeView(ctx, holder(ctx), parsed, c, s.Now())
}

// StartWith makes a view the viewer's start page, or no longer.
func (s *Shelf) StartWith(ctx context.Context, id string, start bool) error {
	parsed, err := viewID(id)
	if err != nil {
		return err
	}
	return s.Store.StartWith(ctx, holder(ctx), parsed, start, s.Now())
}

// Drop deletes the viewer's view.
func (s *Shelf) Drop(ctx context.Context, id string) error {
	parsed, err := viewID(id)
	if err != nil {
		return err
	}
	return s.Store.DropView(ctx, holder(ctx), parsed, s.Now())
}

func holder(ctx context.Context) access.Holder { return access.HolderOf(access.From(ctx)) }

func viewID(text string) (ledger.ID, error) {
	id, err := ledger.ParseID(text)
	if err != nil {
		err = &access.UnknownViewError{ID: text}
	}
	return id, err
}

func viewName(text string) (string, error) {
	name := strings.TrimSpace(text)
	if name == "" || utf8.RuneCountInString(name) > access.LongestViewName ||
		strings.ContainsFunc(name, unicode.IsControl) {
		return "", &metrics.OptionError{Option: "name", Value: text,
			Reason: fmt.Sprintf("must be one line of 1 to %d characters", access.LongestViewName)}
	}
	return name, nil
}

// refusal turns a refusal of the store into one of the desk.
func refusal(err error) error {
	if r, ok := errors.AsType[*access.RefusedError](err); ok {
		return &RefusedError{[]string{r.Reason}}
	}
	return err
}
