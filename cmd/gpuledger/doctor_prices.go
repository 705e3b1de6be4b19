package main

import (
	"gpuledger/internal/store"
	"gpuledger/metrics"
)

// prices says at which prices all figures stand, and how to get real ones.
func (c *doctorCmd) prices(a *app, s *store.Store, say report) error {
	of, err := metrics.ReadStanding(a.ctx, s, metrics.Options{})
	if text := of.Sentence(); err == nil && text != "" {
		say(hintUnless(!of.Guessed()), "prices", "%s", text)
	}
	return err
}
