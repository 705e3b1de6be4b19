// Package access keeps who may see what: users, sessions, tokens, scopes with their
// members, and the rights of the database that make a scope hold for every row.
//
// A scope is conditions on owners and clusters. They are evaluated in Go when owners
// change (RefreshScopes); the database keeps members, which policies of row-level
// security compare rows with. What has no way to be seen in part is seen by those
// alone who see everything: a table that nobody thought of is closed.
//
// It decides nothing about HTTP and knows roles only by what internal/access says of
// them. Of secrets it keeps digests. Whatever it changes stands in the audit log, in
// the same transaction.
package access
