package store

import (
	"context"
	"embed"

	people "gpuledger/internal/access"
	"gpuledger/internal/store/access"
	"gpuledger/internal/store/bills"
	"gpuledger/internal/store/book"
	"gpuledger/internal/store/explain"
	"gpuledger/internal/store/exports"
	"gpuledger/internal/store/facts"
	"gpuledger/internal/store/figures"
	"gpuledger/internal/store/pages"
	"gpuledger/internal/store/periods"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/report"
	"gpuledger/internal/store/verify"
)

//go:embed sql
var sqlFiles embed.FS

var _ = pg.Register(sqlFiles)

// Store is one gpuledger database. It is safe for concurrent use.
type Store struct {
	*pg.DB
	*bills.Bills
	*facts.Facts
	*book.Book
	*report.Reports
	*pages.Pages
	*figures.Figures
	*explain.Explainer
	*verify.Verifier
	*periods.Periods

	Access  *access.Access
	Exports *exports.Exports
}

// Open connects to the database of dsn (URL or keyword form) and checks that
// it answers. It does not migrate.
func Open(ctx context.Context, dsn string, opt pg.Options) (*Store, error) {
	db, err := pg.Open(ctx, dsn, opt)
	if err != nil {
		return nil, err
	}
	return on(db), nil
}

// Beside opens a store on the same database with separate connections, so that its users never wait for those of s. It
// connects on first use.
func (s *Store) Beside(ctx context.Context, conns int32) (*Store, error) {
	db, err := s.DB.Beside(ctx, conns)
	if err != nil {
		return nil, err
	}
	return on(db), nil
}

// RefreshScopes recomputes the members of scopes after owners or machines changed.
func (s *Store) RefreshScopes(ctx context.Context) error { return s.Access.RefreshScopes(ctx) }

// Conditions are those of a viewer's scope; none if the viewer sees everything.
func (s *Store) Conditions(ctx context.Context, v *people.Viewer) ([]string, error) {
	return s.Access.Conditions(ctx, v)
}

// on builds all parts of the store on one pool.
func on(db *pg.DB) *Store {
	s := &Store{
		DB: db, Bills: &bills.Bills{DB: db}, Facts: &facts.Facts{DB: db}, Book: &book.Book{DB: db},
		Reports: &report.Reports{DB: db}, Pages: &pages.Pages{DB: db}, Verifier: &verify.Verifier{DB: db},
	}
	s.Figures = &figures.Figures{DB: db, Bills: s.Bills, Book: s.Book, Facts: s.Facts, Reports: s.Reports}
	s.Explainer = &explain.Explainer{DB: db, Book: s.Book, From: s.Reports}
	s.Access = &access.Access{DB: db}
	s.Exports = &exports.Exports{DB: db}
	s.Periods = &periods.Periods{DB: db, Book: s.Book, Verifier: s.Verifier}
	return s
}
