package agent

import (
	"math"
	"time"

	"gpuledger/ingest/nvidiasmi"
	"gpuledger/ingest/series"
)

// minuteMeans turns readings of signals that vary within a minute into the mean of the minute so far. The server keeps
// the newest sample of a minute, which is then the mean of all of them; a single reading would cover only the last
// seconds.
type minuteMeans map[meanOf]*sum

type meanOf struct{ metric, device string }

type sum struct {
	minute time.Time
	total  float64
	n      int
}

// varying are the series that are averaged. For memory and temperature the newest counts; throttle reasons are a mask.
var varying = map[string]bool{
	string(nvidiasmi.MetricUtilization): true,
	string(nvidiasmi.MetricMemoryCopy):  true, string(nvidiasmi.MetricPower): true,
	string(nvidiasmi.MetricPCIeTx): true, string(nvidiasmi.MetricPCIeRx): true, metricCPU: true,
}

// add takes a reading of a device at a time and returns the mean of that minute's readings, to six places. Readings of
// one metric come in order of time.
func (m minuteMeans) add(metric, device string, at time.Time, value series.Decimal) series.Decimal {
	if !varying[metric] {
		return value
	}
	minute := at.Truncate(time.Minute)
	s := m[meanOf{metric, device}]
	if s == nil || !s.minute.Equal(minute) {
		s = &sum{minute: minute}
		m[meanOf{metric, device}] = s
	}
	s.total += value.Float()
	s.n++
	return series.DecimalOf(math.Round(s.total/float64(s.n)*1e6) / 1e6)
}
