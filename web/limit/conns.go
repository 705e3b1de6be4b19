package limit

import (
	"container/list"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"
)

// listener bounds the open connections. At the bound, a new connection
// replaces the one that has been idle the longest; if
// all are busy, the new one gets busyAnswer.
type listener struct {
	net.Listener
	guard *Guard
	plain bool // no TLS

	mu   sync.Mutex
	open map[*counted]bool
	idle *list.List // of *counted, the longest idle first
}

// counted is a connection that counts towards the bound until it is closed.
type counted struct {
	net.Conn
	of   *listener
	once sync.Once
	at   *list.Element // in idle, guarded by the listener's lock
}

// busyAnswer is for clients that get no connection.
const busyAnswer = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n" +
	"Content-Type: text/plain; charset=utf-8\r\nContent-Length: 29\r\n\r\ntoo many connections at once\n"

// busyWait bounds the time to send busyAnswer.
const busyWait = 100 * time.Millisecond

// Serve runs a server within the bound on connections, with TLS if it has a
// TLSConfig with certificates. A ConnState hook of the server is called for each state after
// the bound has counted it.
func (g *Guard) Serve(server *http.Server, l net.Listener) error {
	bounded := &listener{Listener: l, guard: g, open: map[*counted]bool{}, idle: list.New()}
	bounded.plain = server.TLSConfig == nil
	own := server.ConnState
	server.ConnState = func(conn net.Conn, s http.ConnState) {
		bounded.state(conn, s)
		if own != nil {
			own(conn, s)
		}
	}
	if !bounded.plain {
		return server.ServeTLS(bounded, "", "")
	}
	return server.Serve(bounded)
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &counted{Conn: conn, of: l}
		if l.place(c) {
			return c, nil
		}
		l.guard.turnedAway("none", http.StatusServiceUnavailable, "too many connections at once")
		if l.plain { // a TLS client could not read it
			_ = conn.SetDeadline(l.guard.now().Add(busyWait))
			_, _ = conn.Write([]byte(busyAnswer)) // the send buffer is empty, so this does not block
		}
		_ = conn.Close()
	}
}

// place counts a connection, and closes an idle one if need be; false if there is no room.
func (l *listener) place(c *counted) bool {
	l.mu.Lock()
	var out *counted
	if len(l.open) >= l.guard.limits.Connections {
		longest := l.idle.Front()
		if longest == nil {
			l.mu.Unlock()
			return false
		}
		out = longest.Value.(*counted)
		l.idle.Remove(longest)
		out.at = nil
		delete(l.open, out)
	}
	l.open[c] = true
	l.mu.Unlock()
	if out != nil {
		_ = out.Close() // the client opens a new one for its next request
	}
	return true
}

// state follows which connections are idle.
func (l *listener) state(conn net.Conn, s http.ConnState) {
	if encrypted, ok := conn.(*tls.Conn); ok {
		conn = encrypted.NetConn()
	}
	c, ok := conn.(*counted)
	if !ok {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.at != nil {
		l.idle.Remove(c.at)
		c.at = nil
	}
	if s == http.StateIdle && l.open[c] {
		c.at = l.idle.PushBack(c)
	}
}

// Close implements net.Conn.
func (c *counted) Close() error {
	c.once.Do(func() {
		c.of.mu.Lock()
		defer c.of.mu.Unlock()
		delete(c.of.open, c)
		if c.at != nil {
			c.of.idle.Remove(c.at)
			c.at = nil
		}
	})
	return c.Conn.Close()
}
