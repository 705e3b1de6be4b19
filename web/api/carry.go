package api

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/klauspost/compress/gzhttp"

	"gpuledger/internal/export"
	"gpuledger/metrics"
)

// packed are formats that are compressed as they are.
var packed = []string{export.Parquet.ContentType(), export.XLSX.ContentType(), "application/pdf"}

// compressible reports whether answers of a content type are compressed on their way.
func compressible(contentType string) bool {
	return contentType != "" && !slices.Contains(packed, contentType)
}

// compressed answers in zstd or gzip where the client reads it. The length of an answer reveals no secret: no answer of
// the API repeats one of its request.
var compressed = func() func(http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.EnableZstd(true), gzhttp.PreferZstd(true), gzhttp.ContentTypeFilter(compressible))
	if err != nil {
		panic(err) // the options are constants
	}
	return func(h http.Handler) http.Handler { return wrap(h) }
}()

const anywhere = "/api/*"

// nowhere answers requests that no route of r takes: 405 where the address has other methods, else 404.
func (a *API) nowhere(r chi.Router) http.HandlerFunc {
	methods := []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
	return func(w http.ResponseWriter, req *http.Request) {
		var takes []string
		for _, method := range methods {
			found := chi.NewRouteContext()
			if !r.Match(found, method, req.URL.Path) || found.RoutePattern() == anywhere {
				continue
			}
			if name := found.URLParam("dataset"); name != "" {
				if _, err := metrics.LookupDataset(name); err != nil {
					continue
				}
			}
			takes = append(takes, method)
		}
		if takes == nil {
			a.problem(w, req, problem{Title: "no such address", Status: http.StatusNotFound,
				Detail: fmt.Sprintf("%s does not exist; /openapi.json lists all addresses", req.URL.Path)})
			return
		}
		allow := strings.Join(takes, ", ")
		w.Header().Set("Allow", allow)
		a.problem(w, req, problem{Title: "method not allowed", Status: http.StatusMethodNotAllowed,
			Detail: fmt.Sprintf("%s takes %s, not %s", req.URL.Path, allow, req.Method)})
	}
}
