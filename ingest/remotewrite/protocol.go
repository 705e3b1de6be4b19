package remotewrite

import (
	"fmt"
	"mime"
	"strings"

	"github.com/klauspost/compress/s2"
)

// Version is one of the two messages.
type Version uint8

// Versions.
const (
	V1 Version = 1 // prometheus.WriteRequest
	V2 Version = 2 // io.prometheus.write.v2.Request
)

// Headers of the protocol.
const (
	HeaderVersion    = "X-Prometheus-Remote-Write-Version"
	HeaderSamples    = "X-Prometheus-Remote-Write-Samples-Written"
	HeaderHistograms = "X-Prometheus-Remote-Write-Histograms-Written"
	HeaderExemplars  = "X-Prometheus-Remote-Write-Exemplars-Written"
	// Encoding is the only content encoding: snappy's block format.
	Encoding = "snappy"

	mediaType  = "application/x-protobuf"
	protoName1 = "prometheus.WriteRequest"
	protoName2 = "io.prometheus.write.v2.Request"
)

// ContentType is the content type of the version's requests.
func (v Version) ContentType() string {
	if v == V2 {
		return mediaType + ";proto=" + protoName2
	}
	return mediaType
}

// Header is the value of HeaderVersion.
func (v Version) Header() string {
	if v == V2 {
		return "2.0.0"
	}
	return "0.1.0"
}

// Negotiate decides by the headers which message a request contains. The error, for status 415,
// names the unsupported value and the supported ones. Without a type the message is 1.0: early
// senders have none.
func Negotiate(contentType, encoding string) (Version, error) {
	v := V1
	if strings.TrimSpace(contentType) != "" {
		kind, params, err := mime.ParseMediaType(contentType)
		if err != nil || kind != mediaType {
			return 0, fmt.Errorf("content type %q is not supported: send %s or %s", contentType, V1.ContentType(),
				V2.ContentType())
		}
		switch params["proto"] {
		case "", protoName1:
		case protoName2:
			v = V2
		default:
			return 0, fmt.Errorf("message %q is not supported: send %s or %s", params["proto"], protoName1, protoName2)
		}
	}
	if e := strings.TrimSpace(encoding); e != "" && !strings.EqualFold(e, Encoding) {
		return 0, fmt.Errorf("content encoding %q is not supported: send %s, block format", encoding, Encoding)
	}
	return v, nil
}

// TooLargeError refuses a message by the size that it declares.
type TooLargeError struct{ Size, Limit int64 }

// Error names both.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the message unpacks to %d bytes, the limit is %d: send fewer series per request", e.Size, e.Limit)
}

// UnpackedSize is the size that a packed message declares, at most limit. It allocates nothing
// of that size.
func UnpackedSize(packed []byte, limit int64) (int, error) {
	n, end := uvarint(packed, 0)
	if end == 0 {
		return 0, fmt.Errorf("%w: not a snappy block: it does not begin with a length", ErrMalformed)
	}
	if n > uint64(max(limit, 0)) {
		return 0, &TooLargeError{int64(min(n, 1<<62)), limit}
	}
	// The best compression of a block is 64 bytes from 3.
	if n > 22*uint64(len(packed)) {
		return 0, fmt.Errorf("%w: %d bytes cannot unpack to the %d that they declare", ErrMalformed, len(packed), n)
	}
	return int(n), nil
}

// Unpack unpacks a snappy block of at most limit bytes into dst, which grows if needed.
func Unpack(dst, packed []byte, limit int64) ([]byte, error) {
	n, err := UnpackedSize(packed, limit)
	if err != nil {
		return nil, err
	}
	if cap(dst) < n {
		dst = make([]byte, n)
	}
	out, err := s2.Decode(dst[:cap(dst)], packed)
	if err != nil {
		return nil, fmt.Errorf("%w: snappy block: %v", ErrMalformed, err) //nolint:errorlint // one cause is enough
	}
	return out, nil
}
