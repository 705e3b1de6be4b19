package main

import "gpuledger/internal/store"

// values names values of owners that may be spellings of one, with the line of a
// policy that would make them one.
func (c *doctorCmd) values(a *app, s *store.Store, say report) error {
	alike, err := s.LookAlikes(a.ctx)
	if err != nil {
		return err
	}
	if len(alike) == 0 {
		say(fine, "values", "no two values of owners look alike")
	}
	for _, l := range alike {
		say(hint, "values", "%s %q may be the same: if so, add to the policy under values: %s", l.Dimension, l.Values, l.Mapping())
	}
	return nil
}
