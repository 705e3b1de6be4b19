// Package access defines users and rights: roles and their
// rights, the viewer of a request, secrets and passwords.
//
// It refuses weak passwords and knows no database, no network and no
// members of scopes: internal/store/access keeps these, and web/gate reads them. Only digests and hashes of
// secrets are kept, never the secrets, and checking a password takes as long for an
// unknown name as for a known one.
package access
