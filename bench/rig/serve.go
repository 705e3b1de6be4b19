package rig

import (
	"context"
	"net"
	"net/http"
	"time"
)

// Serve answers on a free port of this machine.
func Serve(ctx context.Context, h http.Handler) (base string, end func(), err error) {
	var l net.ListenConfig
	at, err := l.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	s := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	go func() { _ = s.Serve(at) }() // it ends when the server is closed
	return "http://" + at.Addr().String(), func() { _ = s.Close() }, nil
}
