package access

import "time"

// Identity is a user of a provider. Issuer and Subject
// together never change and are never reassigned; Name may change and be reassigned.
type Identity struct {
	Issuer  string
	Subject string   // at most LongestSubject bytes
	Name    string   // to show; at most LongestShown bytes
	Groups  []string // as the provider names them
	Session string   // the provider's session of the sign-in; empty: unknown
}

// Logout is a provider's notice that a user signed out there. It has a Subject, a Session or
// both.
type Logout struct {
	Issuer  string
	Subject string
	Session string    // of the provider; empty: all of the subject's
	ID      string    // a notice is handled only once
	Until   time.Time // the notice is valid until then
}

// ProxyIssuer is the issuer of users whom the proxy in front signs in. No provider has
// this name: their issuers are addresses.
const ProxyIssuer = "proxy"

// LongestSubject bounds subjects, in bytes (OpenID Connect Core, 2).
const LongestSubject = 255

// LongestShown bounds the name that a provider gives a user, in bytes.
const LongestShown = 120

// SignInLife is how long a sign-in at a provider may take.
const SignInLife = 10 * time.Minute

// SignInRequest is a sign-in at a provider that has begun but not finished. Only the browser
// knows State: the server keeps its digest.
type SignInRequest struct {
	State    string `db:"-"`
	Nonce    string // the provider's answer must carry it
	Verifier string // of PKCE
	Back     string // page to return to
}
