// Package access stores users, sessions, tokens and scopes with their members, and sets the database rights that
// enforce a scope on every row.
//
// A scope is a list of conditions on owners and clusters. Go evaluates them when owners change (RefreshScopes). The
// database keeps the resulting members, and row-level security policies compare rows with them. A table without a
// policy is closed to scoped users; only users with full access read it, so a new table starts closed.
//
// The package knows nothing about HTTP and takes the meaning of roles from internal/access. It stores secrets only as
// digests. Each change is written to the audit log in the same transaction.
package access
