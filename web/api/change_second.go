package api

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/confirm"
	"gpuledger/metrics"
	"gpuledger/web/gate"
	"gpuledger/web/operate"
)

// waiting is what a change is answered with that another person has to confirm.
type waiting struct {
	Change operate.Change `json:"change"`
}

// decideChange lets a second person confirm or decline a change, and whoever asked take
// it back. Which right that takes, the change says.
func (a *API) decideChange(what operate.Decision, becomes confirm.State) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		by, err := a.desk.AdmitAny(r.Context(), gate.Bearer(r))
		if err != nil {
			a.fail(w, r, err)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, largestChange)
		var answer any
		reason, err := readReason(r)
		if err == nil {
			var change *confirm.Request
			if change, _, err = a.desk.Decide(r.Context(), gate.Bearer(r), chi.URLParam(r, "id"), what, reason); err == nil {
				change.State = becomes
				answer = waiting{operate.ChangeOf(change)}
			}
		}
		a.changed(w, r, by, answer, err)
	}
}

// readReason reads the body of a decision: nothing, or a reason, which declining needs.
func readReason(r *http.Request) (string, error) {
	if err := soundBody(r); err != nil {
		return "", err
	}
	var body struct {
		Reason string `json:"reason"`
	}
	dec := json.NewDecoder(r.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&body); err != nil && !errors.Is(err, io.EOF) {
		return "", &metrics.OptionError{Option: "body", Reason: "is not a JSON object with reason"}
	}
	return body.Reason, nil
}
