package main

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// Without access control, serve listens on loopback addresses only.
func TestServeRefusesANetworkWithoutAccessControl(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "gpu.example.com:0"} {
		if code, _, errs := gpuledger(t, "--database-url=postgres://127.0.0.1:1/x", "serve",
			"--addr="+addr); code != exitFailed || !strings.Contains(errs, "--auth on") {
			t.Errorf("%s: status %d: %s", addr, code, errs)
		}
	}
	if code, _, errs := gpuledger(t, "serve", "--addr=127.0.0.1:0", "--proxy=elsewhere"); code != exitFailed ||
		!strings.Contains(errs, "not an address or CIDR") {
		t.Errorf("a proxy without an address: status %d: %s", code, errs)
	}
}

// The printed address can be opened: for a server that listens on all addresses, it is the server's
// name or this machine.
func TestPrintedAddressCanBeOpened(t *testing.T) {
	named := doorFlags{Host: []string{"gpu.example.com", "other"}, tlsFlags: tlsFlags{TLSCert: "x", TLSKey: "y"}}
	for _, c := range []struct {
		door          doorFlags
		listens, want string
	}{
		{doorFlags{}, "127.0.0.1:8080", "http://127.0.0.1:8080"},
		{doorFlags{}, "[::]:8080", "http://127.0.0.1:8080"},
		{named, "0.0.0.0:8443", "https://gpu.example.com:8443"},
		{named, "192.0.2.7:8443", "https://192.0.2.7:8443"},
	} {
		if got := c.door.url(c.listens); got != c.want {
			t.Errorf("%s is reached at %s, want %s", c.listens, got, c.want)
		}
	}
}

// The container files start serve with access control, so it is not refused on a network address.
func TestContainersServeWithAccessControl(t *testing.T) {
	for _, file := range []string{"../../deploy/build/image.go", "../../docker-compose.yml"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		list := regexp.MustCompile(`[\[{]("serve".*?)[\]}]`).FindSubmatch(text)
		if list == nil {
			t.Fatalf("%s does not serve", file)
		}
		var args []string
		if err := json.Unmarshal([]byte("["+string(list[1])+"]"), &args); err != nil {
			t.Fatalf("%s: %q: %v", file, list[1], err)
		}
		var c cli
		parser, err := kong.New(&c, optionVars())
		if err == nil {
			_, err = parser.Parse(args)
		}
		if err == nil {
			err = c.Serve.check(c.Serve.Addr)
		}
		if err != nil || c.Serve.Auth != authOn {
			t.Errorf("%s: %q: %v", file, args, err)
		}
	}
}
