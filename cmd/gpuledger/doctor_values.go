package main

import "gpuledger/internal/store"

// values lists owner values that may be spellings of the same one, with the policy
// line that would merge them.
func (c *doctorCmd) values(a *app, s *store.Store, say report) error {
	alike, err := s.LookAlikes(a.ctx)
	if err != nil {
		return err
	}
	if len(alike) == 0 {
		say(fine, "values", "no two values of owners look alike")
	}
	for _, l := range alike {
		say(hint, "values", "%s %q may be the same: if so, add to the policy under values: %s", l.Dimension, l.Values,
			l.Mapping())
	}
	return nil
}
