package access

import "time"

// Identity is who somebody is for a provider that signs people in. Issuer and Subject
// together never change and never become somebody else's; Name may do both.
type Identity struct {
	Issuer  string
	Subject string   // at most LongestSubject bytes
	Name    string   // to show; at most LongestShown bytes
	Groups  []string // as the provider calls them
	Session string   // of the provider, that he signed in with; empty: it does not say
}

// Logout is what a provider tells of somebody who signs out there: Subject, Session or
// both are told.
type Logout struct {
	Issuer  string
	Subject string
	Session string    // of the provider; empty: all of the subject's
	ID      string    // each is acted on once
	Until   time.Time // it is good until then
}

// ProxyIssuer is the issuer of whoever a proxy in front has signed in. No provider is
// called so: theirs are addresses.
const ProxyIssuer = "proxy"

// LongestSubject bounds subjects, in bytes (OpenID Connect Core, 2).
const LongestSubject = 255

// LongestShown bounds the name that a provider gives somebody, in bytes.
const LongestShown = 120

// SignInLife is how long a sign-in at a provider may take.
const SignInLife = 10 * time.Minute

// SignInRequest is a sign-in that was begun at a provider and is not finished. State is
// known to the browser alone: of it a digest is kept.
type SignInRequest struct {
	State    string `db:"-"`
	Nonce    string // that the provider's answer has to carry
	Verifier string // of PKCE
	Back     string // where to go on
}
