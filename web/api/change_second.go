package api

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/confirm"
	"gpuledger/web/gate"
	"gpuledger/web/operate"
)

// waiting is the answer for a change that another person has to confirm.
type waiting struct {
	Change operate.Change `json:"change"`
}

// reason is the body of a decision on a change. Only declining requires it.
type reason struct {
	Reason string `json:"reason"`
}

// decideChange confirms, declines or takes back a change. The right that this needs depends on
// the change.
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
