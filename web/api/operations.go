package api

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/confirm"
	"gpuledger/metrics"
	"gpuledger/web/gate"
	"gpuledger/web/operate"
)

// operation is a change of the books. Its route, its need at the gate
// and its part of the OpenAPI document are derived from it.
type operation struct {
	path, id, summary string
	named             string // description of the path parameter
	right             access.Right
	any               bool // the right depends on the change, so the desk checks it
	long              bool // it computes days, and is bounded like an export
	mayWait           bool // for a second person
	facts             bool // programs send them, like telemetry, also with tokens that see nothing
	file              bool // the body is a file: larger, and not only text
	rows              bool // the body is one object or a list of them; 201 if they are stored
	query             []string
	body              any         // a value of the type to read; nil: none, or documents
	documents         []Content   // the media types of a body that is a document
	asked             []Parameter // further parameters of the query
	answer            any         // a value of the type to write
	says, missing     string
	do                func(a *API, r *http.Request, by string) (any, error)
}

var operations = []operation{
	{path: "/policies", id: "save_policy", summary: "Store a document as a new version of the policy.",
		right: access.Policy, mayWait: true, documents: policyDocuments,
		answer: savedPolicy{}, says: "The version is stored, now or before.",
		do: (*API).savePolicy},
	{path: "/policies/try", id: "try_policy",
		summary: "Show how a document would change what each team pays. Nothing is stored.",
		right:   access.Policy, long: true, query: []string{"from", "to"}, documents: policyDocuments, answer: metrics.Trial{},
		says: "Amounts now, under the document, and their difference.", do: (*API).tryPolicy},
	{path: "/policies/{version}/withdraw", id: "withdraw_policy", named: "Name of the version.",
		summary: "Withdraw a version of the policy.",
		right:   access.Policy, mayWait: true, answer: withdrawnPolicy{}, says: "The version no longer applies.",
		do: (*API).withdrawPolicy},
	{path: "/mappings", id: "save_mapping",
		summary: "Store a document as the next version of a mapping: owner rules, allowed values and mapped values.",
		right:   access.Policy, mayWait: true, documents: mappingDocuments, asked: mappingParameters,
		answer: operate.SavedMapping{}, says: "The version is stored, now or before. The next allocation uses it.",
		do: (*API).saveMapping},
	{path: "/mappings/try", id: "try_mapping",
		summary: "Show what a mapping would change, and who would pay more or less. Nothing is stored.",
		right:   access.Policy, long: true, query: []string{"from", "to"}, documents: mappingDocuments,
		answer: operate.TriedMapping{}, says: "The differences of the document, and the money that would move.",
		do: (*API).tryMapping},
	{path: "/periods/{period}/close", id: "close_period", named: "Billing month: 2026-10.",
		summary: "Close a billing period of one account, or of all.",
		right:   access.Close, body: periodClosing{}, answer: closedStatements{}, says: "The new statements.",
		do: (*API).closePeriod},
	{path: "/periods/{period}/reopen", id: "reopen_period", named: "Billing month: 2026-10.",
		summary: "Reopen a closed period. Its statements are kept.",
		right:   access.Reopen, mayWait: true, body: periodReopening{}, answer: closedStatements{},
		says: "The statements that are no longer valid.", do: (*API).reopenPeriod},
	{path: "/recommendations/{id}", id: "decide_recommendation", named: "The recommendation_id.",
		summary: "Record a decision on a recommendation.",
		right:   access.Advise, body: decision{},
		answer: decided{}, says: "The decision is recorded.",
		do: (*API).decideRecommendation},
	{path: "/budgets", id: "save_budgets",
		summary: "Store budgets, all or none. The same name with another amount is the next version of a budget.",
		right:   access.Plan, rows: true, body: budgetRow{},
		answer: operate.Saved{}, says: "The budgets are stored, now or before.", do: (*API).saveBudgets},
	{path: "/annotations", id: "save_annotations",
		summary: "Store annotations, all or none. The same one twice is one.",
		right:   access.Plan, rows: true, body: annotationRow{},
		answer: operate.Saved{}, says: "The annotations are stored, now or before.", do: (*API).saveAnnotations},
	{path: "/experiments", id: "save_experiments",
		summary: "Store results of experiments, all or none. The same result twice is one.",
		right:   access.Write, facts: true, rows: true, body: experimentRow{},
		answer: operate.Imported{}, says: "The results are stored, now or before.", do: (*API).saveExperiments},
	{path: "/price-book", id: "save_price_book",
		summary: "Import a price book: prices of hours without a bill, and owned machines.",
		right:   access.Policy, long: true, documents: priceBookDocuments,
		answer: operate.Imported{}, says: "The prices are stored, now or before. The next allocation uses them.",
		do: (*API).savePriceBook},
	{path: "/imports", id: "import_file",
		summary: "Import a file: a bill, telemetry, workloads or events.",
		right:   access.Write, long: true, file: true, asked: importParameters, documents: importDocuments,
		answer: operate.Imported{}, says: "The accepted rows are stored, now or before; rejected ones are counted.",
		do: (*API).importFile},
	{path: "/export_schedules", id: "save_export_schedule",
		summary: "Store a schedule of exports, or change the one of this name. Its first run is at once.",
		right:   access.Admin, body: exportBody{}, answer: savedExport{},
		says: "The schedule is stored, now or before.", do: (*API).saveExport},
	{path: "/export_schedules/{name}/remove", id: "remove_export_schedule", named: "Name of the schedule.",
		summary: "Delete a schedule of exports. Exported files stay.",
		right:   access.Admin, answer: removedExport{}, says: "The schedule no longer runs.",
		missing: "There is no such schedule.", do: (*API).removeExport},
	{path: "/tokens/{id}/revoke", id: "revoke_token", named: "Id of the token, from token list.",
		summary: "Revoke a token at once, for example after a leak.",
		right:   access.Admin, answer: revoked{}, says: "The token no longer works.", do: (*API).revokeToken},
	ofChange("confirm", operate.Confirm, confirm.Confirmed, "Confirm a change that waits for a second person; the change "+
		"is then made. The person who asked for it and API tokens cannot confirm it."),
	ofChange("decline", operate.Decline, confirm.Declined,
		"Decline a change that waits for a second person, with a reason."),
	ofChange("take-back", operate.TakeBack, confirm.TakenBack, "Take back a change that you asked for."),
}

