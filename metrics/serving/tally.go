package serving

// tally is one server's counts of one model and tenant in an hour, in thousandths.
type tally struct {
	total   [kinds]int64
	known   [kinds]bool
	buckets [measures]map[int64]int64 // by upper bound, in thousandths
}

func (t *tally) count(m meaning, by int64) {
	if !m.bucket {
		t.total[m.kind] += by
		t.known[m.kind] = true
		return
	}
	if t.buckets[m.measure] == nil {
		t.buckets[m.measure] = map[int64]int64{}
	}
	t.buckets[m.measure][m.bound] += by
}

// add adds the counts of another engine or replica.
func (t *tally) add(other *tally) {
	for k := range kinds {
		t.total[k] += other.total[k]
		t.known[k] = t.known[k] || other.known[k]
	}
	for m := range measures {
		for bound, n := range other.buckets[m] {
			t.count(meaning{bucket: true, measure: m, bound: bound}, n)
		}
	}
}

// groups of kinds that one server counts together: another server's numbers of a group cover the same requests.
type groups [groupCount]bool

const (
	groupRequests = iota
	groupInferences
	groupPrompt
	groupCached
	groupGenerated
	groupPhases
	groupLatency
	groupTTFT
	groupQueue
	groupCount
)

var groupOf = [kinds]int{
	answered: groupRequests, unanswered: groupRequests, received: groupRequests,
	succeeded: groupRequests, failed: groupRequests, aborted: groupRequests,
	inferences: groupInferences, prompt: groupPrompt, cached: groupCached,
	cachedElsewhere: groupCached, generated: groupGenerated,
	prefill: groupPhases, decode: groupPhases, latencySum: groupLatency, latencyCount: groupLatency,
	ttftSum: groupTTFT, ttftCount: groupTTFT, queueSum: groupQueue, queueCount: groupQueue,
}

var groupOfMeasure = [measures]int{latency: groupLatency, ttft: groupTTFT, queue: groupQueue}

func (g groups) and(other groups) groups {
	for i := range g {
		g[i] = g[i] || other[i]
	}
	return g
}

// groups in which the tally has any count.
func (t *tally) groups() (g groups) {
	for k := range kinds {
		g[groupOf[k]] = g[groupOf[k]] || t.known[k]
	}
	for m := range measures {
		g[groupOfMeasure[m]] = g[groupOfMeasure[m]] || len(t.buckets[m]) > 0
	}
	return g
}

// without is the tally without some groups.
func (t *tally) without(g groups) *tally {
	out := &tally{}
	for k := range kinds {
		if !g[groupOf[k]] {
			out.total[k], out.known[k] = t.total[k], t.known[k]
		}
	}
	for m := range measures {
		if !g[groupOfMeasure[m]] {
			out.buckets[m] = t.buckets[m]
		}
	}
	return out
}

// value is the count of a kind; nil if not counted.
func (t *tally) value(k kind) *int64 {
	if !t.known[k] {
		return nil
	}
	v := t.total[k]
	return &v
}

// requests with and without an answer, in thousandths.
func (t *tally) requests() (with, without *int64) {
	bad := t.total[unanswered] + t.total[failed] + t.total[aborted]
	badKnown := t.known[unanswered] || t.known[failed] || t.known[aborted]
	var good int64
	switch {
	case t.known[answered] || t.known[unanswered]:
		good, badKnown = max(0, t.total[answered]-t.total[aborted]), true
	case t.known[succeeded]:
		good = t.total[succeeded]
	case t.known[received]:
		good = max(0, t.total[received]-bad)
	case t.known[latencyCount]:
		good = t.total[latencyCount]
	default:
		if !badKnown {
			return nil, nil
		}
		return nil, &bad
	}
	if !badKnown {
		return &good, nil
	}
	return &good, &bad
}

// cachedTokens in thousandths.
func (t *tally) cachedTokens() *int64 {
	if v := t.value(cached); v != nil {
		return v
	}
	return t.value(cachedElsewhere)
}

// tokens reports whether tokens were counted.
func (t *tally) tokens() bool { return t.known[prompt] || t.known[generated] }

// computed are the prompt tokens that were not in a cache, in thousandths.
func (t *tally) computed() int64 {
	var hit int64
	if v := t.cachedTokens(); v != nil {
		hit = *v
	}
	return max(0, t.total[prompt]-hit)
}

// Counted is the counts of an hour. nil is NULL: not counted.
type Counted struct {
	Requests, Failed, Inferences                *int64
	PromptTokens, CachedTokens, GeneratedTokens *int64
	PrefillMillis, DecodeMillis                 *int64
	LatencyMillis, LatencySamples, TTFTMillis   *int64
	TTFTSamples, QueueMillis, QueueSamples      *int64
	Latency, TTFT, Queue                        Histogram
}

// counted rounds the thousandths of counts half up; thousandths of seconds are
// milliseconds.
func (t *tally) counted() Counted {
	good, bad := t.requests()
	c := Counted{
		Requests: whole(good), Failed: whole(bad), Inferences: whole(t.value(inferences)),
		PromptTokens: whole(t.value(prompt)), CachedTokens: whole(t.cachedTokens()),
		GeneratedTokens: whole(t.value(generated)),
		PrefillMillis:   t.value(prefill), DecodeMillis: t.value(decode),
		LatencyMillis: t.value(latencySum), LatencySamples: whole(t.value(latencyCount)),
		TTFTMillis: t.value(ttftSum), TTFTSamples: whole(t.value(ttftCount)),
		QueueMillis: t.value(queueSum), QueueSamples: whole(t.value(queueCount)),
	}
	if c.Inferences == nil {
		c.Inferences = c.Requests
	}
	if c.LatencySamples == nil && c.LatencyMillis != nil { // counters of durations: their count is the number of requests
		c.LatencySamples = c.Requests
	}
	if c.QueueSamples == nil && c.QueueMillis != nil {
		c.QueueSamples = c.Requests
	}
	c.Latency = t.histogram(latency, latencyCount)
	c.TTFT = t.histogram(ttft, ttftCount)
	c.Queue = t.histogram(queue, queueCount)
	return c
}

func (t *tally) histogram(m measure, count kind) Histogram {
	buckets := map[int64]int64{}
	for bound, n := range t.buckets[m] {
		buckets[bound] = *whole(&n)
	}
	all := int64(-1)
	if n := whole(t.value(count)); n != nil {
		all = *n
	}
	return histogramOf(buckets, all)
}

func whole(thousandths *int64) *int64 {
	if thousandths == nil {
		return nil
	}
	v := (*thousandths + 500) / 1000
	return &v
}
