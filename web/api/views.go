package api

import (
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
)

const viewsPath = root + "/views"

// viewBody is the body of POST /api/v1/views.
type viewBody struct {
	Name   string `json:"name" need:"true" example:"Our month"`
	URL    string `json:"url" need:"true" doc:"Path and parameters of a page here." example:"/?team=speech"`
	Shared bool   `json:"shared" doc:"Others see it, too."`
}

type madeView struct {
	ID   string `json:"id"`
	Link string `json:"link"`
}

type savedView struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	URL       string `json:"url"`
	Shared    bool   `json:"shared"`
	Owner     string `json:"owner"`
	Start     bool   `json:"start"`
	Link      string `json:"link"`
	CreatedAt string `json:"created_at"`
}

type savedViews struct {
	Data []savedView `json:"data"`
}

// views adds the routes of saved views, if the server keeps any. A view belongs to the viewer, so no operator is
// needed.
func (a *API) views(r chi.Router) {
	if a.desk.Shelf == nil {
		return
	}
	list := a.takes(a.bounds.Questions(http.HandlerFunc(a.listViews)), "limit")
	r.Method(http.MethodGet, viewsPath, list)
	r.Method(http.MethodHead, viewsPath, list)
	r.Method(http.MethodPost, viewsPath, a.takes(http.HandlerFunc(a.saveView)))
	r.Method(http.MethodDelete, viewsPath+"/{id}", a.takes(http.HandlerFunc(a.dropView)))
}

func (a *API) listViews(w http.ResponseWriter, r *http.Request) {
	most, err := mostOf(r)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	list, err := a.desk.Shelf.List(r.Context())
	if err != nil {
		a.fail(w, r, err)
		return
	}
	answer := savedViews{Data: []savedView{}}
	for _, v := range list[:min(most, len(list))] {
		answer.Data = append(answer.Data, savedView{
			ID: v.ID.String(), Name: v.Name, URL: v.URL, Shared: v.Shared, Owner: v.Owner, Start: v.Start,
			Link: v.Link(), CreatedAt: v.CreatedAt.UTC().Format(time.RFC3339),
		})
	}
	a.object(w, r, http.StatusOK, answer)
}

func (a *API) saveView(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, largestChange)
	err := soundBody(r)
	var body viewBody
	if err == nil {
		body, err = readBody[viewBody](r, true)
	}
	if err != nil {
		a.fail(w, r, err)
		return
	}
	id, err := a.desk.Shelf.Save(r.Context(), body.Name, body.URL, body.Shared)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	link := (&access.SavedView{ID: id}).Link()
	w.Header().Set("Location", link)
	a.object(w, r, http.StatusCreated, madeView{id.String(), link})
}

func (a *API) dropView(w http.ResponseWriter, r *http.Request) {
	if err := a.desk.Shelf.Drop(r.Context(), chi.URLParam(r, "id")); err != nil {
		a.fail(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNoContent)
}
