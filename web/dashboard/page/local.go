package page

import (
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
