package main

import (
	"net"
	"strconv"
	"strings"
	"testing"
)

// A demo listens on loopback addresses only, and starts even if the next port is taken.
func TestDemoListensOnLoopbackOnly(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0"} {
		if code, _, errs := gpuledger(t, "--database-url=postgres://127.0.0.1:1/x", "demo",
			"--addr="+addr); code != exitFailed || !strings.Contains(errs, "to this machine only") {
			t.Errorf("%s: status %d: %s", addr, code, errs)
		}
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	for listens, want := range map[string]string{
		net.JoinHostPort("127.0.0.1", strconv.Itoa(port-1)): "127.0.0.1:0", "127.0.0.1:65535": "127.0.0.1:0",
	} {
		if got := nextPort(listens); got != want {
			t.Errorf("after %s: %s, want %s", listens, got, want)
		}
	}
}
