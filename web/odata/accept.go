package odata

import (
	"mime"
	"net/http"
	"strconv"
	"strings"

	"gpuledger/metrics"
)

// Representation is how an answer is written.
type Representation struct {
	Level string // odata.metadata: none, minimal or full
	// Quoted writes decimals and 64-bit numbers as texts (IEEE754Compatible).
	Quoted bool
}

// ContentType is the media type of the representation. Full says no more than minimal here.
func (r Representation) ContentType() string {
	text := "application/json;odata.metadata=" + r.Level + ";odata.streaming=true"
	if r.Quoted {
		text += ";IEEE754Compatible=true"
	}
	return text + ";charset=utf-8"
}

// NotAcceptableError refuses the media types that a client accepts.
type NotAcceptableError struct{ Accept string }

// Error implements error.
func (e *NotAcceptableError) Error() string {
	return "cannot answer as " + strconv.Quote(e.Accept) + "; OData answers are application/json"
}

// Represent reads $format, else the header Accept.
func Represent(r *http.Request, format string) (Representation, error) {
	out := Representation{Level: "minimal"}
	if v := r.Header.Get("OData-MaxVersion"); v != "" && v != "4.0" && v != "4.01" {
		return out, refuse("OData-MaxVersion", v, "must be 4.0 or 4.01: answers are of OData 4.0")
	}
	accept := strings.Join(r.Header.Values("Accept"), ",")
	if format == "json" {
		format = "application/json"
	}
	if format != "" {
		accept = format
	}
	if strings.TrimSpace(accept) == "" {
		return out, nil
	}
	for part := range strings.SplitSeq(accept, ",") {
		media, params, err := mime.ParseMediaType(strings.TrimSpace(part))
		if err != nil || params["q"] == "0" {
			continue
		}
		switch media {
		case "application/json":
			return out.with(params)
		case "*/*", "application/*", "text/html": // text/html: a browser
			return out, nil
		}
	}
	return out, &NotAcceptableError{accept}
}

func (r Representation) with(params map[string]string) (Representation, error) {
	switch level := params["odata.metadata"]; level {
	case "", "minimal", "full":
	case "none":
		r.Level = level
	default:
		return r, refuse("Accept", level, "odata.metadata must be none, minimal or full")
	}
	quoted := params["ieee754compatible"]
	r.Quoted = strings.EqualFold(quoted, "true")
	if quoted != "" && !r.Quoted && !strings.EqualFold(quoted, "false") {
		return r, &metrics.OptionError{Option: "Accept", Value: quoted, Reason: "IEEE754Compatible must be true or false"}
	}
	return r, nil
}
