package objectstores

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"net"
	"strconv"
	"testing"

	"cloud.google.com/go/storage"
	"github.com/fsouza/fake-gcs-server/fakestorage"
	"google.golang.org/api/option"

	"gpuledger/internal/blob"
	"gpuledger/internal/blob/gcsstore"
)

// TestFakeGCSServer reads from fsouza's server, which asks for no credentials.
func TestFakeGCSServer(t *testing.T) {
	address := freeAddress(t)
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		t.Fatal(err)
	}
	server, err := fakestorage.NewServerWithOptions(fakestorage.Options{
		Scheme: "http", Host: host, Port: uint16(number), PublicHost: address,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	server.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: "bills"})
	endpoint := server.URL() + "/storage/v1/"
	client, err := storage.NewClient(t.Context(), option.WithEndpoint(endpoint), option.WithoutAuthentication(),
		storage.WithJSONReads())
	if err != nil {
		t.Fatal(err)
	}
	bucket := client.Bucket("bills")
	suite{
		stores: blob.Stores{gcsstore.Scheme: gcsstore.New(gcsstore.Options{Endpoint: endpoint, Anonymous: true})},
		uri:    "gs://bills",
		put: func(t *testing.T, key string, body []byte) {
			w := bucket.Object(key).NewWriter(t.Context())
			if _, err := bytes.NewReader(body).WriteTo(w); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		},
		remove: func(t *testing.T, key string) {
			if err := bucket.Object(key).Delete(t.Context()); err != nil {
				t.Fatal(err)
			}
		},
	}.run(t)
	// An object that is stored packed and marked so is returned as stored: if it were unpacked on the way, its size and
	// ranges would differ.
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(bytes.Repeat([]byte("a,b,c\n"), 100_000)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	w := bucket.Object("packed.csv").NewWriter(t.Context())
	w.ContentEncoding = "gzip"
	if _, err := w.Write(packed.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := blob.Stores{
		gcsstore.Scheme: gcsstore.New(gcsstore.Options{Endpoint: endpoint, Anonymous: true}),
	}.List(t.Context(), "gs://bills/packed.csv")
	if err != nil {
		t.Fatal(err)
	}
	if sum, n, err := files[0].Sum(); err != nil || n != files[0].Size || sum != sha256.Sum256(packed.Bytes()) {
		t.Errorf("%d of %d bytes, %v", n, files[0].Size, err)
	}
}
