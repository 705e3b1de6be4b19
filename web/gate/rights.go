package gate

import "gpuledger/internal/access"

// Need is what a route asks of whoever comes.
type Need struct {
	Right access.Right
	// Whole routes show all of the books: nobody with bounds comes in.
	Whole bool
	// Local routes are open to who asks from this machine, without a proxy between.
	Local bool
	// Seeing changes are open to an admin who sees as somebody else, too.
	Seeing bool
	// Unbounded routes may be asked for however often: they have limits of their own, or
	// cost nothing.
	Unbounded bool
}

var (
	open  = Need{Right: access.Anybody}
	read  = Need{Right: access.Read}
	whole = Need{Right: access.Read, Whole: true}
)

// change is a right to change the books, which are everybody's.
func change(right access.Right) Need { return Need{Right: right, Whole: true} }

// needs is what each route needs, by method and pattern. Receivers of telemetry need
// the right to write; what is declared elsewhere, beside it; all else is closed. docs/operate/access.md shows it by role.
var needs = map[string]Need{
	"GET /livez":              {Unbounded: true},
	"GET /readyz":             {Unbounded: true},
	"GET /static/*":           {Unbounded: true},
	"GET /login":              open,
	"POST /login":             open,
	"GET /login/oidc":         open,
	"GET /login/callback":     open,
	"POST /login/oidc/logout": open, // its token says of whom
	"GET /login/demo":         open, // of demos alone, whose links have a secret
	"GET /welcome":            open,
	"POST /welcome":           open,
	"POST /logout":            {Right: access.Signed, Seeing: true},
	"POST /theme":             open,
	"GET /metrics":            {Right: access.Scrape, Whole: true, Local: true, Unbounded: true}, // of all teams
	"GET /openapi.json":       read,

	// Rows are those of the scope; what cannot be seen in part says so itself.
	"GET /api/v1/{dataset}": read,
	"GET /api/v1/explain/*": read,
	"GET /api/*":            read, // there is no such address
	"POST /api/*":           read, "PUT /api/*": read, "PATCH /api/*": read, "DELETE /api/*": read,
	"GET /":              read,
	"GET /runs/":         read,
	"GET /runs/*":        read,
	"GET /explain/run":   read,
	"GET /explain/run/*": read,
	"GET /explain/*":     read,
	"GET /docs/metrics":  read,
	"GET /fleet":         read, // without names of others
	"GET /fleet/now":     read,

	"GET /fleet/devices/{device}": read, // of what one's own had

	"GET /reconciliation": whole,
	"GET /data":           whole,
	"GET /data/running":   whole,
	"GET /data/{import}":  whole,
	"GET /statement":      whole,

	// Who has bounds gives nobody what is beyond them.
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
}
