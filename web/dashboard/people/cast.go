package people

import (
	"context"
	"errors"
	"net/http"
	"time"

	"gpuledger/internal/access"
	"gpuledger/web/views"
)

// Cast are the people of a demo, as whom its links let anybody see it.
type Cast interface {
	// SignIn begins a session for whoever a link's code is of and returns its secret;
	// empty: the link is none of this demo, or no longer.
	SignIn(ctx context.Context, code string, from access.Origin, at time.Time) (secret string, err error)
}

// enter signs a newcomer in as whoever the link is of, as often as he opens it. The
// session that his browser had ends.
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
