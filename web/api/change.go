package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/confirm"
	"gpuledger/metrics"
	"gpuledger/web/gate"
	"gpuledger/web/operate"
)

// changes adds the routes that change the books. Each asks for the operator's
// token before it reads anything.
func (a *API) changes(r chi.Router) {
	r.Post("/api/v1/policies", a.change(access.Policy, a.savePolicy))
	r.Method(http.MethodPost, "/api/v1/policies/try", a.bounds.Exports(a.change(access.Policy, a.tryPolicy))) // a trial allocates days
	r.Post("/api/v1/policies/{version}/withdraw", a.change(access.Policy, a.withdrawPolicy))
	r.Post("/api/v1/periods/{period}/close", a.change(access.Close, a.closePeriod))
	r.Post("/api/v1/periods/{period}/reopen", a.change(access.Reopen, a.reopenPeriod))
	r.Post("/api/v1/recommendations/{id}", a.change(access.Advise, a.decideRecommendation))
	r.Post("/api/v1/changes/{id}/confirm", a.decideChange(operate.Confirm, confirm.Confirmed))
	r.Post("/api/v1/changes/{id}/decline", a.decideChange(operate.Decline, confirm.Declined))
	r.Post("/api/v1/changes/{id}/take-back", a.decideChange(operate.TakeBack, confirm.TakenBack))
}

// largestChange bounds the body of a change.
const largestChange = 256 << 10

// change admits an operator and answers what do returns as JSON.
func (a *API) change(right access.Right, do func(r *http.Request, by string) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		by, err := a.desk.Admit(r.Context(), gate.Bearer(r), right)
		if err != nil {
			a.fail(w, r, err)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, largestChange)
		err = soundBody(r)
		var answer any
		if err == nil {
			answer, err = do(r, by)
		}
		a.changed(w, r, by, answer, err)
	}
}

// changed answers what became of a change: 202 where it waits for a second person.
func (a *API) changed(w http.ResponseWriter, r *http.Request, by string, answer any, err error) {
	status := http.StatusOK
	if waits, ok := errors.AsType[*confirm.WaitsError](err); ok {
		status, err = http.StatusAccepted, nil
		answer = waiting{operate.ChangeOf(&waits.Request)}
	}
	if err != nil {
		a.log.InfoContext(r.Context(), "change refused", "path", r.URL.Path, "by", by, "error", err)
		a.fail(w, r, err)
		return
	}
	a.log.InfoContext(r.Context(), "changed", "path", r.URL.Path, "by", by, "waits", status == http.StatusAccepted)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if err := writeObject(w, answer); err != nil {
		a.log.DebugContext(r.Context(), "answer not delivered", "path", r.URL.Path, "error", err)
	}
}

// soundBody refuses a body that is no text, as written or as JSON escapes it: no
// name that is stored holds a NUL, and a database refuses to look for one.
func soundBody(r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	if !utf8.Valid(body) || bytes.IndexByte(body, 0) >= 0 || bytes.Contains(body, []byte(`\u0000`)) {
		return &metrics.OptionError{Option: "body", Reason: "is no UTF-8 text without NUL"}
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return nil
}

// savePolicy takes a document, YAML or JSON, as the body.
func (a *API) savePolicy(r *http.Request, by string) (any, error) {
	document, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	version, stored, err := a.desk.Ledger.SavePolicy(r.Context(), document, by)
	return struct {
		Version string `json:"version"`
		Stored  bool   `json:"stored"` // false: it was there already
	}{version, stored}, err
}

func (a *API) withdrawPolicy(r *http.Request, by string) (any, error) {
	version := chi.URLParam(r, "version")
	return struct {
		Version   string `json:"version"`
		Withdrawn bool   `json:"withdrawn"`
	}{version, true}, a.desk.Ledger.WithdrawPolicy(r.Context(), version, by)
}

func (a *API) tryPolicy(r *http.Request, _ string) (any, error) {
	within, err := metrics.ParseWindow(r.URL.Query().Get("from"), r.URL.Query().Get("to"), "UTC")
	if err != nil {
		return nil, err
	}
	document, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	return a.desk.Ledger.TryPolicy(r.Context(), document, within)
}

// periodChange is the body of closing and reopening.
type periodChange struct {
	BillingAccount string `json:"billing_account"` // empty: all of them
	Reason         string `json:"reason"`          // of reopening
}

func readPeriodChange(r *http.Request) (c periodChange, err error) {
	dec := json.NewDecoder(r.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil && !errors.Is(err, io.EOF) { // no body: all accounts
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return c, err
		}
		return c, &metrics.OptionError{Option: "body", Reason: "is not a JSON object with billing_account and reason"}
	}
	return c, nil
}

type statements struct {
	Data []operate.Statement `json:"data"`
}

func (a *API) closePeriod(r *http.Request, by string) (any, error) {
	c, err := readPeriodChange(r)
	if err != nil {
		return nil, err
	}
	list, err := a.desk.Ledger.ClosePeriod(r.Context(), chi.URLParam(r, "period"), c.BillingAccount, by)
	return statements{list}, err
}

func (a *API) reopenPeriod(r *http.Request, by string) (any, error) {
	c, err := readPeriodChange(r)
	if err != nil {
		return nil, err
	}
	if c.Reason == "" {
		return nil, &metrics.OptionError{Option: "reason", Reason: "is missing: reopening is recorded with its reason"}
	}
	list, err := a.desk.Ledger.ReopenPeriod(r.Context(), chi.URLParam(r, "period"), c.BillingAccount, c.Reason, by)
	return statements{list}, err
}

// decision is the body of a decision on a recommendation.
type decision struct {
	Status string `json:"status"` // open, accepted, dismissed, done
	Note   string `json:"note"`
}

func (a *API) decideRecommendation(r *http.Request, by string) (any, error) {
	var d decision
	dec := json.NewDecoder(r.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return nil, err
		}
		return nil, &metrics.OptionError{Option: "body", Reason: "is not a JSON object with status and note"}
	}
	id := chi.URLParam(r, "id")
	return struct {
		ID     string `json:"recommendation_id"`
		Status string `json:"status"`
	}{id, d.Status}, a.desk.Ledger.DecideRecommendation(r.Context(), id, d.Status, d.Note, by)
}
