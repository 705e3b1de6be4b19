package jsonstream

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// lineReader knows the line of any offset that was read and is not yet consumed.
type lineReader struct {
	in     io.Reader
	bound  int64 // bytes that may be read beyond done
	read   int64
	passed int64   // lines before starts[0]
	starts []int64 // offsets after newlines, ascending
	failed error   // of in, except io.EOF
	done   int64   // offset up to which values were consumed
}

var errTooLong = errors.New("too long")

// slack is what a JSON decoder reads ahead.
const slack = 1 << 20

func (l *lineReader) Read(p []byte) (int, error) {
	room := l.bound + slack - (l.read - l.done)
	if room <= 0 {
		l.failed = fmt.Errorf("%w: one value is larger than %d MiB", errTooLong, l.bound>>20)
		return 0, l.failed
	}
	n, err := l.in.Read(p[:min(int64(len(p)), room)])
	for i := 0; i < n; {
		j := bytes.IndexByte(p[i:n], '\n')
		if j < 0 {
			break
		}
		i += j + 1
		l.starts = append(l.starts, l.read+int64(i))
	}
	l.read += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		l.failed = err
	}
	return n, err
}

// at returns the 1-based line of an offset and drops the lines before it.
func (l *lineReader) at(offset int64) int64 {
	n := 0
	for n < len(l.starts) && l.starts[n] <= offset {
		n++
	}
	l.passed += int64(n)
	l.starts = l.starts[n:]
	return l.passed + 1
}
