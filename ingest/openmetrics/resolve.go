package openmetrics

import (
	"bytes"

	"gpuledger/ingest/series"
)

// find returns the series of a line, and the text after it. nil: the line is already handled.
func (p *parser) find(line []byte) (*known, []byte) {
	end := bytes.LastIndexByte(line, '}') + 1
	if end == 0 {
		end = metricName(line)
	}
	if s := p.series[string(line[:end])]; s != nil && end < len(line) && blank(line[end]) {
		return s, line[end:]
	}
	if n := metricName(line); n > 0 && !p.to.Known(string(line[:n])) {
		p.unknown(line, n, end)
		return nil, nil
	}
	name, ls, end, f := parseSeries(line)
	if f == nil && (end >= len(line) || !blank(line[end])) {
		f = faultNotASample
	}
	if f != nil {
		p.stats.Samples++
		p.ended = false
		p.reject(f, line)
		return nil, nil
	}
	if !p.to.Known(name) {
		p.stats.Samples++
		p.ignore(name)
		return nil, nil
	}
	s := p.series[string(line[:end])] // text before an exemplar
	if s == nil {
		s = &known{text: string(line[:end]), name: name, Series: p.to.Bind(name, p.opt.attach(ls))}
		p.to.Hold(len(s.text)) // its facts retain the text
		if p.seriesText += len(s.text) + 128; p.seriesText > maxSeriesText {
			clear(p.series)
			p.seriesText = len(s.text) + 128
		}
		p.series[s.text] = s
	}
	return s, line[end:]
}

// unknown counts a line with an unread name: ignored if it looks like a sample, else refused.
// Its labels are not read.
func (p *parser) unknown(line []byte, name, end int) {
	p.stats.Samples++
	p.ended = false
	if rest := line[end:]; len(rest) > 0 && blank(rest[0]) {
		i := skipBlanks(rest, 0)
		if _, n := series.ParseDecimal(rest[i:]); n > 0 && (i+n == len(rest) || blank(rest[i+n]) || rest[i+n] == '\r') {
			if c, ok := p.ignored[string(line[:name])]; ok {
				p.stats.Ignored++
				*c++
				return
			}
			p.ignore(string(line[:name]))
			return
		}
	}
	p.reject(faultNotASample, line)
}
