package oidc

import (
	"encoding/json"
	"fmt"

	gooidc "github.com/coreos/go-oidc/v3/oidc"

	"gpuledger/internal/access"
)

// claims are the claims of a token that the library does not read itself.
type claims struct {
	AuthorizedParty string  `json:"azp"`
	NotBefore       float64 `json:"nbf"`
	PreferredName   string  `json:"preferred_username"`
	Email           string  `json:"email"`
	Session         string  `json:"sid"`

	claim string // name of the groups claim
	all   map[string]json.RawMessage
}

func readClaims(id *gooidc.IDToken, groupsClaim string) (c claims, err error) {
	if err := id.Claims(&c); err != nil {
		return c, fmt.Errorf("claims of the token: %w", err)
	}
	if err := id.Claims(&c.all); err != nil {
		return c, fmt.Errorf("claims of the token: %w", err)
	}
	c.claim = groupsClaim
	return c, nil
}

// groupsOf are the groups of a token. If the provider leaves them out, because there
// are too many or because it is not configured to send them, that is an error and never taken for
// "no groups". The error is a *access.RefusedError.
func (c claims) groupsOf(host string) ([]string, error) {
	if c.leftOut() {
		return nil, &access.RefusedError{Reason: "you are in too many groups, so " + host + " sends none of them (groups " +
			"overage): ask its administrator to send only the groups that are assigned to this application"}
	}
	text, ok := c.all[c.claim]
	if !ok {
		return nil, &access.RefusedError{Reason: fmt.Sprintf("%s does not send your groups: "+
			"ask its administrator to add the claim %q to ID tokens", host, c.claim)}
	}
	var list []string
	if err := json.Unmarshal(text, &list); err == nil && list != nil {
		return list, nil
	}
	var one *string // some providers send a single group as a string
	if err := json.Unmarshal(text, &one); err == nil && one != nil {
		return []string{*one}, nil
	}
	return nil, &access.RefusedError{Reason: fmt.Sprintf("%s sends a claim %q that is not a list of groups: "+
		"ask its administrator to check that claim", host, c.claim)}
}

// leftOut reports whether the token says that the groups are elsewhere: as a distributed
// claim, or as Entra ID does when they would make the token too long.
func (c claims) leftOut() bool {
	var elsewhere map[string]json.RawMessage
	if text, ok := c.all["_claim_names"]; ok {
		if err := json.Unmarshal(text, &elsewhere); err != nil {
			return true // some claims are elsewhere, but it is unknown which
		}
	}
	_, groups := elsewhere[c.claim]
	has := string(c.all["hasgroups"])
	return groups || has == "true" || has == `"true"`
}

// name is the user's display name. It does not identify the user.
func (c claims) name(subject string) string {
	for _, text := range []string{c.PreferredName, c.Email} {
		if name := access.Shown(text); name != "" {
			return name
		}
	}
	if name := access.Shown(subject); name != "" {
		return name
	}
	return "somebody"
}
