package dashboard

import (
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/books"
	"gpuledger/web/dashboard/page"
)

// longestAddress bounds the address of a saved view, in bytes. The longest condition fits in it, escaped.
const longestAddress = 4000

// pages matches the addresses of the pages of the ledger. No request goes through it.
var pages = sync.OnceValue(func() chi.Router {
	r := chi.NewRouter()
	rooms(r, nil, books.Options{})
	return r
})

// CheckAddress refuses an address that is not the path of a page of the ledger with parameters that
// can be read. It returns a *metrics.OptionError for the option url.
func CheckAddress(address string) error {
	refuse := func(reason string) error {
		return &metrics.OptionError{Option: "url", Value: address, Reason: reason}
	}
	if len(address) > longestAddress {
		return refuse(fmt.Sprintf("is longer than %d bytes", longestAddress))
	}
	u, err := url.Parse(address)
	if err != nil || page.Local(address) != address || u.Fragment != "" || !plain(u) {
		return refuse("must be the path of a page with its parameters, such as /runs?team=speech")
	}
	at := u.Path
	if u.RawPath != "" { // as the router does
		at = u.RawPath
	}
	pattern := pages().Find(chi.NewRouteContext(), http.MethodGet, at)
	if pattern == "" {
		return refuse("there is no such page")
	}
	if err := page.Known(u, takenBy(u.Path, pattern)); err != nil {
		return refuse("has an invalid parameter: " + err.Error())
	}
	if err := page.Readable(u); err != nil {
		return refuse("has an invalid parameter: " + err.Error())
	}
	return nil
}

// plain reports whether an address is text that browsers send as it is: without dots that they
// resolve, and with parameters that all parse.
func plain(u *url.URL) bool {
	_, err := url.ParseQuery(u.RawQuery)
	query, _ := url.QueryUnescape(u.RawQuery)
	text := u.Path + query
	return err == nil && utf8.ValidString(text) && !strings.ContainsRune(text, 0) &&
		path.Clean(u.Path) == "/"+strings.Trim(u.Path, "/")
}
