package main

import "gpuledger/internal/store"

// undescribed lists GPU work on machines that no source describes.
func (c *doctorCmd) undescribed(a *app, s *store.Store, say report) error {
	list, err := s.Undescribed(a.ctx)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		say(fine, "machines", "every machine with GPU work is described by a source")
	}
	for _, u := range list {
		level := check
		if u.Node == "" {
			level = hint // its bill may still arrive
		}
		say(level, "machines", "%s", u)
	}
	return nil
}
