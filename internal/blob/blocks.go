package blob

import (
	"container/list"
	"errors"
	"io"
	"sync"
)

// The cache of one remote file that is read at random: 32 MiB. A Parquet reader reads all its columns at the same time,
// each in order; the cache must hold a block of each and its read-ahead.
const (
	blockSize   = 256 << 10
	maxBlocks   = 128
	maxAhead    = 16            // blocks per request
	directBytes = 8 * blockSize // reads from this size on go past the cache
)

// blocks is random access to a remote object through a bounded cache. Blocks that follow a cached one are fetched
// several at once: more if they were used, fewer if they were dropped unused. It is safe for concurrent use except for
// Read and Seek.
type blocks struct {
	file *remoteFile
	pos  int64 // of Read

	mu     sync.Mutex
	cached map[int64]*list.Element // of *block
	recent list.List               // the most recently used first
	ahead  int                     // blocks to fetch when reading continues in order
}

type block struct {
	index int64
	data  []byte
	err   error
	ready chan struct{}
	used  bool
}

func newBlocks(r *remoteFile) *blocks {
	b := &blocks{file: r, cached: map[int64]*list.Element{}, ahead: 2}
	b.recent.Init()
	return b
}

// ReadAt implements io.ReaderAt.
func (b *blocks) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, errors.New("negative offset")
	}
	size := b.file.object.Size
	want := p
	if off >= size {
		return 0, io.EOF
	}
	if int64(len(p)) > size-off {
		want = p[:size-off]
	}
	n := 0
	if len(want) >= directBytes {
		if err := b.file.readFull(want, off); err != nil {
			return 0, err
		}
		n = len(want)
	}
	for n < len(want) {
		at := off + int64(n)
		data, err := b.get(at/blockSize, int((off+int64(len(want))-1)/blockSize-at/blockSize)+1)
		if err != nil {
			return n, err
		}
		n += copy(want[n:], data[at%blockSize:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// get returns block i; need is how many blocks after it the caller needs.
func (b *blocks) get(i int64, need int) ([]byte, error) {
	b.mu.Lock()
	if e, ok := b.cached[i]; ok {
		b.recent.MoveToFront(e)
		found := e.Value.(*block)
		if !found.used { // reading ahead was useful
			found.used = true
			b.ahead = min(b.ahead+1, maxAhead)
		}
		b.mu.Unlock()
		<-found.ready
		return found.data, found.err
	}
	run := b.reserve(i, need)
	b.mu.Unlock()
	b.fetch(run)
	return run[0].data, run[0].err
}

// reserve enters block i and the blocks to fetch with it.
func (b *blocks) reserve(i int64, need int) []*block {
	if _, before := b.cached[i-1]; before {
		need = max(need, b.ahead)
	}
	last := (b.file.object.Size - 1) / blockSize
	var run []*block
	for k := i; k <= last && len(run) < min(need, maxAhead); k++ {
		if _, ok := b.cached[k]; ok {
			break
		}
		nb := &block{index: k, ready: make(chan struct{}), used: k == i}
		b.cached[k] = b.recent.PushFront(nb)
		run = append(run, nb)
	}
	for b.recent.Len() > maxBlocks {
		e := b.recent.Back()
		old := b.recent.Remove(e).(*block)
		delete(b.cached, old.index)
		if !old.used {
			b.ahead = max(b.ahead/2, 1)
		}
	}
	return run
}

// fetch fills a run of blocks with one request. After an error they leave the cache. Each block has separate memory, so
// that dropping one frees it.
func (b *blocks) fetch(run []*block) {
	size := b.file.object.Size
	in := &body{r: b.file, at: run[0].index * blockSize, end: min((run[len(run)-1].index+1)*blockSize, size)}
	var err error
	for _, r := range run {
		if err == nil {
			r.data = make([]byte, min(blockSize, size-r.index*blockSize))
			_, err = io.ReadFull(in, r.data)
		}
		if err != nil {
			r.data, r.err = nil, err
			b.forget(r)
		}
		close(r.ready)
	}
	_ = in.Close() // all requested bytes are here, or err has the reason
}

func (b *blocks) forget(r *block) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e, ok := b.cached[r.index]; ok && e.Value.(*block) == r {
		b.recent.Remove(e)
		delete(b.cached, r.index)
	}
}

// Read implements io.Reader.
func (b *blocks) Read(p []byte) (int, error) {
	n, err := b.ReadAt(p, b.pos)
	b.pos += int64(n)
	if n > 0 && errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// Seek implements io.Seeker.
func (b *blocks) Seek(off int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		off += b.pos
	case io.SeekEnd:
		off += b.file.object.Size
	}
	if off < 0 {
		return 0, errors.New("seek before the start of the file")
	}
	b.pos = off
	return off, nil
}

// Close drops the cache.
func (b *blocks) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.cached)
	b.recent.Init()
	return nil
}
