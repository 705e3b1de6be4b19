package main

import (
	"context"
	"net"
	"os"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestNotThereYetIsOnlyForErrorsThatEnd(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{nil, false}, {&net.OpError{Op: "dial", Err: os.ErrNotExist}, true}, {context.DeadlineExceeded, true},
		{&pgconn.PgError{Code: "57P03"}, true}, {&pgconn.PgError{Code: "53300"}, true},
		{&pgconn.PgError{Code: "28P01"}, false}, {&pgconn.PgError{Code: "3D000"}, false},
	} {
		if notThereYet(c.err) != c.want {
			t.Errorf("%v: want %v", c.err, c.want)
		}
	}
}
