// Package oidc owns the talk with an OpenID Connect provider: discovery, the redirect
// that begins a sign-in, the exchange of a code for an ID token, and what the token's
// groups give somebody.
//
// It trusts a token only where the issuer signed it with a public key, for this client,
// for this very sign-in, and not long ago. It keeps no token: whoever calls it gets an
// identity. It guarantees that a provider that is away keeps nobody else waiting, that
// its outages end by themselves, and that groups which are not told are never taken for
// none. It knows no database and no page.
package oidc
