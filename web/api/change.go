package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/confirm"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/gate"
	"gpuledger/web/operate"
)

// largestChange bounds the body of a change.
const largestChange = 256 << 10

// change admits an operator and answers what the operation returns as JSON.
func (a *API) change(o *operation) http.HandlerFunc {
	admit := func(ctx context.Context, token string) (string, error) { return a.desk.Admit(ctx, token, o.right) }
	switch {
	case o.any:
		admit = a.desk.AdmitAny
	case o.facts:
		admit = a.desk.AdmitFacts
	}
	return func(w http.ResponseWriter, r *http.Request) {
		by, err := admit(r.Context(), gate.Bearer(r))
		if err != nil {
			a.fail(w, r, err)
			return
		}
		if v := access.From(r.Context()); o.facts && v.Bounded() { // the program stores them, whatever the sender sees
			r = r.WithContext(access.As(r.Context(), &access.Viewer{Name: v.Name, Role: access.RoleAuditor}))
		}
		if o.file {
			r.Body = http.MaxBytesReader(w, r.Body, largestFile)
		} else {
			r.Body = http.MaxBytesReader(w, r.Body, largestChange)
			err = soundBody(r)
		}
		var answer any
		if err == nil {
			answer, err = o.do(a, r, by)
		}
		a.changed(w, r, o, by, answer, err)
	}
}

// changed answers the result of a change: 202 if it waits for a second person.
func (a *API) changed(w http.ResponseWriter, r *http.Request, o *operation, by string, answer any, err error) {
	status := o.done()
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
	a.object(w, r, status, answer)
}

// object answers a value as JSON, without a body for HEAD.
func (a *API) object(w http.ResponseWriter, r *http.Request, status int, answer any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return
	}
	if err := writeObject(w, answer); err != nil {
		a.log.DebugContext(r.Context(), "answer not delivered", "path", r.URL.Path, "error", err)
	}
}

// soundBody refuses a body that is not UTF-8 or contains NUL, also escaped as in JSON: the database
// cannot store NUL, and fails on a query with one.
func soundBody(r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	if !utf8.Valid(body) || bytes.IndexByte(body, 0) >= 0 || bytes.Contains(body, []byte(`\u0000`)) {
		return &metrics.OptionError{Option: "body", Reason: "is not UTF-8 text without NUL"}
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return nil
}

type savedPolicy struct {
	Version string `json:"version"`
	Stored  bool   `json:"stored"` // false: it was stored before
}

// savePolicy takes the document, YAML or JSON, as the body.
func (a *API) savePolicy(r *http.Request, by string) (any, error) {
	document, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	version, stored, err := a.desk.Ledger.SavePolicy(r.Context(), document, by)
	return savedPolicy{version, stored}, err
}

type withdrawnPolicy struct {
	Version   string `json:"version"`
	Withdrawn bool   `json:"withdrawn"`
}

func (a *API) withdrawPolicy(r *http.Request, by string) (any, error) {
	version := chi.URLParam(r, "version")
	return withdrawnPolicy{version, true}, a.desk.Ledger.WithdrawPolicy(r.Context(), version, by)
}

func (a *API) tryPolicy(r *http.Request, _ string) (any, error) {
	return tried(r, a.desk.Ledger.TryPolicy)
}

// tried is what the document in the body would change in the window of the address.
func tried[T any](r *http.Request, try func(context.Context, []byte, period.Interval) (T, error)) (any, error) {
	within, err := metrics.ParseWindow(r.URL.Query().Get("from"), r.URL.Query().Get("to"), "UTC")
	if err != nil {
		return nil, err
	}
	document, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	return try(r.Context(), document, within)
}

// readBody decodes a JSON object. An empty body is an error only if needed.
func readBody[T any](r *http.Request, needed bool) (body T, err error) {
	dec := json.NewDecoder(r.Body)
	dec.DisallowUnknownFields()
	err = dec.Decode(&body)
	if _, large := errors.AsType[*http.MaxBytesError](err); err == nil || large || !needed && errors.Is(err, io.EOF) {
		if !large {
			err = nil
		}
		return body, err
	}
	var names []string
	for t, i := reflect.TypeFor[T](), 0; i < t.NumField(); i++ {
		names = append(names, t.Field(i).Tag.Get("json"))
	}
	return body, &metrics.OptionError{Option: "body", Reason: "is not a JSON object with " + strings.Join(names, " and ")}
}

// periodClosing is the body of closing.
type periodClosing struct {
	BillingAccount string `json:"billing_account" doc:"Empty: all accounts." example:"111122223333"`
}

// periodReopening is the body of reopening.
type periodReopening struct {
	BillingAccount string `json:"billing_account" doc:"Empty: all accounts." example:"111122223333"`
	Reason         string `json:"reason" need:"true" doc:"It is recorded." example:"late bill"`
}

type closedStatements struct {
	Data []operate.Statement `json:"data"`
}

func (a *API) closePeriod(r *http.Request, by string) (any, error) {
	c, err := readBody[periodClosing](r, false)
	if err != nil {
		return nil, err
	}
	list, err := a.desk.Ledger.ClosePeriod(r.Context(), chi.URLParam(r, "period"), c.BillingAccount, by)
	return closedStatements{list}, err
}

func (a *API) reopenPeriod(r *http.Request, by string) (any, error) {
	c, err := readBody[periodReopening](r, false)
	if err != nil {
		return nil, err
	}
	if c.Reason == "" {
		return nil, &metrics.OptionError{Option: "reason", Reason: "is missing: reopening is recorded with its reason"}
	}
	list, err := a.desk.Ledger.ReopenPeriod(r.Context(), chi.URLParam(r, "period"), c.BillingAccount, c.Reason, by)
	return closedStatements{list}, err
}

// decision is the body of a decision on a recommendation.
type decision struct {
	Status string `json:"status" need:"true" one:"open accepted dismissed done" example:"accepted"`
	Note   string `json:"note" example:"we move the pool in December"`
}

type decided struct {
	ID     string `json:"recommendation_id"`
	Status string `json:"status"`
}

func (a *API) decideRecommendation(r *http.Request, by string) (any, error) {
	d, err := readBody[decision](r, true)
	if err != nil {
		return nil, err
	}
	id := chi.URLParam(r, "id")
	return decided{id, d.Status}, a.desk.Ledger.DecideRecommendation(r.Context(), id, d.Status, d.Note, by)
}

type revoked struct {
	ID      string `json:"id"`
	Revoked bool   `json:"revoked"`
}

func (a *API) revokeToken(r *http.Request, by string) (any, error) {
	id := chi.URLParam(r, "id")
	return revoked{id, true}, a.desk.Ledger.RevokeToken(r.Context(), id, by)
}
