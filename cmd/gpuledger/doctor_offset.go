package main

import (
	"fmt"

	"gpuledger/internal/period"
	"gpuledger/internal/store"
)

// offsets lists the clusters whose jobs match their machines' telemetry only at another
// time offset, as local times do that were read as UTC.
func (c *doctorCmd) offsets(a *app, s *store.Store, say report) error {
	list, err := s.JobOffsets(a.ctx)
	if err != nil {
		return err
	}
	for _, o := range list {
		say(check, "times", "jobs of cluster %s match their GPUs' activity %s: their times may be local times of %s that "+
			"were read as another zone's. "+
			"If so, import the jobs again with --time-zone ZONE (time_zone in the configuration), such as Europe/Berlin, "+
			"which replaces them. "+
			"Samples cannot be moved: if the samples are in local time, as from nvidia-smi, import everything into a new "+
			"data directory with --time-zone",
			o.Cluster, moved(o.Offset), zoneOf(o.Offset))
	}
	return nil
}

// moved is an offset in words.
func moved(o period.Second) string {
	word := "later"
	if o < 0 {
		o, word = -o, "earlier"
	}
	return fmt.Sprintf("%d:%02d h %s", o/period.Hour, o%period.Hour/period.Minute, word)
}

// zoneOf is the zone whose local times, read as UTC, are off by o.
func zoneOf(o period.Second) string {
	sign := "+"
	if o > 0 {
		sign = "-"
	} else {
		o = -o
	}
	return fmt.Sprintf("UTC%s%02d:%02d", sign, o/period.Hour, o%period.Hour/period.Minute)
}
