package api

import (
	"bytes"
	"maps"
	"net/http"
	"strings"
	"sync"
)

// Bounds of recent answers, in bytes.
const (
	longestRecent = 1 << 20
	allRecent     = 32 << 20
)

// recent holds pages of rows that were sent lately, as they were sent: packed, and for one scope, as the entity tag
// says. They are all of one state of the database: any transaction that ends makes them old, whatever it changed, so no
// change has to tell which answers it touches.
type recent struct {
	mu    sync.Mutex
	state string
	size  int
	sent  map[string]sent
}

// sent is the body of an answer and its Content-Encoding.
type sent struct {
	encoding string
	body     []byte
}

// answer sends the recent answer to a request whose entity tag is set, or else what f writes. Without a state it
// remembers nothing.
func (m *recent) answer(w http.ResponseWriter, r *http.Request, state string, f http.HandlerFunc) {
	key := w.Header().Get("ETag") + "\x00" + strings.Join(r.Header.Values("Accept-Encoding"), ",")
	s, ok := m.find(state, key)
	if !ok {
		c := &caught{ResponseWriter: w, header: w.Header().Clone(), status: http.StatusOK}
		compressed(f).ServeHTTP(c, r)
		if c.status != http.StatusOK {
			c.pass()
			return
		}
		s = sent{c.header.Get("Content-Encoding"), c.body.Bytes()}
		m.keep(state, key, s)
	}
	if s.encoding != "" {
		w.Header().Set("Content-Encoding", s.encoding)
	}
	_, _ = w.Write(s.body) // a failed write means that the client has gone
}

func (m *recent) find(state, key string) (sent, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if state == "" || m.state != state {
		return sent{}, false
	}
	s, ok := m.sent[key]
	return s, ok
}

func (m *recent) keep(state, key string, s sent) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if state == "" || len(s.body) > longestRecent {
		return
	}
	if m.state != state || m.size+len(s.body) > allRecent {
		m.state, m.size, m.sent = state, 0, map[string]sent{}
	}
	m.sent[key] = s
	m.size += len(s.body)
}

// caught is an answer in memory.
type caught struct {
	http.ResponseWriter
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (c *caught) Header() http.Header { return c.header }

// WriteHeader implements http.ResponseWriter.
func (c *caught) WriteHeader(status int) { c.status = status }

// Write implements http.ResponseWriter.
func (c *caught) Write(p []byte) (int, error) { return c.body.Write(p) }

// pass sends the answer on as it is.
func (c *caught) pass() {
	h := c.ResponseWriter.Header()
	vary := h.Values("Vary")
	clear(h)
	maps.Copy(h, c.header)
	h["Vary"] = vary // packing it has added to the list once more
	c.ResponseWriter.WriteHeader(c.status)
	_, _ = c.ResponseWriter.Write(c.body.Bytes()) // a failed write means that the client has gone
}
