package openmetrics

import (
	"errors"
	"fmt"

	"gpuledger/ingest/series"
)

// ErrTruncated is wrapped when a file with OpenMetrics timestamps does not end
// with # EOF.
var ErrTruncated = errors.New("the input ends without # EOF, so it is cut off; fetch the file again")

var (
	faultNumber = &series.Fault{
		Reason: "not a number", Column: series.ValueColumn, Detail: "a value is a decimal number, NaN or Inf",
	}
	faultNoTime = &series.Fault{
		Reason: "no timestamp", Column: "timestamp",
		Detail: "write samples with timestamps, in seconds (OpenMetrics) or milliseconds (text format)",
	}
	faultTime = &series.Fault{
		Reason: "bad timestamp", Column: "timestamp",
		Detail: "a timestamp is a number of seconds (OpenMetrics) or milliseconds (text format)",
	}
	faultFuture = &series.Fault{
		Reason: "time in the future", Column: "timestamp",
		Detail: "the time is ahead of this machine's clock; correct the clock that wrote it, or this one, and " +
			"import again",
	}
	faultTimeRange = &series.Fault{
		Reason: "timestamp out of range", Column: "timestamp",
		Detail: "the time is implausible; check its unit",
	}
	faultLong = &series.Fault{Reason: "line too long", Column: "", Detail: "a line has at most 1 MiB"}
	faultCut  = &series.Fault{
		Reason: "unterminated last line", Column: "",
		Detail: "the last line has no line feed, so it may be cut off; fetch the file again",
	}
)

func detail(f *series.Fault, found []byte) string {
	if len(found) == 0 {
		return f.Detail
	}
	more := ""
	if len(found) > 60 {
		found, more = found[:60], "…"
	}
	return fmt.Sprintf("found %q%s: %s", found, more, f.Detail)
}
