package limit

import (
	"container/list"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"
)

// listener bounds the connections that are open at once. One that is over the
// bound takes the place of the connection that has been idle the longest; where
// none is idle it is told to come again.
type listener struct {
	net.Listener
	guard *Guard
	plain bool // no TLS

	mu   sync.Mutex
	open map[*counted]bool
	idle *list.List // of *counted, the longest idle first
}

// counted is a connection that has a place until it is closed.
type counted struct {
	net.Conn
	of   *listener
	once sync.Once
	at   *list.Element // among the idle, guarded by the listener's lock
}

// busyAnswer is for clients that get no connection.
const busyAnswer = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n" +
	"Content-Type: text/plain; charset=utf-8\r\nContent-Length: 29\r\n\r\ntoo many connections at once\n"

// busyWait bounds the answer to whoever gets no connection.
const busyWait = 100 * time.Millisecond

// Serve makes a server answer within the bound on connections, by TLS where it has a
// TLSConfig with certificates. A ConnState of the server's own hears of each state after
// the bound has taken it in.
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
		if l.plain { // else nobody could read it
			_ = conn.SetDeadline(l.guard.now().Add(busyWait))
			_, _ = conn.Write([]byte(busyAnswer)) // into an empty buffer: it does not wait
		}
		_ = conn.Close()
	}
}

// place gives a connection a place, if need be that of an idle one.
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
		_ = out.Close() // the client opens another when it wants something
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
