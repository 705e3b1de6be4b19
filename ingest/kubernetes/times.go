package kubernetes

import (
	"fmt"
	"strings"
	"time"

	"gpuledger/internal/period"
)

// newest is the latest plausible instant before ahead in any object, in unix seconds. Future
// times (certificates, deadlines, deletions) do not count.
func newest(objects []*Object, ahead period.Second) int64 {
	var last period.Second
	for _, o := range objects {
		eachTime(o, func(key string, at period.Second) {
			if key != "deletionTimestamp" && !strings.Contains(strings.ToLower(key), "expir") && at.Believable() && at < ahead {
				last = max(last, at)
			}
		})
	}
	return int64(last)
}

// lifeTimes are the keys of times that bound a pod's hold of devices.
var lifeTimes = map[string]bool{
	"creationTimestamp": true, "deletionTimestamp": true, "startTime": true, "completionTime": true,
	"startedAt": true, "finishedAt": true, "lastTransitionTime": true,
}

// impossible names the time in an object's life that is outside the years 2000 to 2099; of
// several, the first by key. The zero time of Go programs (year 1) means unknown, and is not a
// fault.
func impossible(o *Object) error {
	var first, reason string
	eachTime(o, func(key string, at period.Second) {
		why := period.Impossible(at)
		if why != "" && lifeTimes[key] && !at.Time().IsZero() &&
			(first == "" || key < first || key == first && why < reason) {
			first, reason = key, why
		}
	})
	if first == "" {
		return nil
	}
	return fmt.Errorf("%s %s/%s: %s: %s", o.GetKind(), o.GetNamespace(), o.GetName(), first, reason)
}

// future names the time in an object's life that is at or after ahead; of several, the first by
// key. Deletion times are exempt. Empty: there is none.
func future(o *Object, ahead period.Second) string {
	first, when := "", period.Second(0)
	eachTime(o, func(key string, at period.Second) {
		if lifeTimes[key] && key != "deletionTimestamp" && at.Believable() && at >= ahead &&
			(first == "" || key < first || key == first && at < when) {
			first, when = key, at
		}
	})
	if first == "" {
		return ""
	}
	return fmt.Sprintf("%s %s/%s: %s: %s is ahead of this machine's clock; correct the value, or the clock, "+
		"and import the file again",
		o.GetKind(), o.GetNamespace(), o.GetName(), first, when)
}

// eachTime calls of with the times in an object's metadata and status, and their keys.
func eachTime(o *Object, of func(key string, at period.Second)) {
	if meta, ok := o.Object["metadata"].(map[string]any); ok {
		for _, key := range []string{"creationTimestamp", "deletionTimestamp", "managedFields"} {
			walkTimes(key, meta[key], of)
		}
	}
	walkTimes("status", o.Object["status"], of)
}

func walkTimes(key string, v any, of func(key string, at period.Second)) {
	switch v := v.(type) {
	case map[string]any:
		for k, one := range v {
			walkTimes(k, one, of)
		}
	case []any:
		for _, one := range v {
			walkTimes(key, one, of)
		}
	case string:
		if len(v) >= 20 && len(v) <= 35 && v[4] == '-' && v[10] == 'T' {
			if t, err := time.Parse(time.RFC3339Nano, v); err == nil {
				of(key, period.FromTime(t))
			}
		}
	}
}

// timeOf reads RFC 3339; 0 if it is missing or unreadable.
func timeOf(s string) period.Second {
	t, err := time.Parse(time.RFC3339, strings.TrimSpace(s))
	if err != nil || t.IsZero() {
		return 0
	}
	return period.FromTime(t)
}
