package oidc

import "gpuledger/internal/access"

// Grant is what the groups of somebody of this provider give him (access.GrantOf).
func (p *Provider) Grant(who access.Identity) (role access.Role, conditions []string, err error) {
	return access.GrantOf(p.cfg.Groups, who.Groups)
}
