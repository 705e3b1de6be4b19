// Package gate owns who passes: it says for whom a request is answered, by session, token
// or the word of a proxy that is named, and refuses routes that his role has no right to,
// and Host names that are not this server's.
//
// What each route needs stands in one table; a route that is not in it is closed. It
// guarantees that behind it every request has a viewer who may be there, or is one
// that anybody may ask. It knows no database and no page: a Keeper tells who a secret
// is of.
package gate
