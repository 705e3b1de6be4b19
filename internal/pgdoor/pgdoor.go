package pgdoor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"gpuledger/internal/seldom"
)

const (
	// mostAtOnce bounds the connections that are open at once. A login may have ten sessions.
	mostAtOnce = 60
	// startTime bounds the first message, and the connection to the server.
	startTime = 10 * time.Second
)

// Door forwards connections to a PostgreSQL.
type Door struct {
	// Network and Address are those of the server.
	Network, Address string
	// Admits reports whether a login may pass.
	Admits func(ctx context.Context, login string) (bool, error)
	Log    *slog.Logger
	Now    func() time.Time
}

// Check returns why an address cannot be listened on; nil for a loopback address such as 127.0.0.1:5433.
func Check(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("address for BI tools %q: %w", addr, err)
	}
	at, err := netip.ParseAddr(host)
	if host != "localhost" && (err != nil || !at.IsLoopback()) {
		return fmt.Errorf("address for BI tools %q: other machines could reach it, and it has no TLS; listen on "+
			"127.0.0.1 and let others come through an SSH tunnel, or give gpuledger a PostgreSQL with --database-url", addr)
	}
	return nil
}

// Listen listens on an address that Check accepts.
func Listen(ctx context.Context, addr string) (net.Listener, error) {
	if err := Check(addr); err != nil {
		return nil, err
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen for BI tools: %w", err)
	}
	return l, nil
}

// Serve forwards connections until ctx ends, and then cuts them off.
func (d *Door) Serve(ctx context.Context, l net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	var open sync.WaitGroup
	defer open.Wait()
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = l.Close() }) // Accept returns
	defer stop()
	words := seldom.New(time.Minute)
	turns := make(chan struct{}, mostAtOnce)
	for {
		conn, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("accept a BI tool: %w", err)
		}
		select {
		case turns <- struct{}{}:
		default:
			refuse(conn, "53300", "too many connections for BI tools")
			_ = conn.Close()
			continue
		}
		open.Go(func() {
			defer func() { <-turns }()
			if err := d.forward(ctx, conn); err != nil && ctx.Err() == nil {
				if more, due := words.Due(err.Error(), d.Now()); due {
					d.Log.Warn("a connection of a BI tool ended", "error", err, "more_since_the_last_line", more)
				}
			}
		})
	}
}

// forward serves one connection. It returns faults of the server, not those of clients.
func (d *Door) forward(ctx context.Context, conn net.Conn) error {
	defer conn.Close() //nolint:errcheck // nothing is pending
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	_ = conn.SetDeadline(d.Now().Add(startTime)) // a closed connection shows in the next read
	first, login, err := begin(conn)
	if err != nil {
		return nil //nolint:nilerr // a client that speaks another protocol, or is gone
	}
	if login != nil {
		switch admitted, err := d.Admits(ctx, *login); {
		case err != nil:
			refuse(conn, "57P03", "the ledger does not answer")
			return fmt.Errorf("look up a BI login: %w", err)
		case !admitted:
			refuse(conn, "28000", "only logins of `gpuledger bi login` connect over TCP")
			return nil
		}
	}
	server, err := (&net.Dialer{Timeout: startTime}).DialContext(ctx, d.Network, d.Address)
	if err != nil {
		refuse(conn, "57P03", "the database does not answer")
		return fmt.Errorf("connect a BI tool: %w", err)
	}
	defer server.Close() //nolint:errcheck // nothing is pending
	end := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer end()
	if _, err := server.Write(first); err != nil {
		return fmt.Errorf("connect a BI tool: %w", err)
	}
	_ = conn.SetDeadline(time.Time{})
	copyBoth(conn, server)
	return nil
}

// begin reads the first message of a client: what to send to the server, and the login, nil for a cancellation.
// Encryption is declined.
func begin(conn net.Conn) (first []byte, login *string, err error) {
	for range 3 { // TLS, GSS, then the start
		message, err := pgproto3.NewBackend(exactly{conn}, conn).ReceiveStartupMessage()
		if err != nil {
			return nil, nil, err
		}
		switch m := message.(type) {
		case *pgproto3.SSLRequest, *pgproto3.GSSEncRequest:
			if _, err := conn.Write([]byte{'N'}); err != nil {
				return nil, nil, err
			}
		case *pgproto3.CancelRequest:
			first, err := m.Encode(nil)
			return first, nil, err
		case *pgproto3.StartupMessage:
			delete(m.Parameters, "replication")
			user := m.Parameters["user"]
			first, err := m.Encode(nil) // not the client's own bytes: the server reads exactly these parameters
			return first, &user, err
		}
	}
	return nil, nil, errors.New("no start of a session")
}

// exactly hides how much a reader has, so that no byte after the first message is taken.
type exactly struct{ conn net.Conn }

// Read implements io.Reader.
func (e exactly) Read(p []byte) (int, error) { return e.conn.Read(p[:min(len(p), 1)]) }

// refuse tells a client why it may not connect.
func refuse(conn net.Conn, code, message string) {
	text, err := (&pgproto3.ErrorResponse{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: code,
		Message: message}).Encode(nil)
	if err == nil {
		_, _ = conn.Write(text) // a client that is gone needs no reason
	}
}

// copyBoth copies until either side ends.
func copyBoth(client, server net.Conn) {
	ended := make(chan struct{}, 2)
	pass := func(to, from net.Conn) {
		_, _ = io.Copy(to, from) // the end of either side is the end
		ended <- struct{}{}
	}
	go pass(server, client)
	go pass(client, server)
	<-ended
	_ = client.Close()
	_ = server.Close()
	<-ended
}
