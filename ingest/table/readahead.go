package table

import "io"

// readAhead reads from another reader in a separate goroutine, so that unpacking runs in
// parallel with parsing.
type readAhead struct {
	free, full chan []byte
	quit       chan struct{}
	rest       []byte
	block      []byte
	err        error
	ended      chan struct{}
}

const aheadBlock = 128 << 10

func newReadAhead(in io.Reader) *readAhead {
	r := &readAhead{
		free: make(chan []byte, 4), full: make(chan []byte, 4), quit: make(chan struct{}), ended: make(chan struct{}),
	}
	for range cap(r.free) {
		r.free <- make([]byte, aheadBlock)
	}
	go r.run(in)
	return r
}

func (r *readAhead) run(in io.Reader) {
	defer close(r.ended)
	defer close(r.full)
	for {
		var block []byte
		select {
		case block = <-r.free:
		case <-r.quit:
			return
		}
		n, err := readBlock(in, block[:aheadBlock])
		if n > 0 {
			r.full <- block[:n] // has room for all blocks
		}
		if err != nil {
			r.err = err
			return
		}
	}
}

// readBlock fills a block as far as data is available.
func readBlock(in io.Reader, block []byte) (n int, err error) {
	for idle := 0; n < len(block) && err == nil; idle++ {
		var more int
		more, err = in.Read(block[n:])
		n += more
		if more > 0 {
			idle = 0
		} else if idle > 100 {
			err = io.ErrNoProgress
		}
	}
	return n, err
}

// Read implements io.Reader.
func (r *readAhead) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.block != nil {
			r.free <- r.block
			r.block = nil
		}
		block, ok := <-r.full
		if !ok {
			if r.err == nil {
				return 0, io.EOF
			}
			return 0, r.err
		}
		r.block, r.rest = block, block
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// stop ends the goroutine; the other reader may be used again.
func (r *readAhead) stop() {
	close(r.quit)
	<-r.ended
}
