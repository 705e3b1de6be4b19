package page

import (
	"net/http"
	"net/url"
	"strings"
)

// Local keeps redirects inside this site: any other address becomes the overview.
func Local(back string) string {
	u, err := url.Parse(back)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(back, "/") || strings.HasPrefix(back, "//") ||
		strings.ContainsAny(back, "\\\r\n") {
		return "/"
	}
	return back
}

// Readable refuses an address with a parameter that no page accepts.
func Readable(u *url.URL) error {
	_, err := readParams(&http.Request{URL: u})
	return err
}
