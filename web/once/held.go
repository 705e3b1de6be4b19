package once

import (
	"bytes"
	"net/http"
)

// held buffers an answer until it is stored. One that is too large to store is passed on.
type held struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
	passed bool
}

// WriteHeader implements http.ResponseWriter.
func (h *held) WriteHeader(status int) {
	if h.status == 0 {
		h.status = status
	}
}

// Write implements http.ResponseWriter.
func (h *held) Write(p []byte) (int, error) {
	if !h.passed && h.body.Len()+len(p) <= largestKept {
		return h.body.Write(p)
	}
	if !h.passed {
		h.passed = true
		h.ResponseWriter.WriteHeader(h.code())
		if _, err := h.ResponseWriter.Write(h.body.Bytes()); err != nil {
			return 0, err
		}
	}
	return h.ResponseWriter.Write(p)
}

// Unwrap lets routes set deadlines.
func (h *held) Unwrap() http.ResponseWriter { return h.ResponseWriter }

func (h *held) code() int {
	if h.status == 0 {
		return http.StatusOK
	}
	return h.status
}
