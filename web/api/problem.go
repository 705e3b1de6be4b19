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
	details "gpuledger/internal/problem"
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
	Parameter string `json:"parameter,omitempty" doc:"The parameter at fault, as it was spelt."`
	Nearest   string `json:"nearest,omitempty" doc:"The right name that a wrong one is like."`
	// Window is that of the data, for a period outside it.
	Window *metrics.DataWindow `json:"window,omitempty" doc:"Time for which the dataset has data."`
	// Reasons are all reasons why the ledger refuses a change.
	Reasons []string `json:"reasons,omitempty"`

	again string `json:"-"` // Retry-After, in seconds; empty: none
}

// fail answers an error as a problem.
func (a *API) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := a.problemOf(r.Context(), r.URL.Path, err)
	switch {
	case p == nil: // there is no one to answer
		return
	case p.Status == http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", `Bearer realm="gpuledger"`)
	case p.again != "":
		w.Header().Set("Retry-After", p.again)
	}
	a.problem(w, r, *p)
}

// problemOf is an error with the status that fits it; nil: the client has gone. Errors that the client did not
// cause are logged, not shown.
func (a *API) problemOf(ctx context.Context, path string, err error) *problem {
	var (
		option   *metrics.OptionError
		dataset  *metrics.UnknownDatasetError
		missing  *metrics.NotFoundError
		nothing  *statement.NothingError
		outside  *metrics.OutsideError
		bad      *badCursorError
		expired  *expiredCursorError
		noFormat *notAcceptableError
		denied   *operate.DeniedError
		bounded  *access.ScopeError
		right    *access.RightError
		refused  *operate.RefusedError
		unknown  *confirm.UnknownError
		noView   *access.UnknownViewError
		gone     *operate.MissingError
		tooLarge *http.MaxBytesError
		tooMany  *tooManyError
		noQuery  *noQueryError
		noAnswer *noAnswerError
	)
	switch {
	case errors.As(err, &option):
		return &problem{
			Title: "invalid parameter", Status: http.StatusBadRequest, Detail: err.Error(), Parameter: option.Option,
			Nearest: option.Nearest,
		}
	case errors.As(err, &outside):
		return &problem{
			Title: "outside the data", Status: http.StatusBadRequest, Detail: err.Error(), Parameter: outside.Option,
			Window: &outside.Data,
		}
	case errors.As(err, &dataset):
		return &problem{Title: "unknown dataset", Status: http.StatusNotFound, Detail: err.Error(),
			Nearest: dataset.Nearest()}
	case errors.As(err, &missing), errors.As(err, &nothing):
		return &problem{Title: "not found", Status: http.StatusNotFound, Detail: err.Error()}
	case errors.As(err, &unknown), errors.As(err, &noView), errors.As(err, &gone):
		return &problem{Title: "not found", Status: http.StatusNotFound, Detail: err.Error()}
	case errors.As(err, &bad):
		return &problem{Title: "bad cursor", Status: http.StatusBadRequest, Detail: err.Error(), Parameter: "cursor"}
	case errors.As(err, &expired):
		return &problem{Title: "expired cursor", Status: http.StatusConflict, Detail: err.Error(),
			Parameter: "cursor"}
	case errors.As(err, &noFormat):
		return &problem{Title: "not acceptable", Status: http.StatusNotAcceptable, Detail: err.Error()}
	case errors.As(err, &denied):
		return &problem{Title: "not allowed", Status: denied.Status, Detail: err.Error()}
	case errors.As(err, &bounded), errors.As(err, &right):
		return &problem{Title: "not allowed", Status: http.StatusForbidden, Detail: err.Error()}
	case errors.As(err, &refused):
		return &problem{Title: "refused", Status: http.StatusConflict, Detail: err.Error(), Reasons: refused.Reasons}
	case errors.As(err, &tooLarge):
		return &problem{
			Title: "too large", Status: http.StatusRequestEntityTooLarge,
			Detail: fmt.Sprintf("the body is larger than %d bytes", tooLarge.Limit),
		}
	case errors.As(err, &tooMany):
		return &problem{Title: "too many queries", Status: http.StatusTooManyRequests, Detail: err.Error(), again: awayAfter}
	case errors.As(err, &noQuery):
		return &problem{Title: "not found", Status: http.StatusNotFound, Detail: err.Error()}
	case errors.As(err, &noAnswer):
		return &problem{Title: "no answer", Status: http.StatusConflict, Detail: err.Error()}
	case errors.Is(ctx.Err(), context.Canceled):
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &problem{Title: "took too long", Status: http.StatusServiceUnavailable,
			Detail: "the question took too long to answer at once; narrow it, or send it with the header " +
				"Prefer: respond-async and fetch the answer later"}
	case a.away(err):
		if missed, due := a.words.Due("away", time.Now()); due { //nolint:forbidigo // it limits the rate of log lines
			a.log.WarnContext(ctx, "the database is away", "path", path, "error", err, "more_since_the_last_line",
				missed)
		}
		return &problem{
			Title: "service unavailable", Status: http.StatusServiceUnavailable,
			Detail: "the database does not answer; try again", again: awayAfter,
		}
	default:
		a.log.ErrorContext(ctx, "request failed", "path", path, "error", err)
		return &problem{
			Title: "internal error", Status: http.StatusInternalServerError, Detail: "the server's log says what happened",
		}
	}
}

// awayAfter is the Retry-After while the database is away, in seconds.
const awayAfter = "5"

func (a *API) problem(w http.ResponseWriter, r *http.Request, p problem) {
	p.Type = details.Type(p.Title)
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
