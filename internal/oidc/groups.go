package oidc

import "gpuledger/internal/access"

// Grant returns the role and scope that a user's groups give (access.GrantOf).
func (p *Provider) Grant(who access.Identity) (role access.Role, conditions []string, err error) {
	return access.GrantOf(p.cfg.Groups, who.Groups)
}
