package main

import "gpuledger/internal/store"

// staleHours is how many hours may wait at any time: the current hour and those before it
// whose last samples are still arriving.
const staleHours = 3

// samples reports which minutes of samples are kept and how many hours wait for their
// summary; old minutes are dropped only after it.
func (c *doctorCmd) samples(a *app, s *store.Store, say report) error {
	droppedBefore, stale, err := s.SampleState(a.ctx)
	if err != nil {
		return err
	}
	kept := "all minutes are kept"
	if droppedBefore > 0 {
		kept = "minutes are kept from " + droppedBefore.Time().Format("2006-01-02") + " on, hourly summaries of all"
	}
	late := stale > staleHours
	say(hintUnless(!late), "samples", "%s; %s to summarise%s", kept, counted(stale, "hour", "hours"),
		when(late, "run `gpuledger allocate`, or keep `gpuledger serve` running"))
	return nil
}
