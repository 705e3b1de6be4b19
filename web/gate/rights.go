package gate

import "gpuledger/internal/access"

// Need is the access that a route requires.
type Need struct {
	Right access.Right
	// Whole routes cover the whole fleet: users with a scope are refused.
	Whole bool
	// Local routes are open to requests from this machine without a proxy in between.
	Local bool
	// Seeing changes are also open to an admin who views the pages as another user.
	Seeing bool
	// Unbounded routes have no limit on the rate of requests: they have separate limits, or
	// cost nothing.
	Unbounded bool
}

var (
	open  = Need{Right: access.Anybody}
	read  = Need{Right: access.Read}
	whole = Need{Right: access.Read, Whole: true}
)

// change is the need of a change of the books. The books are shared, so users with a scope are refused.
func change(right access.Right) Need { return Need{Right: right, Whole: true} }

// needs are the needs of routes, by method and pattern. Receivers of telemetry need the
// right to write; Options.Pages and Options.Changes declare further routes; all others are closed.
// docs/operate/access.md lists the routes by role.
var needs = map[string]Need{
	"GET /livez":              {Unbounded: true},
	"GET /readyz":             {Unbounded: true},
	"GET /static/*":           {Unbounded: true},
	"GET /login":              open,
	"POST /login":             open,
	"GET /login/oidc":         open,
	"GET /login/callback":     open,
	"POST /login/oidc/logout": open, // the logout token names the user
	"GET /login/demo":         open, // in demos only; the links carry a secret
	"GET /welcome":            open,
	"POST /welcome":           open,
	"POST /logout":            {Right: access.Signed, Seeing: true},
	"POST /theme":             open,
	"GET /metrics":            {Right: access.Scrape, Whole: true, Local: true, Unbounded: true}, // of all teams
	"GET /openapi.json":       read,

	// Answers contain only rows in the scope; datasets that cannot be scoped refuse by themselves.
	"GET /api/v1/{dataset}": read, "GET /api/v1/mappings/{name}": whole,
	"GET /api/v1/statement": read,
	"GET /api/v1/explain/*": read,
	"GET /api/*":            read, // there is no such address

	// The datasets for spreadsheets, with the rows of GET /api/v1/{dataset}.
	"GET /odata/v4": read, "GET /odata/v4/": read, "GET /odata/v4/$metadata": read, "GET /odata/v4/{dataset}": read,
	"GET /odata/v4/{dataset}/$count": read, "GET /odata/*": read,

	"POST /api/*": read, "PUT /api/*": read, "PATCH /api/*": read, "DELETE /api/*": read,
	"GET /":              read,
	"GET /filter":        read,
	"GET /explore":       read,
	"GET /variance":      read,
	"GET /budgets":       read, // those in scope
	"GET /runs/":         read,
	"GET /runs/*":        read,
	"GET /explain/run":   read,
	"GET /explain/run/*": read,
	"GET /explain/*":     read,
	"GET /docs/metrics":  read,
	"GET /docs/api":      read,
	"GET /fleet":         read, // scoped users do not see other users' names
	"GET /statement":     read, // scoped users see those of owners, in their scope
	"GET /fleet/now":     read,

	"GET /find": read, // names and figures in the scope

	// Deferred queries belong to their asker. Deleting one changes no figure.
	"GET /api/v1/queries": read, "GET /api/v1/queries/{id}": read, "GET /api/v1/queries/{id}/result": read,
	"DELETE /api/v1/queries/{id}": {Right: access.Read, Seeing: true},

	// Saved views belong to their viewer, whatever the role.
	"GET /api/v1/views": read, "POST /api/v1/views": read, "DELETE /api/v1/views/{id}": read,
	"GET /views": read, "POST /views": read, "GET /views/{id}": read, "POST /views/{id}": read,

	"GET /fleet/devices/{device}": read, // scoped users see devices that their own work held

	"GET /reconciliation": whole,
	"GET /data":           whole,
	"GET /data/running":   whole,
	"GET /data/{import}":  whole,

	// Scoped users cannot grant access beyond their own scope.
	"GET /people":           change(access.Admin),
	"POST /people":          change(access.Admin),
	"POST /people/link":     change(access.Admin),
	"GET /people/change":    change(access.Admin),
	"POST /people/change":   change(access.Admin),
	"POST /people/sign-out": change(access.Admin),
	"POST /people/disable":  change(access.Admin),
	"POST /people/see-as":   change(access.Admin),
	"GET /tokens":           change(access.Admin),
	"POST /tokens":          change(access.Admin),
	"POST /tokens/revoke":   change(access.Admin),

	"GET /account":           {Right: access.Signed},
	"POST /account/end":      {Right: access.Signed},
	"POST /account/password": {Right: access.Signed},
	"POST /account/others":   {Right: access.Signed},
	"POST /account/myself":   {Right: access.Signed, Seeing: true},

	"POST /policies": change(access.Policy),
	"POST /periods":  change(access.Close),
	"POST /budgets":  change(access.Plan),
}
