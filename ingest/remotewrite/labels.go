package remotewrite

import (
	"unicode/utf8"

	"gpuledger/ingest/series"
)

const metricName = "__name__"

// Faults of labels.
var (
	faultNoMetric  = &series.Fault{Reason: "no metric name", Column: metricName, Detail: "every series has a label __name__"}
	faultUnsorted  = &series.Fault{Reason: "labels not sorted", Column: "labels", Detail: "labels are sorted by name"}
	faultRepeated  = &series.Fault{Reason: "repeated label", Column: "labels", Detail: "every label name comes once"}
	faultEmptyName = &series.Fault{Reason: "empty label name", Column: "labels", Detail: "a label has a name"}
	faultText      = &series.Fault{Reason: "label is not utf-8", Column: "labels", Detail: "names and values of labels are UTF-8"}
	faultLabel     = &series.Fault{Reason: "bad label", Column: "labels", Detail: "a label is a name and a value"}
	faultRefs      = &series.Fault{Reason: "bad symbol reference", Column: "labels_refs", Detail: "references come in pairs and point into the symbols, of which the first is empty"}
	faultTooLong   = &series.Fault{Reason: "labels too long", Column: "labels", Detail: "all labels of a series together must fit the limit"}
)

// MaxLabelBytes bounds the labels of one series, names and values together.
const MaxLabelBytes = 16 << 10

// labels1 reads label fields: Label{1 name, 2 value}. Their frame was checked
// when the series was read.
func labels1(dst series.Labels, raw []byte) (name string, ls series.Labels, f *series.Fault) {
	if len(raw) > MaxLabelBytes {
		return "", nil, faultTooLong
	}
	text := string(raw)
	check := labelCheck{}
	for i := 0; i < len(raw); {
		_, _, next := field(raw, i)
		from, to := span(raw, next)
		if to == 0 {
			return "", nil, faultLabel
		}
		var k, v string
		for j := from; j < to; {
			number, wire, at := field(raw[:to], j)
			if at == 0 {
				return "", nil, faultLabel
			}
			if number > 2 {
				if j = skip(raw[:to], at, wire); j == 0 {
					return "", nil, faultLabel
				}
				continue
			}
			a, b := span(raw[:to], at)
			if wire != wireBytes || b == 0 {
				return "", nil, faultLabel
			}
			if number == 1 {
				k = text[a:b]
			} else {
				v = text[a:b]
			}
			j = b
		}
		if f := check.add(&dst, &name, k, v); f != nil {
			return "", nil, f
		}
		i = to
	}
	if name == "" {
		return "", nil, faultNoMetric
	}
	return name, dst, nil
}

// labelCheck holds the rules for the labels of one series.
type labelCheck struct {
	last string
	any  bool
}

// add takes one label in the order of the message.
func (c *labelCheck) add(dst *series.Labels, name *string, k, v string) *series.Fault {
	switch {
	case k == "":
		return faultEmptyName
	case !utf8.ValidString(k) || !utf8.ValidString(v):
		return faultText
	case c.any && k == c.last:
		return faultRepeated
	case c.any && k < c.last:
		return faultUnsorted
	}
	c.last, c.any = k, true
	switch {
	case k == metricName:
		*name = v
	case v != "" && !replica(k):
		*dst = append(*dst, series.Label{Name: k, Value: v})
	}
	return nil
}

// replica names the labels by which two Prometheus servers that watch the same
// targets differ: their samples are the same.
func replica(name string) bool {
	return name == "replica" || name == "prometheus_replica" || name == "__replica__"
}
