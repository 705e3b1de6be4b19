package limit

import "net/http"

// largestHeld is the largest answer, in bytes, that is kept until its turn has ended; larger ones
// are streamed.
const largestHeld = 8 << 20

// mostAhead is how many bytes of an answer are sent before its end: the frame of a page. They fit into the buffers of a
// connection, so that a client that reads nothing cannot keep its turn.
const mostAhead = 16 << 10

// held buffers an answer, so that its turn ends before the client has
// read it.
type held struct {
	to     http.ResponseWriter
	status int
	body   []byte
	ahead  int  // bytes sent before the end
	headed bool // the status is sent
	passed bool // it became too large
}

// Header implements http.ResponseWriter.
func (h *held) Header() http.Header { return h.to.Header() }

// WriteHeader implements http.ResponseWriter.
func (h *held) WriteHeader(status int) {
	if h.status == 0 {
		h.status = status
	}
}

// Write implements http.ResponseWriter.
func (h *held) Write(p []byte) (int, error) {
	h.WriteHeader(http.StatusOK)
	if !h.passed && len(h.body)+len(p) <= largestHeld {
		h.body = append(h.body, p...)
		return len(p), nil
	}
	if err := h.pass(); err != nil {
		return 0, err
	}
	return h.to.Write(p)
}

// Flush implements http.Flusher: it sends the beginning of a page, as far as no client can hold that up.
func (h *held) Flush() {
	f, ok := h.to.(http.Flusher)
	if !ok || h.passed || h.status == 0 || h.ahead+len(h.body) > mostAhead {
		return
	}
	h.ahead += len(h.body)
	if h.pour() == nil {
		f.Flush()
	}
}

// pass sends the buffer; later writes are sent at once.
func (h *held) pass() error {
	h.passed = true
	return h.pour()
}

// pour empties the buffer into the answer.
func (h *held) pour() error {
	if !h.headed {
		h.headed = true
		h.to.WriteHeader(h.status)
	}
	body := h.body
	h.body = nil
	if len(body) == 0 {
		return nil
	}
	_, err := h.to.Write(body)
	return err
}

// send ends the answer.
func (h *held) send() {
	if h.status != 0 {
		_ = h.pass() // a failed write means that the client has gone
	}
}
