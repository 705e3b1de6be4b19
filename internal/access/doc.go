// Package access owns who somebody is and what a role may do: roles and their
// rights, the viewer that a request is answered for, secrets and passwords.
//
// It refuses weak passwords and knows no database, no network and no scope's
// members: internal/store/access keeps those, web/gate asks for them. It
// guarantees that a secret is never kept as it was shown, and that checking a
// password takes as long for a name that nobody has.
package access
