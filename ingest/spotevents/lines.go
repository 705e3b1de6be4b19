package spotevents

import (
	"bytes"
	"errors"
	"io"
)

// lineReader knows the line of any offset that was read and not yet passed.
type lineReader struct {
	in     io.Reader
	ahead  []byte // peeked, not handed out
	read   int64
	passed int64   // lines before starts[0]
	starts []int64 // offsets after newlines, ascending
	failed error   // of in, apart from io.EOF
	done   int64   // offset up to which values were taken
}

// maxValue bounds one JSON value: EventBridge sends at most 256 KiB, queues
// ten of them at once.
const maxValue = 16 << 20

var errTooLong = errors.New("one event is larger than 16 MiB; this is no file of events")

func (l *lineReader) Read(p []byte) (int, error) {
	var n int
	var err error
	if l.read-l.done > maxValue {
		l.failed = errTooLong
		return 0, errTooLong
	}
	if len(l.ahead) > 0 {
		n = copy(p, l.ahead)
		l.ahead = l.ahead[n:]
	} else {
		n, err = l.in.Read(p)
	}
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

// peek returns the next byte that is no white space, which stays unread;
// white space before it counts as read only later.
func (l *lineReader) peek() (byte, error) {
	for from := 0; ; {
		if len(l.ahead) > maxValue {
			l.failed = errTooLong
			return 0, errTooLong
		}
		for ; from < len(l.ahead); from++ {
			switch l.ahead[from] {
			case ' ', '\t', '\r', '\n':
			default:
				return l.ahead[from], nil
			}
		}
		buf := make([]byte, 4096)
		n, err := l.in.Read(buf)
		l.ahead = append(l.ahead, buf[:n]...)
		if n == 0 && err != nil {
			if !errors.Is(err, io.EOF) {
				l.failed = err
			}
			return 0, err
		}
	}
}

// at returns the 1-based line of an offset and forgets the lines before it.
func (l *lineReader) at(offset int64) int64 {
	n := 0
	for n < len(l.starts) && l.starts[n] <= offset {
		n++
	}
	l.passed += int64(n)
	l.starts = l.starts[n:]
	return l.passed + 1
}
