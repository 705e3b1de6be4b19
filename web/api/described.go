package api

import (
	"net/http"
	"slices"
	"strconv"
)

// Route is an address with a method, as the OpenAPI document, the page of the API and the generated clients
// describe it.
type Route struct {
	Method, Path string
	ID           string // operationId
	Tag          string // Name of one of Tags
	Summary      string // one sentence
	Doc          string // further sentences; may be empty
	Parameters   []Parameter
	Body         *Body
	Answers      []Answer // by status
	// Query is the query string of an example; empty: none.
	Query string
}

// Parameter is a value in the path, the query or a header.
type Parameter struct {
	Name, In string
	Required bool
	Doc      string
	Schema   map[string]any
	Example  any
	// Shared parameters mean the same in every route.
	Shared bool
}

// Body is the body of a request.
type Body struct {
	Required bool
	Contents []Content
}

// Content is a body in one media type. Schema is nil for binary formats.
type Content struct {
	Type    string
	Schema  map[string]any
	Example any
}

// Answer is a possible answer. One without Contents and with an empty Doc is a problem, as Problems describe it.
type Answer struct {
	Status   int
	Doc      string
	Contents []Content
}

// Tag groups routes.
type Tag struct{ Name, Doc string }

// Tags of routes.
const (
	tagDatasets   = "Datasets"
	tagExplain    = "Explanations"
	tagStatements = "Statements"
	tagQueries    = "Queries"
	tagChanges    = "Changes"
	tagViews      = "Views"
	tagTelemetry  = "Telemetry"
)

// Tags lists the groups of routes in the order of the document.
var Tags = []Tag{
	{tagDatasets, "Every dataset, with the same options: filter, group by, order, page, choose a format."},
	{tagExplain, "Where a figure comes from: formula, bill lines and samples."},
	{tagStatements, "What an owner is charged for a billing month."},
	{tagQueries, "Questions that take long, answered later: submit with Prefer: respond-async, poll, fetch."},
	{tagChanges, "Budgets, annotations, policies, closing, decisions. Each takes an Idempotency-Key."},
	{tagViews, "Pages with their filters, saved under a name."},
	{tagTelemetry, "Samples and checkpoints, pushed."},
}

// Status is the meaning of an error status. Every error is a problem (RFC 9457).
type Status struct {
	Status    int
	Name, Doc string
}

// Problems lists the statuses of errors.
var Problems = []Status{
	{http.StatusBadRequest, "BadRequest", "A parameter, header or field is wrong. `parameter` names it, and " +
		"`nearest` the right name. Or the period is outside the data, whose `window` it names."},
	{http.StatusUnauthorized, "Unauthorized", "The token is missing, unknown or expired."},
	{http.StatusForbidden, "Forbidden", "The token's role lacks the right, or its scope does not cover the answer."},
	{http.StatusNotFound, "NotFound", "Not in the ledger, or outside your scope."},
	{http.StatusMethodNotAllowed, "MethodNotAllowed", "The address takes other methods; `Allow` lists them."},
	{http.StatusNotAcceptable, "NotAcceptable", "No format matches the Accept header."},
	{http.StatusConflict, "Conflict", "The ledger refuses the change (`reasons` lists why), the ledger changed since the " +
		"cursor was issued, or the first request with this idempotency key still runs."},
	{http.StatusRequestEntityTooLarge, "TooLarge", "The body is too large."},
	{http.StatusUnsupportedMediaType, "UnsupportedMediaType", "The body has another media type or compression than the " +
		"route takes."},
	{http.StatusRequestedRangeNotSatisfiable, "RangeNotSatisfiable", "The range is outside the answer, whose size " +
		"`Content-Range` names."},
	{http.StatusUnprocessableEntity, "Unprocessable", "The idempotency key was used for another request."},
	{http.StatusTooManyRequests, "TooManyRequests", "Too many requests of this client. Try again after Retry-After."},
	{http.StatusServiceUnavailable, "Unavailable", "Too many requests at once, or the database does not answer. Try " +
		"again after Retry-After."},
}

// statusNamed is the entry of Problems for a status.
func statusNamed(status int) (Status, bool) {
	i := slices.IndexFunc(Problems, func(s Status) bool { return s.Status == status })
	if i < 0 {
		return Status{}, false
	}
	return Problems[i], true
}

// Described lists all routes of the API in the order of the document.
func Described() []Route {
	all := slices.Concat(datasetRoutes(), []Route{mappingRoute(), explainRoute(), statementRoute()}, queryRoutes(),
		changeRoutes(), viewRoutes(), receiverRoutes())
	for i := range all {
		all[i].finish()
	}
	return all
}

// finish adds the answers that every route has.
func (r *Route) finish() {
	r.problems(http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests,
		http.StatusServiceUnavailable)
	if r.Keyed() {
		r.Parameters = append(r.Parameters, keyParameter)
		r.problems(http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity)
	}
	slices.SortStableFunc(r.Answers, func(a, b Answer) int { return a.Status - b.Status })
}

// Keyed reports whether the route takes an Idempotency-Key: all that change something, except the protocols of
// telemetry.
func (r *Route) Keyed() bool {
	return r.Method != http.MethodGet && r.ID != remoteWriteID && r.ID != otlpID
}

// problems adds error answers that the route does not describe itself.
func (r *Route) problems(statuses ...int) {
	for _, status := range statuses {
		if !slices.ContainsFunc(r.Answers, func(a Answer) bool { return a.Status == status }) {
			r.Answers = append(r.Answers, Answer{Status: status})
		}
	}
}

// Says is the meaning of the answer.
func (a Answer) Says() string {
	if a.Doc != "" {
		return a.Doc
	}
	s, _ := statusNamed(a.Status)
	return s.Doc
}

// Failed reports whether the answer is a problem.
func (a Answer) Failed() bool { return a.Status >= http.StatusBadRequest }

func (a Answer) code() string { return strconv.Itoa(a.Status) }

// inPathOf is a parameter of the path.
func inPathOf(name, doc string, example any) Parameter {
	return Parameter{Name: name, In: "path", Required: true, Doc: doc, Schema: object{"type": "string"}, Example: example}
}
