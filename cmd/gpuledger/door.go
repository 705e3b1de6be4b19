package main

import (
	"fmt"
	"io"
	"maps"
	"net"
	"net/netip"
	"slices"
	"time"

	"gpuledger/internal/config"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/web/api"
	"gpuledger/web/dashboard"
	"gpuledger/web/gate"
)

// Access control, on or off.
const (
	authOn  = "on"
	authOff = "off"
)

// doorFlags configure access to the server.
type doorFlags struct {
	Auth  string   `enum:"on,off" default:"off" help:"Access control: ${enum}. If off, anyone who reaches the port sees everything, so only loopback addresses are allowed."`
	Host  []string `placeholder:"NAME" help:"Host name of this server, in addition to its addresses and localhost. Requests for other names are refused. May be repeated."`
	Proxy []string `placeholder:"CIDR" help:"Trusted proxy, such as 10.0.0.0/8: its X-Forwarded-For and X-Forwarded-Proto headers are believed. May be repeated."`
	tlsFlags
}

// check refuses an address that other machines reach while access control is off.
func (f doorFlags) check(addr string) error {
	if _, err := f.proxies(); err != nil {
		return err
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("--addr %s: %w", addr, err)
	}
	if f.Auth != authOn && !loopback(host) {
		return fmt.Errorf("--addr %s can be reached from other machines, and access control is off: anyone who "+
			"reaches it would see all costs. Switch it on with --auth on (the first start prints a link with which an "+
			"admin chooses a password), or listen "+
			"on 127.0.0.1", addr)
	}
	return nil
}

// loopback reports whether a host is reached from this machine only.
func loopback(host string) bool {
	at, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && at.IsLoopback()
}

// plain reports whether passwords would be sent unencrypted to an address.
func (f doorFlags) plain(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && !loopback(host) && f.TLSCert == "" && len(f.Proxy) == 0
}

func (f doorFlags) proxies() (list []netip.Prefix, err error) {
	for _, text := range f.Proxy {
		p, err := config.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("--proxy %q is not an address or CIDR", text)
		}
		list = append(list, p)
	}
	return list, nil
}

// hosts are the names of the server: the given ones, and the host of its address.
func (f doorFlags) hosts(addr string) []string {
	list := append([]string{}, f.Host...)
	if host, _, err := net.SplitHostPort(addr); err == nil && host != "" {
		list = append(list, host)
	}
	return list
}

// url is the address to reach a server that listens on an address. If it listens on all
// addresses, that is its first name, or this machine.
func (f doorFlags) url(listens string) string {
	host, port, err := net.SplitHostPort(listens)
	if at, ipErr := netip.ParseAddr(host); err == nil && ipErr == nil && at.IsUnspecified() {
		if host = "127.0.0.1"; len(f.Host) > 0 {
			host = f.Host[0]
		}
		listens = net.JoinHostPort(host, port)
	}
	return f.scheme() + listens
}

// door is the gate that checks requests; nil: access control is off.
func (a *app) door(p *pools, f doorFlags, cfg *config.Config, arriving *arrivals) (*gate.Gate, error) {
	if f.Auth != authOn {
		return nil, nil
	}
	if err := p.readers.Access.CheckRights(a.ctx); err != nil {
		return nil, fmt.Errorf("--auth on: %w", err)
	}
	proxies, err := f.proxies()
	if err != nil {
		return nil, err
	}
	front, err := f.front(cfg)
	if err != nil {
		return nil, err
	}
	if front != nil {
		front.Guests = p.health.Access
	}
	p.readers.Guarded()
	if a.cast != nil {
		p.health.Access.AdmitCast()
	}
	return gate.New(gate.Options{Keeper: p.health.Access, Now: time.Now, Log: a.log, Proxies: proxies, Proxy: front,
		Away:      pg.Away,
		Receivers: slices.Collect(maps.Keys(arriving.receivers)), Pages: dashboard.PageNeeds(), Changes: api.Needs()}), nil
}

// sayWhere prints the server's address.
func sayWhere(w io.Writer, f doorFlags, listens string) {
	fmt.Fprintf(w, "gpuledger is at %s\n", f.url(listens))
}

// invite prints the first admin's link while no user can sign in yet.
func (a *app) invite(s *store.Store, addr string, f doorFlags) error {
	if f.Auth != authOn {
		return nil
	}
	link, err := s.Access.Setup(a.ctx, time.Now().UTC())
	if err != nil || link == "" {
		return err
	}
	fmt.Fprintf(a.stdout, "no one can sign in yet: choose the admin's password, once and within a day, at %s\n",
		welcomeURL(f.url(addr), link))
	return nil
}
