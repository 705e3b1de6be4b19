package serving

import (
	"math/big"
	"strings"
)

// kind is a kind of counter.
type kind uint8

const (
	answered   kind = iota // requests with an answer
	unanswered             // requests that ended without an answer, by reason
	received
	succeeded
	failed  // in addition to the other requests
	aborted // included in the requests
	inferences
	prompt
	cached
	cachedElsewhere // prompt tokens by source, those that were not computed
	generated
	prefill // seconds, as all below
	decode
	latencySum
	latencyCount
	ttftSum
	ttftCount
	queueSum
	queueCount
	kinds
)

// kindOf maps canonical names (ingest/series/inference.csv) to kinds.
var kindOf = map[string]kind{
	"requests_received": received, "requests_succeeded": succeeded, "requests_failed": failed, "requests_aborted": aborted,
	"inferences": inferences, "prompt_tokens": prompt, "cached_prompt_tokens": cached, "generation_tokens": generated,
	"prefill_seconds_sum": prefill, "decode_seconds_sum": decode,
	"latency_seconds_sum": latencySum, "latency_seconds_count": latencyCount,
	"ttft_seconds_sum": ttftSum, "ttft_seconds_count": ttftCount,
	"queue_seconds_sum": queueSum, "queue_seconds_count": queueCount,
}

// traffic are the kinds that show that a layer sees requests.
var traffic = [...]kind{answered, unanswered, received, succeeded, inferences, prompt, generated, latencyCount}

// measure is a histogram that is kept.
type measure uint8

const (
	latency measure = iota
	ttft
	queue
	measures
)

var measureOf = map[string]measure{
	"latency_seconds_bucket": latency, "ttft_seconds_bucket": ttft, "queue_seconds_bucket": queue,
}

// unansweredBy are the reasons with which a request ends without an answer.
var unansweredBy = map[string]bool{"abort": true, "aborted": true, "cancel": true, "canceled": true, "cancelled": true,
	"error": true, "failed": true, "rejected": true, "timeout": true}

// tenantMark begins the tenant in a counter's name.
const tenantMark = '@'

// meaning is the parsed name of a stored counter.
type meaning struct {
	kind   kind
	bucket bool // of measure, up to bound, instead of kind
	measure
	bound  int64 // nanoseconds
	start  string
	tenant string
}

// meaningOf parses a counter's name; ok is false for counters that are not read.
func meaningOf(name string) (m meaning, ok bool) {
	base, rest, split := strings.Cut(name, "/")
	m.start = "start/" + canonical(base)
	if m.measure, m.bucket = measureOf[base]; m.bucket {
		var le string
		if le, rest, split = strings.Cut(rest, "/"); le == "" {
			return m, false
		}
		if m.bound, ok = nanoseconds(le); !ok {
			return m, false
		}
	}
	var reason bool
	if split {
		m.start += "/" + rest
		for part := range strings.SplitSeq(rest, "/") {
			if part == "" {
				continue
			}
			if part[0] == tenantMark {
				m.tenant = unescape.Replace(part[1:])
			}
			reason = reason || unansweredBy[strings.ToLower(part)]
		}
	}
	if m.bucket {
		return m, true
	}
	switch base {
	case "requests":
		if m.kind = answered; reason {
			m.kind = unanswered
		}
		return m, true
	case "prompt_tokens_by_source":
		m.kind = cachedElsewhere
		return m, split && !strings.HasPrefix(rest, "local_compute")
	}
	m.kind, ok = kindOf[base]
	return m, ok
}

// canonical is the name under which a counter's start is stored.
func canonical(base string) string {
	for _, suffix := range [...]string{"_seconds_sum", "_seconds_count", "_seconds_bucket"} {
		if cut, ok := strings.CutSuffix(base, suffix); ok {
			return cut + "_seconds"
		}
	}
	return base
}

// unescape reverts the escapes that separate the parts of a counter's name.
var unescape = strings.NewReplacer("%2F", "/", "%40", "@", "%25", "%")

// nanoseconds reads the upper bound of a bucket, which is in seconds.
func nanoseconds(le string) (int64, bool) {
	if le == "+Inf" {
		return Infinite, true
	}
	v, ok := new(big.Rat).SetString(le)
	if !ok {
		return 0, false
	}
	v.Mul(v, big.NewRat(1_000_000_000, 1))
	n := new(big.Int).Quo(v.Num(), v.Denom())
	return n.Int64(), n.IsInt64() && n.Int64() != Infinite
}