// done is the status of an operation that is carried out.
func (o *operation) done() int {
	if o.rows {
		return http.StatusCreated
	}
	return http.StatusOK
}

// ofChange is the operation of a decision on a waiting change. Its right for the gate is Reopen,
// because every role that may reopen may also store policies.
func ofChange(name string, what operate.Decision, becomes confirm.State, summary string) operation {
	return operation{path: "/changes/{id}/" + name, named: "The change_id, from dataset changes.",
		id:      strings.ReplaceAll(name, "-", "_") + "_change",
		summary: summary, right: access.Reopen, any: true, body: reason{},
		answer: waiting{}, says: "The change with its new state.",
		missing: "There is no such change.",
		do:      func(a *API, r *http.Request, _ string) (any, error) { return a.decideChange(r, what, becomes) }}
}

// changes adds the routes that change the books. Each checks the operator's token before
// it reads the body.
func (a *API) changes(r chi.Router) {
	for i := range operations {
		o := &operations[i]
		var h http.Handler = a.change(o)
		if o.long {
			h = a.bounds.Exports(h)
		}
		taken := slices.Clone(o.query)
		for _, p := range o.asked {
			taken = append(taken, p.Name)
		}
		r.Method(http.MethodPost, root+o.path, a.takes(h, taken...))
	}
}

// root is the path prefix of the API.
const root = "/api/v1"

// Needs are the needs of the routes that change the books. The books are
// shared: users with a scope cannot change them, though tokens with one may send facts.
func Needs() map[string]gate.Need {
	all := map[string]gate.Need{}
	for _, o := range operations {
		all[http.MethodPost+" "+root+o.path] = gate.Need{Right: o.right, Whole: !o.facts}
	}
	return all
}
