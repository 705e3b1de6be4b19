package pgdoor

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/url"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"gpuledger/test/pgtest"
)

// opened serves a door to a new database that admits the role gl_door, and returns addresses through it.
func opened(t *testing.T) (through func(user, password string) string, end func()) {
	t.Helper()
	dsn := pgtest.Empty(t)
	owner, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	for _, sql := range []string{"drop role if exists gl_door, gl_other", "create role gl_door login password 'right'",
		"create role gl_other login password 'right'"} {
		if _, err := owner.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	conf := owner.Config()
	if err := owner.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	network, address := pgconn.NetworkAddress(conf.Host, conf.Port)
	l, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	door := &Door{Network: network, Address: address, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Admits: func(_ context.Context, login string) (bool, error) { return login == "gl_door", nil }}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- door.Serve(ctx, l) }()
	end = func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	return func(user, password string) string {
		return (&url.URL{Scheme: "postgres", User: url.UserPassword(user, password), Host: l.Addr().String(),
			Path: conf.Database}).String()
	}, end
}

func codeOf(err error) string {
	if p, ok := errors.AsType[*pgconn.PgError](err); ok {
		return p.Code
	}
	return ""
}

// Only the login that is admitted passes, with its password; the owner, whom the socket trusts, does not.
func TestTheDoorLetsLoginsPass(t *testing.T) {
	through, end := opened(t)
	defer end()
	for _, c := range []struct{ user, password, code string }{
		{"gl_door", "right", ""}, {"gl_door", "wrong", "28P01"}, {"gl_other", "right", "28000"},
		{"gpuledger", "", "28000"}, {"GL_DOOR", "right", "28000"}, {"nobody", "x", "28000"},
	} {
		conn, err := pgx.Connect(t.Context(), through(c.user, c.password))
		if codeOf(err) != c.code || err != nil && c.code == "" {
			t.Errorf("%s: %v, want code %q", c.user, err, c.code)
		}
		if err != nil {
			continue
		}
		var who string
		if err := conn.QueryRow(t.Context(), "select current_user").Scan(&who); err != nil || who != c.user {
			t.Errorf("%s is %q: %v", c.user, who, err)
		}
		if err := conn.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// A client that gives up cancels its query through the door, and the end of the door ends sessions.
func TestTheDoorPassesCancellationsAndEnds(t *testing.T) {
	through, end := opened(t)
	conn, err := pgx.Connect(t.Context(), through("gl_door", "right"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context())) //nolint:errcheck // the door ends it
	asked := make(chan error, 1)
	go func() {
		_, err := conn.Exec(t.Context(), "select pg_sleep(60)")
		asked <- err
	}()
	for code := ""; code != "57014"; { // until the query has begun and is cancelled
		if err := conn.PgConn().CancelRequest(t.Context()); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-asked:
			if code = codeOf(err); code != "57014" {
				t.Fatalf("the query ended with %v", err)
			}
		case <-time.After(20 * time.Millisecond):
		}
	}
	end()
	if _, err := conn.Exec(t.Context(), "select 1"); err == nil {
		t.Error("the session outlives the door")
	}
}

func TestTheDoorIsOnThisMachineOnly(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:5433", "example.com:5433", "5433"} {
		if l, err := Listen(t.Context(), addr); err == nil {
			t.Errorf("%s is listened on", addr)
			_ = l.Close()
		}
	}
}

// Bytes that are no start of a session end the connection, and the door goes on.
func TestTheDoorOutlivesOtherProtocols(t *testing.T) {
	through, end := opened(t)
	defer end()
	at, err := url.Parse(through("gl_door", "right"))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"GET / HTTP/1.1\r\n\r\n", "\x00\x00\x00\x08\x04\xd2\x16\x2f\x00\x00\x00\x08\x04\xd2\x16\x2f" +
		"\x00\x00\x00\x08\x04\xd2\x16\x2f", "\xff\xff\xff\xff", ""} {
		conn, err := net.Dial("tcp", at.Host)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write([]byte(text)); err != nil {
			t.Error(err)
		}
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	}
	conn, err := pgx.Connect(t.Context(), at.String())
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
