package main

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"

	"gpuledger/internal/access"
	"gpuledger/internal/config"
	"gpuledger/web/dashboard/people"
	"gpuledger/web/gate"
)

// front is the configured proxy that signs users in, believed only from the named
// addresses; nil: there is none, or access control is off. It refuses configurations that would let
// others claim to be any user.
func (f doorFlags) front(cfg *config.Config) (*gate.Proxy, error) {
	c := cfg.Access.Proxy
	if c == nil || f.Auth != authOn {
		return nil, nil
	}
	named, err := f.proxies()
	if err != nil {
		return nil, err
	}
	if len(named) == 0 {
		return nil, errors.New("access.proxy: the server believes user headers only from a proxy named with --proxy, and " +
			"it has " +
			"none: start the server with --proxy and the proxy's address, such as --proxy 10.0.0.7, " +
			"or remove access.proxy from the configuration")
	}
	from := named
	if len(c.Addresses) > 0 {
		if from, err = within(c.Addresses, named); err != nil {
			return nil, err
		}
	}
	for _, p := range from {
		if everybody(p) {
			return nil, fmt.Errorf("access.proxy: %s is too wide for a proxy: anyone who reaches this server could claim to be "+
				"an admin. Name the address of the proxy that signs people in, in addresses or with --proxy", p)
		}
	}
	return &gate.Proxy{From: from, UserHeader: c.UserHeader, GroupsHeader: c.GroupsHeader, Separator: c.Separator,
		Groups: mappings(c.Groups)}, nil
}

// within parses addresses, each of which must be within a named proxy.
func within(addresses []string, named []netip.Prefix) (list []netip.Prefix, err error) {
	for _, text := range addresses {
		p, err := config.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("access.proxy: addresses: %q is not an address or CIDR", text)
		}
		if !slices.ContainsFunc(named, func(n netip.Prefix) bool { return n.Bits() <= p.Bits() && n.Contains(p.Addr()) }) {
			return nil, fmt.Errorf("access.proxy: addresses: %s is not within --proxy, so its headers about a request's origin "+
				"are not believed: add --proxy %s", text, text)
		}
		list = append(list, p)
	}
	return list, nil
}

// everybody reports whether a prefix is wider than any network of one owner: the widest are 10.0.0.0/8
// and fc00::/7.
func everybody(p netip.Prefix) bool {
	if p.Addr().Is4() {
		return p.Bits() < 8
	}
	return p.Bits() < 7 || p.Addr().Is4In6() && p.Bits() < 96+8
}

// warnOfFront warns of risks of the sign-in proxy that only the operator can judge.
func (a *app) warnOfFront(cfg *config.Config, front *gate.Proxy) {
	switch {
	case cfg.Access.Proxy == nil:
	case front == nil:
		a.log.Warn("access control is off, so the configured proxy does not sign users in: switch it on with --auth on")
	case slices.ContainsFunc(front.From, func(p netip.Prefix) bool { return p.Addr().IsLoopback() }):
		a.log.Warn("the sign-in proxy is on this machine, so any program here can claim to be any user: "+
			"do not give others an account on this machine",
			"user_header", front.UserHeader)
	}
}

// proxyPages is the sign-in proxy as pages use it; nil: there is none.
func proxyPages(cfg *config.Config, passing *gate.Gate, seeing people.Seeing) *people.Proxy {
	if passing == nil || passing.Proxy == nil {
		return nil
	}
	return &people.Proxy{SignOut: cfg.Access.Proxy.SignOutURL, Seeing: seeing}
}

// mappings are the roles and scopes of the configured groups.
func mappings(groups []config.Group) (list []access.Mapping) {
	for _, g := range groups {
		list = append(list, access.Mapping{Group: g.Group, Role: access.Role(g.Role), Conditions: g.Scope})
	}
	return list
}
