package endpoints

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"google.golang.org/protobuf/encoding/protowire"

	"gpuledger/ingest/live"
	"gpuledger/ingest/otlp"
)

// Kinds of requests.
const (
	kindOTLP        = "otlp"
	kindCheckpoints = "checkpoints"
	gzipped         = "+gzip"
	jsonKind        = "+json"
)

// acceptTimeout bounds how long a sender waits.
const acceptTimeout = 20 * time.Second

// maxOTLP bounds one unpacked message: decoded, it takes several times its size.
const maxOTLP = 16 << 20

// Kinds are the decoders of the endpoints, for live.Options.
func Kinds() map[string]live.Decoder {
	deltas := otlp.NewDeltas(0)
	kinds := map[string]live.Decoder{kindCheckpoints: decodeCheckpoints}
	for _, e := range []otlp.Encoding{otlp.Protobuf, otlp.JSON} {
		for _, packed := range []bool{false, true} {
			kinds[otlpKind(e, packed)] = decodeOTLP(e, packed, deltas)
		}
	}
	return kinds
}

func otlpKind(e otlp.Encoding, packed bool) string {
	kind := kindOTLP
	if e == otlp.JSON {
		kind += jsonKind
	}
	if packed {
		kind += gzipped
	}
	return kind
}

func decodeOTLP(e otlp.Encoding, packed bool, deltas *otlp.Deltas) live.Decoder {
	return func(body []byte, b *live.Batch) error {
		if packed {
			var err error
			if body, err = unpack(body, min(b.MaxUnpacked(), maxOTLP)); err != nil {
				return err
			}
		} else if int64(len(body)) > maxOTLP {
			return tooLarge(maxOTLP)
		}
		give, err := b.Borrow(3 * int64(len(body)))
		if err != nil {
			return err
		}
		defer give()
		if _, err := otlp.Read(body, e, deltas, b); err != nil {
			return &live.RefusedError{Status: http.StatusBadRequest, Reason: "malformed message", Detail: err.Error()}
		}
		return nil
	}
}

func tooLarge(most int64) error {
	return &live.RefusedError{
		Status: http.StatusRequestEntityTooLarge, Reason: "message too large",
		Detail: fmt.Sprintf("send at most %d bytes per request, unpacked", most),
	}
}

func unpack(body []byte, most int64) ([]byte, error) {
	bad := func(err error) error {
		return &live.RefusedError{
			Status: http.StatusBadRequest, Reason: "malformed message", Detail: "the body is not gzip: " + err.Error(),
		}
	}
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, bad(err)
	}
	out, err := io.ReadAll(io.LimitReader(z, most+1))
	if err != nil {
		return nil, bad(err)
	}
	if int64(len(out)) > most {
		return nil, tooLarge(most)
	}
	return out, nil
}

// OTLP answers POST /v1/metrics: OTLP/HTTP, protobuf and JSON. The query parameter cluster
// overrides the resources' own attribute.
func OTLP(r *live.Receiver) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		e, known := otlp.EncodingOf(q.Header.Get("Content-Type"))
		if !known {
			e = otlp.JSON // of the answer
			rpcError(w, e, &live.RefusedError{
				Status: http.StatusUnsupportedMediaType, Reason: "unsupported",
				Detail: "send application/x-protobuf or application/json",
			})
			return
		}
		result, err := takeOTLP(r, w, q, e)
		if err != nil {
			rpcError(w, e, err)
			return
		}
		var rejected int64
		words := ""
		for _, f := range result.Refused {
			rejected += int64(f.Count)
		}
		if err := result.Err(); err != nil {
			words = err.Error()
		}
		w.Header().Set("Content-Type", string(e))
		// A sender that does not read the answer will send again, which is harmless.
		_, _ = w.Write(otlp.Response(e, rejected, words)) //nolint:gosec // protobuf or JSON, never a page
	})
}

func takeOTLP(r *live.Receiver, w http.ResponseWriter, q *http.Request, e otlp.Encoding) (live.Result, error) {
	packed := false
	switch strings.ToLower(q.Header.Get("Content-Encoding")) {
	case "", "identity":
	case "gzip":
		packed = true
	default:
		return live.Result{}, &live.RefusedError{
			Status: http.StatusUnsupportedMediaType, Reason: "unsupported", Detail: "the only supported compression is gzip",
		}
	}
	body, err := r.ReadBody(w, q)
	if err != nil {
		return live.Result{}, err
	}
	ctx, cancel := context.WithTimeout(q.Context(), acceptTimeout)
	defer cancel()
	return r.Accept(ctx, live.Request{
		Kind: otlpKind(e, packed), Sender: live.SenderOf(q), Cluster: q.URL.Query().Get("cluster"), Body: body,
	})
}

// verdict is the sender's answer to an error of a Receiver.
func verdict(err error) (status int, words string, after time.Duration) {
	var refused *live.RefusedError
	var retry *live.RetryError
	switch {
	case errors.As(err, &refused):
		return refused.Status, refused.Error(), 0
	case errors.As(err, &retry):
		return retry.Status, retry.Error(), retry.After
	}
	return http.StatusInternalServerError, "internal error", 0
}

// gRPC codes in google.rpc.Status.
const (
	codeInvalid     = 3
	codeExhausted   = 8
	codeInternal    = 13
	codeUnavailable = 14
)

// rpcError answers with a google.rpc.Status, as OTLP requires.
func rpcError(w http.ResponseWriter, e otlp.Encoding, err error) {
	status, words, after := verdict(err)
	code := codeInvalid
	switch {
	case status == http.StatusTooManyRequests:
		code = codeExhausted
	case status == http.StatusServiceUnavailable:
		code = codeUnavailable
	case status >= 500:
		code = codeInternal
	}
	if after > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(after/time.Second)))
	}
	words = strings.ToValidUTF8(words, "?")
	var body []byte
	if e == otlp.JSON {
		if body, err = json.Marshal(map[string]any{"code": code, "message": words}); err != nil {
			body = []byte("{}") // texts and numbers can always be encoded
		}
	} else {
		body = protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(code))
		body = protowire.AppendString(protowire.AppendTag(body, 2, protowire.BytesType), words)
	}
	w.Header().Set("Content-Type", string(e))
	w.WriteHeader(status)
	_, _ = w.Write(body) // the status carries the same information
}
