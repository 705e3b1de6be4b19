package api

import (
	"io"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/metrics"
	"gpuledger/web/operate"
)

const (
	mappingsDataset = "mappings"
	mappingPath     = root + "/" + mappingsDataset + "/{name}"
)

// mappingDocuments are the bodies of routes that take a mapping.
var mappingDocuments = []Content{
	{Type: "application/yaml", Schema: object{"type": "string"},
		Example: "name: renamed-2027\nvalid_from: 2027-01-01\nnote: the speech team is now audio\n" +
			"values:\n- {key: team, from: [speech, asr], to: audio}\n"},
	{Type: "application/json", Schema: object{"type": "object"},
		Example: object{"name": "renamed-2027", "valid_from": "2027-01-01",
			"values": []any{object{"key": "team", "from": []any{"speech", "asr"}, "to": "audio"}}}},
}

var mappingParameters = []Parameter{{Name: "reason", In: "query", Doc: "Why this version, for the audit log.",
	Schema: object{"type": "string"}, Example: "the team was renamed"}}

func (a *API) saveMapping(r *http.Request, by string) (any, error) {
	document, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	return a.desk.Ledger.SaveMapping(r.Context(), document, r.URL.Query().Get("reason"), by)
}

func (a *API) tryMapping(r *http.Request, _ string) (any, error) {
	return tried(r, a.desk.Ledger.TryMapping)
}

// mapping answers GET /api/v1/mappings/{name}: all versions of one mapping, as the dataset has them.
func (a *API) mapping(w http.ResponseWriter, r *http.Request) {
	name := chi.URLParam(r, "name")
	asked := r.Clone(r.Context())
	asked.URL.RawQuery = url.Values{
		"filter": {metrics.FilterText(metrics.Compare{Key: "name", Op: metrics.Equal, Values: []string{name}})},
		"format": {"json"}, "limit": {strconv.Itoa(longPageRows)}}.Encode()
	req, err := parseRequest(mappingsDataset, asked)
	if err == nil {
		err = a.knows(asked, req, name)
	}
	if err != nil {
		a.fail(w, r, err)
		return
	}
	a.answer(w, r, req)
}

// knows returns an error if a question about one mapping has no rows.
func (a *API) knows(r *http.Request, req *request, name string) error {
	if err := req.query.SeenBy(access.From(r.Context())); err != nil {
		return err
	}
	q := req.query
	q.Limit = 1
	rows, err := a.reader.Query(r.Context(), q)
	if err != nil {
		return err
	}
	defer rows.Close()
	if !rows.Next() && rows.Err() == nil {
		return &operate.MissingError{Err: &noMappingError{name}}
	}
	return rows.Err()
}

// noMappingError means that there is no mapping of a name.
type noMappingError struct{ name string }

// Error implements error.
func (e *noMappingError) Error() string {
	return "there is no mapping " + e.name + "; the dataset mappings lists all"
}

// mappingRoute describes GET /api/v1/mappings/{name}.
func mappingRoute() Route {
	d, err := metrics.LookupDataset(mappingsDataset)
	if err != nil {
		panic(err) // it is a dataset
	}
	r := Route{Method: http.MethodGet, Path: mappingPath, ID: "get_mapping", Tag: tagDatasets,
		Summary:    "All versions of one mapping, the one in force of each day with the status holds.",
		Parameters: []Parameter{inPathOf("name", "Name of the mapping.", "renamed-2027")},
		Answers: []Answer{{Status: http.StatusOK, Doc: "Its versions.", Contents: datasetContents(d)[:1]},
			{Status: http.StatusNotModified, Doc: "Unchanged since If-None-Match."},
			{Status: http.StatusNotFound, Doc: "There is no such mapping."}}}
	return r
}
