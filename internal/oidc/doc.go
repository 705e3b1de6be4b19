// Package oidc signs users in at an OpenID Connect provider: discovery, the redirect
// that begins a sign-in, the exchange of a code for an ID token, and the role that the token's
// groups give.
//
// It trusts a token only if the issuer signed it with a public key, for this client,
// for this sign-in, and recently. It keeps no token: the caller gets an
// identity. A provider that is down delays only its own users, a retry
// needs no restart, and missing groups are never taken for
// "no groups". The package knows no database and no page.
package oidc
