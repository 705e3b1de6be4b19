package fleetsim

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/klauspost/compress/zstd"
)

// textFile writes one OpenMetrics text file, zstd-compressed. The first error
// sticks; close reports it.
type textFile struct {
	path    string
	cluster string // external label of every series; empty: none
	file    *os.File
	enc     *zstd.Encoder
	buf     []byte
	lines   int64
	err     error
	live    bool // an answer to a scrape: no file, no timestamps
}

const flushAt = 1 << 17

func newTextFile(path, cluster string) (*textFile, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("create telemetry file: %w", err)
	}
	enc, err := zstd.NewWriter(f, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false), zstd.WithNoEntropyCompression(true), zstd.WithWindowSize(1<<16))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start zstd for %s: %w", path, err), f.Close())
	}
	return &textFile{path: path, cluster: cluster, file: f, enc: enc, buf: make([]byte, 0, flushAt+4096)}, nil
}

// family starts a metric family. Names that OpenMetrics reserves for counters
// without the _total suffix are announced as unknown.
func (t *textFile) family(name, typ, help string) {
	if t.live { // the classic format: HELP first, counters by the name of their samples
		switch typ {
		case "counter":
			name += "_total"
		case "unknown":
			typ = "counter"
		}
		t.buf = fmt.Appendf(t.buf, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, typ)
		return
	}
	t.buf = append(t.buf, "# TYPE "...)
	t.buf = append(t.buf, name...)
	t.buf = append(t.buf, ' ')
	t.buf = append(t.buf, typ...)
	t.buf = append(t.buf, "\n# HELP "...)
	t.buf = append(t.buf, name...)
	t.buf = append(t.buf, ' ')
	t.buf = append(t.buf, help...)
	t.buf = append(t.buf, '\n')
}

// point writes one sample whose value is text; milli is ".207".
func (t *textFile) point(key []byte, value string, at int64, milli string) {
	b := append(t.buf, key...)
	b = append(b, value...)
	if !t.live {
		b = append(b, ' ')
		b = strconv.AppendInt(b, at, 10)
		b = append(b, milli...)
	}
	t.buf = append(b, '\n')
	t.lines++
	if len(t.buf) > flushAt && !t.live {
		t.flush()
	}
}

func (t *textFile) flush() {
	if t.err == nil {
		_, t.err = t.enc.Write(t.buf)
	}
	t.buf = t.buf[:0]
}

// close ends the exposition with # EOF and the file with it.
func (t *textFile) close() error {
	t.buf = append(t.buf, "# EOF\n"...)
	t.flush()
	if err := t.enc.Close(); t.err == nil {
		t.err = err
	}
	if err := t.file.Close(); t.err == nil {
		t.err = err
	}
	if t.err != nil {
		return fmt.Errorf("write %s: %w", t.path, t.err)
	}
	return nil
}

// milliText is the fraction of a timestamp in seconds: ".007".
func milliText(ms int64) string {
	return "." + string([]byte{byte('0' + ms/100), byte('0' + ms/10%10), byte('0' + ms%10)})
}

// seriesKey is `name{labels} `, the head of every line of a series.
func (t *textFile) seriesKey(name string, pairs ...string) []byte {
	if t.cluster != "" {
		pairs = append(slices.Clip(pairs), "cluster", t.cluster)
	}
	b := append([]byte(name), '{')
	for i := 0; i+1 < len(pairs); i += 2 {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, pairs[i]...)
		b = append(b, `="`...)
		b = append(b, pairs[i+1]...)
		b = append(b, '"')
	}
	return append(b, "} "...)
}
