package people

import (
	"context"
	"errors"
	"net/http"
	"time"

	"gpuledger/internal/access"
	"gpuledger/web/views"
)

// Cast signs anyone in to a demo as one of its users, by link.
type Cast interface {
	// SignIn begins a session for the user of a link's code and returns its secret; empty if
	// the code is not, or no longer, one of this demo.
	SignIn(ctx context.Context, code string, from access.Origin, at time.Time) (secret string, err error)
}

// enter signs the browser in as the user of the link, however often it is opened. The
// browser's previous session ends.
func (d *room) enter(w http.ResponseWriter, r *http.Request) {
	secret, err := d.Cast.SignIn(r.Context(), r.URL.Query().Get("code"), d.origin(r), d.Options.Now())
	refused, is := errors.AsType[*access.RefusedError](err)
	switch {
	case is:
		d.ask(w, r, http.StatusUnauthorized, views.SignIn{Refused: sentence(refused.Reason)})
	case err != nil:
		d.failed(w, r, err)
	case secret == "":
		d.ask(w, r, http.StatusUnauthorized,
			views.SignIn{Refused: "This link is no longer valid. Start the demo again to get new links."})
	default:
		d.begin(w, r, secret, "/")
	}
}
