package oidc

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	gooidc "github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"gpuledger/internal/access"
	"gpuledger/internal/outbound"
)

// skew is how far the provider's clock and ours may differ.
const skew = time.Minute

// mistrust is the message for the user if the provider's answer fails a check; the log has
// the details.
const mistrust = "the provider's answer cannot be trusted"

// Begin starts a sign-in: it returns the address to send the browser to, and the request to
// keep for checking the answer, with an empty Back. The error is an *Error if the
// provider does not answer.
func (p *Provider) Begin(ctx context.Context) (to string, r access.SignInRequest, err error) {
	d, err := p.discover(ctx)
	if err != nil {
		return "", r, err
	}
	r = access.SignInRequest{State: access.NewSecret(), Nonce: access.NewSecret(), Verifier: oauth2.GenerateVerifier()}
	return d.oauth.AuthCodeURL(r.State, gooidc.Nonce(r.Nonce), oauth2.S256ChallengeOption(r.Verifier)), r, nil
}

// Finish returns the user who signed in, from the parameters with which the provider sent the browser
// back. The caller must have found r by their state and deleted it, so that it is used only once.
// The error is a *access.RefusedError if the provider or its administrator has to
// change something for this user, and an *Error if the provider does not answer or its answer fails a
// check.
func (p *Provider) Finish(
	ctx context.Context, r access.SignInRequest, answer url.Values,
) (who access.Identity, err error) {
	d, err := p.discover(ctx)
	if err != nil {
		return who, err
	}
	if iss := answer.Get("iss"); iss != p.cfg.Issuer && (iss != "" || d.namesItself) {
		return who, &Error{
			mistrust, fmt.Errorf("it comes from issuer %q, but the sign-in was at %q", clip(iss), p.cfg.Issuer),
		}
	}
	if code := answer.Get("error"); code == "access_denied" {
		return who, &access.RefusedError{Reason: p.host + " did not let you in, or the sign-in was cancelled there"}
	} else if code != "" {
		return who, &Error{
			p.host + " could not sign you in",
			fmt.Errorf("it answered %q: %q", clip(code), clip(answer.Get("error_description"))),
		}
	}
	if answer.Get("code") == "" {
		return who, &Error{mistrust, errors.New("it has neither a code nor an error")}
	}
	ctx, cancel := context.WithTimeout(gooidc.ClientContext(ctx, p.client), 2*exchangeTimeout)
	defer cancel()
	token, err := d.oauth.Exchange(ctx, answer.Get("code"), oauth2.VerifierOption(r.Verifier))
	if err != nil {
		return who, &Error{p.host + " could not finish the sign-in", fmt.Errorf("exchange of the code: %w", plain(err))}
	}
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return who, &Error{mistrust, errors.New("the token endpoint sent no id_token")}
	}
	id, err := d.verifier.Verify(ctx, raw)
	if err != nil {
		return who, &Error{mistrust, outbound.Plain(err)}
	}
	c, err := readClaims(id, p.cfg.GroupsClaim)
	if err == nil {
		err = p.check(id, c, r.Nonce)
	}
	if err != nil {
		return who, &Error{mistrust, err}
	}
	groups, err := c.groupsOf(p.host)
	if err != nil {
		return who, err
	}
	return access.Identity{
		Issuer: p.cfg.Issuer, Subject: id.Subject, Name: c.name(id.Subject), Groups: groups, Session: c.Session,
	}, nil
}

// check checks what the library does not: that a token belongs to this sign-in, and its times.
func (p *Provider) check(id *gooidc.IDToken, c claims, nonce string) error {
	now := p.cfg.Now()
	switch {
	case nonce == "" || subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(nonce)) != 1:
		return errors.New("the token's nonce belongs to another sign-in")
	case id.Subject == "" || len(id.Subject) > access.LongestSubject ||
		strings.ContainsFunc(id.Subject, unicode.IsControl):
		return fmt.Errorf("the token's subject has %d bytes: a text of 1 to %d is allowed", len(id.Subject),
			access.LongestSubject)
	case c.AuthorizedParty != "" && c.AuthorizedParty != p.cfg.ClientID:
		return fmt.Errorf("the token was issued to another client, %q", clip(c.AuthorizedParty))
	case c.AuthorizedParty == "" && slices.ContainsFunc(id.Audience, func(a string) bool { return a != p.cfg.ClientID }):
		return fmt.Errorf("the token is for %d audiences and does not name the one it was issued to (azp)", len(id.Audience))
	case !now.Before(id.Expiry.Add(skew)):
		return fmt.Errorf("the token expired at %s; it is now %s", stamp(id.Expiry), stamp(now))
	case id.IssuedAt.After(now.Add(skew)):
		return fmt.Errorf("the token was issued at %s, but it is now %s: one of the clocks is wrong", stamp(id.IssuedAt),
			stamp(now))
	case c.NotBefore > float64(now.Add(skew).Unix()):
		return fmt.Errorf("the token is not valid before %s; it is now %s", stamp(time.Unix(int64(c.NotBefore), 0)),
			stamp(now))
	}
	return nil
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// plain is an error of an exchange without the response body, which may contain secrets.
func plain(err error) error {
	if r, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		return fmt.Errorf("%s %q: %q", r.Response.Status, clip(r.ErrorCode), clip(r.ErrorDescription))
	}
	return outbound.Plain(err)
}

// clip shortens text from outside for the log.
func clip(text string) string { return access.Cut(text, 200) }
