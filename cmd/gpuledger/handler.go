package main

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/store"
	"gpuledger/web/api"
)

// handler is everything that is served.
func (a *app) handler(s *store.Store) (http.Handler, error) {
	r := chi.NewRouter()
	api.New(s, a.log).Routes(r)
	return r, nil
}
