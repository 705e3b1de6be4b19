package limit

import "net/http"

// largestHeld is the largest answer, in bytes, that is kept until its turn has ended; larger ones
// are streamed.
const largestHeld = 8 << 20

// held buffers an answer, so that its turn ends before the client has
// read it.
type held struct {
	to     http.ResponseWriter
	status int
	body   []byte
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

// pass sends the buffer.
func (h *held) pass() error {
	if !h.passed {
		h.passed = true
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
