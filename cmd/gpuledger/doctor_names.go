package main

import (
	"gpuledger/internal/store"
	"gpuledger/metrics/serving"
)

// servedNames lists the served names that match no model, with the policy
// line that would join them.
func (c *doctorCmd) servedNames(a *app, s *store.Store, say report) error {
	names, err := s.ServedNames(a.ctx)
	if err != nil {
		return err
	}
	alone := 0
	for _, n := range names {
		switch n.By {
		case serving.Unknown:
			alone++
			say(hint, "served names",
				"%q is no model that an owner has: if it is one of them, add to the policy under served_models: {served: %q, "+
					"model: THAT_MODEL}", n.Served, n.Served)
		case serving.Ambiguous:
			alone++
			say(hint, "served names", "%q may be any of %q: add to the policy under served_models: {served: %q, model: %q}",
				n.Served, n.Among, n.Served, n.Among[0])
		}
	}
	if alone == 0 {
		say(fine, "served names", "%s a model", counted(len(names), "name matches", "names all match"))
	}
	return nil
}
