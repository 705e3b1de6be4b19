// Package gate checks access to routes: it identifies the user of a request by session, token
// or the headers of a configured proxy, and refuses routes that the user's role has no right to,
// and Host names that are not this server's.
//
// The rights that routes need are in one table; a route that is not in it is closed. Behind the
// gate, every request has a viewer with the right to the route, or the route is open to
// everyone. The package knows no database and no page: a Keeper looks secrets
// up.
package gate
