package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/confirm"
	"gpuledger/metrics"
	"gpuledger/metrics/statement"
	"gpuledger/web/operate"
)

// problem is an error answer (RFC 9457).
type problem struct {
	Type      string `json:"type"`
	Title     string `json:"title"`
	Status    int    `json:"status"`
	Detail    string `json:"detail"`
	Parameter string `json:"parameter,omitempty"` // the query parameter at fault
	// Reasons are all reasons why the ledger refuses a change.
	Reasons []string `json:"reasons,omitempty"`
}

// fail answers an error with the status that fits it. Errors that the client did not
// cause are logged, not shown.
func (a *API) fail(w http.ResponseWriter, r *http.Request, err error) {
	var (
		option   *metrics.OptionError
		dataset  *metrics.UnknownDatasetError
		missing  *metrics.NotFoundError
		nothing  *statement.NothingError
		stale    *staleCursorError
		noFormat *notAcceptableError
		denied   *operate.DeniedError
		bounded  *access.ScopeError
		right    *access.RightError
		refused  *operate.RefusedError
		unknown  *confirm.UnknownError
		noView   *access.UnknownViewError
		tooLarge *http.MaxBytesError
	)
	switch {
	case errors.As(err, &option):
		a.problem(w, r, problem{
			Title: "invalid parameter", Status: http.StatusBadRequest, Detail: err.Error(), Parameter: option.Option,
		})
	case errors.As(err, &dataset):
		a.problem(w, r, problem{Title: "unknown dataset", Status: http.StatusNotFound, Detail: err.Error()})
	case errors.As(err, &missing), errors.As(err, &nothing):
		a.problem(w, r, problem{Title: "not found", Status: http.StatusNotFound, Detail: err.Error()})
	case errors.As(err, &unknown), errors.As(err, &noView):
		a.problem(w, r, problem{Title: "not found", Status: http.StatusNotFound, Detail: err.Error()})
	case errors.As(err, &stale):
		a.problem(w, r, problem{Title: "stale cursor", Status: http.StatusConflict, Detail: err.Error(), Parameter: "cursor"})
	case errors.As(err, &noFormat):
		a.problem(w, r, problem{Title: "not acceptable", Status: http.StatusNotAcceptable, Detail: err.Error()})
	case errors.As(err, &denied):
		if denied.Status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", `Bearer realm="gpuledger"`)
		}
		a.problem(w, r, problem{Title: "not allowed", Status: denied.Status, Detail: err.Error()})
	case errors.As(err, &bounded), errors.As(err, &right):
		a.problem(w, r, problem{Title: "not allowed", Status: http.StatusForbidden, Detail: err.Error()})
	case errors.As(err, &refused):
		a.problem(w, r, problem{Title: "refused", Status: http.StatusConflict, Detail: err.Error(), Reasons: refused.Reasons})
	case errors.As(err, &tooLarge):
		a.problem(w, r, problem{
			Title: "too large", Status: http.StatusRequestEntityTooLarge,
			Detail: fmt.Sprintf("the body is larger than %d bytes", tooLarge.Limit),
		})
	case errors.Is(r.Context().Err(), context.Canceled):
		// The client has gone: there is no one to answer.
	case a.away(err):
		if missed, due := a.words.Due("away", time.Now()); due { //nolint:forbidigo // it limits the rate of log lines
			a.log.WarnContext(r.Context(), "the database is away", "path", r.URL.Path, "error", err, "more_since_the_last_line",
				missed)
		}
		w.Header().Set("Retry-After", awayAfter)
		a.problem(w, r, problem{
			Title: "service unavailable", Status: http.StatusServiceUnavailable,
			Detail: "the database does not answer; try again",
		})
	default:
		a.log.ErrorContext(r.Context(), "request failed", "path", r.URL.Path, "error", err)
		a.problem(w, r, problem{
			Title: "internal error", Status: http.StatusInternalServerError, Detail: "the server's log says what happened",
		})
	}
}

// awayAfter is the Retry-After while the database is away, in seconds.
const awayAfter = "5"

func (a *API) problem(w http.ResponseWriter, r *http.Request, p problem) {
	p.Type = "about:blank"
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(p.Status)
	if r.Method == http.MethodHead {
		return
	}
	if err := writeObject(w, p); err != nil {
		a.log.DebugContext(r.Context(), "error answer not delivered", "path", r.URL.Path, "error", err)
	}
}

func writeObject(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
