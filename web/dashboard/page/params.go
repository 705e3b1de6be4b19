package page

import (
	"maps"
	"net/url"
	"slices"
	"sync"

	"gpuledger/internal/nearest"
	"gpuledger/metrics"
)

// Parameters are those that pages take in addition to the frame, by the pattern of their route. Pages that are not
// listed take the frame alone.
type Parameters map[string][]string

// AnyParameter is for addresses whose parameters another program chooses.
const AnyParameter = "*"

// Parts is the parameter of pages whose parts have addresses.
const Parts = partParam

// frame are the parameters that every page takes, because links carry them from page to page.
var frame = sync.OnceValue(func() []string {
	list := []string{"from", "to", "complete", "basis", "as"}
	for _, t := range texts {
		if !t.own {
			list = append(list, t.name)
		}
	}
	return list
})

// Known refuses parameters that a page does not take. A misspelt filter must not silently show other rows.
func Known(u *url.URL, own []string) error {
	if slices.Contains(own, AnyParameter) {
		return nil
	}
	values, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return &metrics.OptionError{Option: "query", Value: u.RawQuery, Reason: "is not a valid query string"}
	}
	known := append(slices.Clone(own), frame()...)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		given := values[name]
		switch {
		case !slices.Contains(known, name):
			near := nearest.Name(name, known)
			return &metrics.OptionError{Option: name, Value: given[0], Nearest: near,
				Reason: "is not a parameter of this page" + nearest.Meant(near)}
		case len(given) > 1:
			return &metrics.OptionError{Option: name, Value: given[0], Reason: "is given more than once"}
		}
	}
	return nil
}
