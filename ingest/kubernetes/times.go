package kubernetes

import (
	"fmt"
	"strings"
	"time"

	"gpuledger/internal/period"
)

// newest is the latest possible instant before ahead that any object holds, in unix
// seconds. Times ahead of the present (certificates, deadlines, deletions) do not
// count.
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

// lifeTimes are the keys of the times that a hold of devices is made of.
var lifeTimes = map[string]bool{
	"creationTimestamp": true, "deletionTimestamp": true, "startTime": true, "completionTime": true,
	"startedAt": true, "finishedAt": true, "lastTransitionTime": true,
}

// impossible says which time of an object's life lies outside the years 2000 to 2099,
// of several the first by key. The zero time of Go's programs (year 1) is not known,
// and no fault.
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

// future says which time of an object's life lies at or after ahead, of several the
// first by key; a deletion may. Empty: none does.
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

// eachTime hands out the times of an object's metadata and status, each with the key
// that it stands under.
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

// timeOf reads RFC 3339, 0 when there is none or it is not known.
func timeOf(s string) period.Second {
	t, err := time.Parse(time.RFC3339, strings.TrimSpace(s))
	if err != nil || t.IsZero() {
		return 0
	}
	return period.FromTime(t)
}
