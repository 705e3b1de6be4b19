package live

import (
	"errors"
	"net/http"

	"gpuledger/ingest/remotewrite"
)

// Kinds of remote_write requests; bodies are packed.
const (
	KindRemoteWrite1 = "remote-write-1"
	KindRemoteWrite2 = "remote-write-2"
)

func builtin() map[string]Decoder {
	return map[string]Decoder{
		KindRemoteWrite1: remoteWrite(remotewrite.V1),
		KindRemoteWrite2: remoteWrite(remotewrite.V2),
	}
}

// remoteWrite reads requests of one version.
func remoteWrite(v remotewrite.Version) Decoder {
	return func(body []byte, b *Batch) error {
		room := rooms.Get().(*room)
		defer rooms.Put(room)
		n, err := remotewrite.UnpackedSize(body, b.MaxUnpacked())
		if err != nil {
			return refusal(err)
		}
		give, err := b.Borrow(int64(n))
		if err != nil {
			return err
		}
		defer give()
		msg, err := remotewrite.Unpack(room.msg, body, b.MaxUnpacked())
		if err != nil {
			return refusal(err)
		}
		if cap(msg) <= keepRoom {
			room.msg = msg
		}
		seed := b.Seed()
		_, err = room.decoder.Walk(v, msg, func(s *remotewrite.Series) error {
			b.Series(s.Print(seed), s)
			for _, x := range s.Samples {
				b.Float(x.Ms, x.Value)
			}
			b.ReadPast(s.Histograms, s.Exemplars)
			if len(s.Samples) == 0 && b.Fault() != nil {
				b.refuse(b.Fault(), 1)
			}
			return nil
		})
		if err != nil {
			return refusal(err)
		}
		return nil
	}
}

// refusal is the answer to a message that cannot be read.
func refusal(err error) error {
	if _, large := errors.AsType[*remotewrite.TooLargeError](err); large {
		return &RefusedError{http.StatusRequestEntityTooLarge, "message too large", err.Error()}
	}
	return &RefusedError{http.StatusBadRequest, "malformed message", err.Error()}
}
