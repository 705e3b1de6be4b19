package otlp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	metricsv1 "go.opentelemetry.io/proto/otlp/metrics/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// Encoding is the encoding of a message.
type Encoding string

// Encodings, by their media types.
const (
	Protobuf Encoding = "application/x-protobuf"
	JSON     Encoding = "application/json"
)

// EncodingOf reads a Content-Type; false for others.
func EncodingOf(contentType string) (Encoding, bool) {
	media, _, _ := strings.Cut(contentType, ";")
	switch e := Encoding(strings.ToLower(strings.TrimSpace(media))); e {
	case Protobuf, JSON:
		return e, true
	}
	return "", false
}

// ErrMalformed is wrapped by errors of messages that cannot be read.
var ErrMalformed = errors.New("malformed message")

// decode reads an ExportMetricsServiceRequest, whose encoding equals MetricsData's. Unknown
// fields are skipped.
func decode(body []byte, e Encoding) (*metricsv1.MetricsData, error) {
	m := new(metricsv1.MetricsData)
	var err error
	if e == JSON {
		err = protojson.UnmarshalOptions{DiscardUnknown: true, RecursionLimit: maxRecursion}.Unmarshal(body, m)
	} else {
		err = proto.UnmarshalOptions{DiscardUnknown: true, RecursionLimit: maxRecursion}.Unmarshal(body, m)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s", ErrMalformed, strings.ToValidUTF8(err.Error(), "?"))
	}
	return m, nil
}

// maxRecursion bounds the nesting of a message; attributes are the deepest part.
const maxRecursion = 64

// Response writes an ExportMetricsServiceResponse. With no rejections and no words it means
// full success.
func Response(e Encoding, rejected int64, words string) []byte {
	words = strings.ToValidUTF8(words, "?")
	if e == JSON {
		if rejected == 0 && words == "" {
			return []byte("{}")
		}
		out, err := json.Marshal(map[string]any{
			"partialSuccess": map[string]string{"rejectedDataPoints": strconv.FormatInt(rejected, 10), "errorMessage": words},
		})
		if err != nil { // texts can always be encoded
			return []byte("{}")
		}
		return out
	}
	var inner []byte
	if rejected != 0 {
		inner = protowire.AppendVarint(protowire.AppendTag(inner, 1, protowire.VarintType), uint64(rejected))
	}
	if words != "" {
		inner = protowire.AppendString(protowire.AppendTag(inner, 2, protowire.BytesType), words)
	}
	if inner == nil {
		return []byte{}
	}
	return protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), inner)
}
