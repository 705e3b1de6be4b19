package agent

import (
	"cmp"
	"slices"
	"strings"

	"gpuledger/ingest/remotewrite"
	"gpuledger/ingest/series"
)

// batch gathers samples by series.
type batch struct {
	order  []*batchSeries
	series map[string]*batchSeries
	key    []byte
}

type batchSeries struct {
	name    string
	labels  series.Labels
	samples []remotewrite.Sample
}

// add takes one sample; labels are copied.
func (b *batch) add(name, cluster string, ls series.Labels, ms int64, value series.Decimal) {
	b.key = append(b.key[:0], name...)
	for _, l := range ls {
		b.key = append(append(append(append(b.key, 0), l.Name...), 1), l.Value...)
	}
	s := b.series[string(b.key)]
	if s == nil {
		if b.series == nil {
			b.series = map[string]*batchSeries{}
		}
		s = &batchSeries{name: name, labels: slices.Clone(ls)}
		if cluster != "" {
			s.labels = append(s.labels, series.Label{Name: "cluster", Value: cluster})
		}
		slices.SortFunc(s.labels, func(x, y series.Label) int { return cmp.Compare(x.Name, y.Name) })
		for i := range s.labels {
			s.labels[i].Value = strings.ToValidUTF8(s.labels[i].Value, "\uFFFD")
		}
		b.series[string(b.key)] = s
		b.order = append(b.order, s)
	}
	s.samples = append(s.samples, remotewrite.Sample{Ms: ms, Value: value.Float()})
}

// encode returns the batch as one request body and begins a new one; nil when
// it is empty.
func (b *batch) encode() []byte {
	if len(b.order) == 0 {
		return nil
	}
	e := remotewrite.NewEncoder(remotewrite.V1)
	for _, s := range b.order {
		e.Series(s.name, s.labels, s.samples...)
	}
	b.order, b.series = nil, nil
	return slices.Clone(e.Body())
}
