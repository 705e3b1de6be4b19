package openmetrics

import (
	"errors"
	"fmt"
)

// ErrTruncated is wrapped when a file with OpenMetrics timestamps does not end
// with # EOF.
var ErrTruncated = errors.New("the input ends without # EOF, so it is cut off; fetch the file again")

// valueColumn names the value of a sample in rejections.
const valueColumn = "value"

var (
	faultNumber    = &fault{"not a number", valueColumn, "a value is a decimal number, NaN or Inf"}
	faultInfinite  = &fault{"not finite", valueColumn, "an infinite value measures nothing"}
	faultRange     = &fault{"value out of range", valueColumn, "the value in its stored unit must fit 63 bits"}
	faultNegative  = &fault{"negative value", valueColumn, "this quantity cannot be negative"}
	faultNoTime    = &fault{"no timestamp", "timestamp", "write samples with timestamps, in seconds (OpenMetrics) or milliseconds (text format)"}
	faultTime      = &fault{"bad timestamp", "timestamp", "a timestamp is a number of seconds (OpenMetrics) or milliseconds (text format)"}
	faultTimeRange = &fault{"timestamp out of range", "timestamp", "the time is far from any plausible one; check its unit"}
	faultLong      = &fault{"line too long", "", "a line has at most 1 MiB"}
	faultCut       = &fault{"unterminated last line", "", "the last line has no line feed, so it may be cut off; fetch the file again"}

	faultNoDevice  = &fault{"no device uuid", "UUID", "an exporter row names its GPU by UUID; keep that label"}
	faultNoNode    = &fault{"no node", "Hostname", "run the exporter with NODE_NAME, or keep the label node or instance"}
	faultSlice     = &fault{"bad slice id", "GPU_I_ID", "the GPU instance id is a small number"}
	faultAmbiguous = &fault{"ambiguous unit", "name", "DCGM 4.6 counts to 100 and dcgm-exporter 4.9 to 1 under this name; keep the label DCGM_FI_SYSTEM_DRIVER_VERSION, which tells 4.9, or export DCGM_FI_DEV_GPU_UTIL"}

	faultNoUID   = &fault{"no uid", "uid", "kube-state-metrics 2.0 and later label every pod series with uid; upgrade it or keep the label"}
	faultNoName  = &fault{"no name", "labels", "the series must name its object"}
	faultNoPod   = &fault{"no pod", "pod", "keep the target labels namespace and pod on this series"}
	faultCounter = &fault{"bad counter label", "labels", "the label that splits this counter has a short value, of which a server knows a handful"}
	faultInstant = &fault{"not a point in time", valueColumn, "the value must be unix seconds inside the plausible range"}
)

// unmapped is returned by sinks of series that the tables leave out by their
// labels, such as other conditions of a node.
var unmapped = &fault{reason: "unmapped"}

func detail(f *fault, found []byte) string {
	if len(found) == 0 {
		return f.detail
	}
	more := ""
	if len(found) > 60 {
		found, more = found[:60], "…"
	}
	return fmt.Sprintf("found %q%s: %s", found, more, f.detail)
}

// refuse is the sink of a series that is refused as a whole.
type refuse struct{ why *fault }

func (r refuse) sample(*parser, int64, decimal) *fault { return r.why }
