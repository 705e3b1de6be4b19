package truth

// HeldKey is a pod on a day, with the attempt that it worked for; without one, Attempt
// is 0 and RunID empty.
type HeldKey struct {
	PodUID, RunID string
	Attempt       int
	Task          string
	Day           int64
}

// HeldMinutes are minutes of cards and slices by their activity in ppm.
type HeldMinutes map[int64]int64

// countMinute counts a minute for a pod that held the slice as it began (17.8).
func (t *truth) countMinute(h *heldPod, attempt *Attempt, at, ppm int64) {
	k := HeldKey{PodUID: h.p.UID, Day: at / 86400 * 86400}
	if attempt != nil {
		k.RunID, k.Attempt, k.Task = h.runID, attempt.Number, attempt.Task
	}
	if t.out.Held == nil {
		t.out.Held = map[HeldKey]HeldMinutes{}
	}
	if t.out.Held[k] == nil {
		t.out.Held[k] = HeldMinutes{}
	}
	t.out.Held[k][ppm]++
}
