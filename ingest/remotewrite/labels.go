package remotewrite

import (
	"bytes"
	"unicode/utf8"

	"gpuledger/ingest/series"
)

const metricName = "__name__"

// Faults of labels.
var (
	faultNoMetric = &series.Fault{
		Reason: "no metric name", Column: metricName, Detail: "every series has a label __name__",
	}
	faultUnsorted = &series.Fault{Reason: "labels not sorted", Column: "labels", Detail: "labels are sorted by name"}
	faultRepeated = &series.Fault{
		Reason: "repeated label", Column: "labels", Detail: "a series has each label name only once",
	}
	faultEmptyName = &series.Fault{Reason: "empty label name", Column: "labels", Detail: "a label has a name"}
	faultText      = &series.Fault{
		Reason: "label is not utf-8", Column: "labels", Detail: "names and values of labels are UTF-8",
	}
	faultLabel = &series.Fault{Reason: "bad label", Column: "labels", Detail: "a label is a name and a value"}
	faultRefs  = &series.Fault{
		Reason: "bad symbol reference", Column: "labels_refs",
		Detail: "references come in pairs and point into the symbols, of which the first is empty",
	}
	faultTooLong = &series.Fault{
		Reason: "labels too long", Column: "labels", Detail: "all labels of a series together must fit the limit",
	}
)

// MaxLabelBytes bounds the labels of one series, names and values together.
const MaxLabelBytes = 16 << 10

// Check returns the metric's name if the labels of the series are valid. It allocates nothing;
// the name is valid during the visit.
func (s *Series) Check() (name []byte, f *series.Fault) {
	c := checker{}
	if f := s.eachLabel(&c); f != nil {
		return nil, f
	}
	if len(c.name) == 0 {
		return nil, faultNoMetric
	}
	return c.name, nil
}

// Labels returns the metric's name and the labels that have a value, appended to dst, without
// those by which replicas differ. Their texts are copies in one allocation. A fault names the
// broken rule.
func (s *Series) Labels(dst series.Labels) (name string, ls series.Labels, f *series.Fault) {
	c := checker{dst: dst, keep: true}
	if f := s.eachLabel(&c); f != nil {
		return "", nil, f
	}
	if len(c.name) == 0 {
		return "", nil, faultNoMetric
	}
	text := string(c.text)
	at := 0
	take := func(n int) string {
		at += n
		return text[at-n : at]
	}
	name = take(len(c.name))
	for _, n := range c.sizes {
		c.dst = append(c.dst, series.Label{Name: take(n[0]), Value: take(n[1])})
	}
	return name, c.dst, nil
}

func (s *Series) eachLabel(c *checker) *series.Fault {
	if s.d.version == V2 {
		return c.all2(s)
	}
	return c.all1(s.labels)
}

// checker checks the labels of one series, and collects them.
type checker struct {
	name, last []byte
	any        bool

	keep  bool
	dst   series.Labels
	text  []byte // name, then names and values
	sizes [][2]int
}

func (c *checker) all1(raw []byte) *series.Fault {
	if len(raw) > MaxLabelBytes {
		return faultTooLong
	}
	for i := 0; i < len(raw); {
		k, v, next := label1(raw, i)
		if next == 0 {
			return faultLabel
		}
		if f := c.add(k, v); f != nil {
			return f
		}
		i = next
	}
	return c.end()
}

func (c *checker) all2(s *Series) *series.Fault {
	d := s.d
	if len(s.refs)%2 != 0 {
		return faultRefs
	}
	total := 0
	for i := 0; i < len(s.refs); i += 2 {
		if max(int64(s.refs[i]), int64(s.refs[i+1])) >= int64(len(d.symbols)) {
			return faultRefs
		}
		x, y := &d.symbols[s.refs[i]], &d.symbols[s.refs[i+1]]
		if total += x.to - x.from + y.to - y.from; total > MaxLabelBytes {
			return faultTooLong
		}
		if f := c.add(d.msg[x.from:x.to], d.msg[y.from:y.to]); f != nil {
			return f
		}
	}
	return c.end()
}

// add takes one label in the order of the message.
func (c *checker) add(k, v []byte) *series.Fault {
	switch {
	case len(k) == 0:
		return faultEmptyName
	case !utf8.Valid(k) || !utf8.Valid(v):
		return faultText
	}
	if c.any {
		switch bytes.Compare(c.last, k) {
		case 0:
			return faultRepeated
		case 1:
			return faultUnsorted
		}
	}
	c.last, c.any = k, true
	if string(k) == metricName {
		c.name = v
		return nil
	}
	if c.keep && len(v) > 0 && !replica(k) {
		c.text = append(append(c.text, k...), v...)
		c.sizes = append(c.sizes, [2]int{len(k), len(v)})
	}
	return nil
}

// end puts the name before the labels.
func (c *checker) end() *series.Fault {
	if c.keep {
		c.text = append(c.text, c.name...)
		n := len(c.text) - len(c.name)
		copy(c.text[len(c.name):], c.text[:n])
		copy(c.text, c.name)
	}
	return nil
}

// label1 reads Label{1 name, 2 value}, a field of raw at i. next is 0 if it is broken.
func label1(raw []byte, i int) (k, v []byte, next int) {
	_, _, at := field(raw, i)
	from, to := span(raw, at)
	if to == 0 {
		return nil, nil, 0
	}
	for j := from; j < to; {
		number, wire, at := field(raw[:to], j)
		if at == 0 {
			return nil, nil, 0
		}
		if number > 2 {
			if j = skip(raw[:to], at, wire); j == 0 {
				return nil, nil, 0
			}
			continue
		}
		a, b := span(raw[:to], at)
		if wire != wireBytes || b == 0 {
			return nil, nil, 0
		}
		if number == 1 {
			k = raw[a:b]
		} else {
			v = raw[a:b]
		}
		j = b
	}
	return k, v, to
}

// replica reports the labels by which two Prometheus servers with the same targets differ:
// their samples are the same.
func replica(name []byte) bool {
	switch string(name) {
	case "replica", "prometheus_replica", "__replica__":
		return true
	}
	return false
}
