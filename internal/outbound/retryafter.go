package outbound

import (
	"net/http"
	"strconv"
	"time"
)

// RetryAfter reads the Retry-After header, in seconds or as a date; 0 if it is missing or invalid.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	text := h.Get("Retry-After")
	if s, err := strconv.Atoi(text); err == nil {
		return max(0, time.Duration(min(s, 86_400))*time.Second)
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
