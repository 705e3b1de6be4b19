package api

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/confirm"
	"gpuledger/web/gate"
	"gpuledger/web/operate"
)

// waiting is what a change is answered with that another person has to confirm.
type waiting struct {
	Change operate.Change `json:"change"`
}

// reason is the body of a decision on a change: declining needs one.
type reason struct {
	Reason string `json:"reason"`
}

// decideChange lets a second person confirm or decline a change, and whoever asked take
// it back. Which right that takes, the change says.
func (a *API) decideChange(r *http.Request, what operate.Decision, becomes confirm.State) (any, error) {
	body, err := readBody[reason](r, false)
	if err != nil {
		return nil, err
	}
	change, _, err := a.desk.Decide(r.Context(), gate.Bearer(r), chi.URLParam(r, "id"), what, body.Reason)
	if err != nil {
		return nil, err
	}
	change.State = becomes
	return waiting{operate.ChangeOf(change)}, nil
}
