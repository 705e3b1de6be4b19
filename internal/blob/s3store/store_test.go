package s3store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"gpuledger/internal/blob"
)

// server is an S3 in this process; deny answers requests before it does.
type server struct {
	*httptest.Server
	client *s3.Client
	deny   atomic.Pointer[func(w http.ResponseWriter, r *http.Request) bool]
	gets   atomic.Int64
}

func start(t *testing.T) *server {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_CONFIG_FILE", "/nonexistent")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	s := &server{}
	fake := gofakes3.New(s3mem.New()).Server()
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && r.Header.Get("Range") != "" {
			s.gets.Add(1)
		}
		if deny := s.deny.Load(); deny != nil && (*deny)(w, r) {
			return
		}
		fake.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	var err error
	if s.client, err = s.store().client(t.Context(), "bills"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String("bills")}); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *server) store() *Store {
	return New(Options{Endpoint: s.URL, PathStyle: true, PageSize: 7})
}

func (s *server) put(t *testing.T, key string, body []byte) {
	t.Helper()
	if _, err := s.client.PutObject(t.Context(), &s3.PutObjectInput{
		Bucket: aws.String("bills"), Key: &key, Body: bytes.NewReader(body),
	}); err != nil {
		t.Fatal(err)
	}
}

func (s *server) list(t *testing.T, uri string) []blob.File {
	t.Helper()
	files, err := blob.Stores{Scheme: s.store()}.List(t.Context(), uri)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func noise(n int) []byte {
	out := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(out) // never fails
	return out
}

func TestListPagesAndNames(t *testing.T) {
	s := start(t)
	for i := range 23 {
		s.put(t, fmt.Sprintf("cur/data/part-%02d.csv", i), []byte("x"))
	}
	for _, key := range []string{
		"cur/data/", "cur/data/.tmp/x", "cur/database.csv", "cur/odd name+%20é.csv", "other/x.csv",
	} {
		s.put(t, key, []byte("y"))
	}
	files := s.list(t, "s3://bills/cur/data")
	if len(files) != 23 || files[0].Name != "part-00.csv" || files[22].Path != "s3://bills/cur/data/part-22.csv" ||
		time.Since(files[0].Modified.Time()).Abs() > time.Hour || files[0].Version == "" || files[0].Size != 1 {
		t.Errorf("%d files, %+v", len(files), files[0])
	}
	if files := s.list(t, "s3://bills/cur/"); len(files) != 25 {
		t.Errorf("%d files", len(files))
	}
	if files := s.list(t, "s3://bills/cur/odd name+%20é.csv"); len(files) != 1 || files[0].Name != "odd name+%20é.csv" {
		t.Errorf("%+v", files)
	}
	if files := s.list(t, "s3://bills"); len(files) != 26 {
		t.Errorf("%d files", len(files))
	}
	for uri, words := range map[string]string{
		"s3://bills/none": "no object", "s3://nobody/x": "no such bucket", "s3:///x": "no bucket",
	} {
		if _, err := (blob.Stores{Scheme: s.store()}).List(t.Context(), uri); err == nil ||
			!strings.Contains(err.Error(), words) || !strings.Contains(err.Error(), uri) {
			t.Errorf("%s: %v", uri, err)
		}
	}
}

func TestReadStreamsAndRanges(t *testing.T) {
	s := start(t)
	data := noise(5<<20 + 11)
	s.put(t, "big", data)
	f := s.list(t, "s3://bills/big")[0]
	in, err := f.Open(blob.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(in); err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}
	if n := s.gets.Swap(0); n != 1 {
		t.Errorf("%d requests to stream one object", n)
	}
	at, err := f.At()
	if err != nil {
		t.Fatal(err)
	}
	p := make([]byte, 1000)
	for off := int64(len(data)) - 500; off > 0; off -= 777_777 {
		n, err := at.ReadAt(p, off)
		if want := data[off:min(off+1000, int64(len(data)))]; !bytes.Equal(p[:n], want) || (err != nil) != (n < 1000) {
			t.Errorf("at %d: %d, %v", off, n, err)
		}
	}
	if err := at.Close(); err != nil {
		t.Error(err)
	}
}

func TestOverwrittenWhileRead(t *testing.T) { // F07
	s := start(t)
	s.put(t, "big", noise(5<<20))
	f := s.list(t, "s3://bills/big")[0]
	at, err := f.At()
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	if _, err := at.ReadAt(make([]byte, 10), 0); err != nil {
		t.Fatal(err)
	}
	s.put(t, "big", bytes.Repeat([]byte("a"), 5<<20))
	if _, err := at.ReadAt(make([]byte, 10), 4<<20); !errors.Is(err, blob.ErrChanged) ||
		!strings.Contains(err.Error(), "s3://bills/big") {
		t.Errorf("at random: %v", err)
	}
	if _, _, err := f.Sum(); !errors.Is(err, blob.ErrChanged) {
		t.Errorf("from the start: %v", err)
	}
	if _, err := s.client.DeleteObject(t.Context(), &s3.DeleteObjectInput{
		Bucket: aws.String("bills"), Key: aws.String("big"),
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Head(10); !errors.Is(err, blob.ErrChanged) {
		t.Errorf("deleted: %v", err)
	}
}

func refuse(status int, code string) func(w http.ResponseWriter, r *http.Request) bool {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		fmt.Fprintf(w, "<Error><Code>%s</Code><Message>no</Message></Error>", code)
		return true
	}
}

func TestRefusalsSayWhatIsMissing(t *testing.T) {
	s := start(t)
	s.put(t, "cur/a.csv", []byte("hello"))
	f := s.list(t, "s3://bills/cur/a.csv")[0]

	no := refuse(http.StatusForbidden, "AccessDenied")
	s.deny.Store(&no)
	_, err := blob.Stores{Scheme: s.store()}.List(t.Context(), "s3://bills/cur/")
	if d := (*blob.DeniedError)(nil); !errors.As(err, &d) || d.Needs != "s3:ListBucket on bucket bills" {
		t.Errorf("list: %v", err)
	}
	_, err = f.Head(5)
	if d := (*blob.DeniedError)(nil); !errors.As(err, &d) ||
		!strings.HasPrefix(d.Needs, "s3:GetObject on s3://bills/cur/a.csv") {
		t.Errorf("read: %v", err)
	}
	onlyLists := func(w http.ResponseWriter, r *http.Request) bool {
		return r.URL.Query().Has("list-type") && no(w, r)
	}
	s.deny.Store(&onlyLists)
	if files := s.list(t, "s3://bills/cur/a.csv"); len(files) != 1 || files[0].Size != 5 {
		t.Errorf("who may not list can name an object: %+v", files)
	}
	for status, c := range map[int][2]string{
		http.StatusBadRequest:         {"ExpiredToken", "credentials are refused (ExpiredToken)"},
		http.StatusUnauthorized:       {"SignatureDoesNotMatch", "credentials are refused"},
		http.StatusConflict:           {"InvalidObjectState", "archived"},
		http.StatusPreconditionFailed: {"PreconditionFailed", blob.ErrChanged.Error()},
	} {
		answer := refuse(status, c[0])
		s.deny.Store(&answer)
		if _, err := f.Head(5); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v", c[0], err)
		}
	}
}

func TestABucketInAnotherRegionIsFound(t *testing.T) {
	s := start(t)
	s.put(t, "a.csv", []byte("hello"))
	var asked atomic.Int64
	away := func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.Header.Get("Authorization"), "/eu-west-3/") {
			return false
		}
		asked.Add(1)
		w.Header().Set("X-Amz-Bucket-Region", "eu-west-3")
		return refuse(http.StatusMovedPermanently, "PermanentRedirect")(w, r)
	}
	s.deny.Store(&away)
	if head, err := s.list(t, "s3://bills/a.csv")[0].Head(9); err != nil || string(head) != "hello" || asked.Load() != 1 {
		t.Errorf("%q %v after %d", head, err, asked.Load())
	}
}

func TestRoleWithExternalID(t *testing.T) {
	s := start(t)
	s.put(t, "a.csv", []byte("hello"))
	trusted := "ext-1"
	role := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil || r.Form.Get("Action") != "AssumeRole" ||
			r.Form.Get("RoleArn") != "arn:aws:iam::111122223333:role/bills" || r.Form.Get("ExternalId") != trusted {
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `<ErrorResponse><Error><Code>AccessDenied</Code><Message>not authorized to perform sts:AssumeRole</Message></Error></ErrorResponse>`)
			return
		}
		fmt.Fprintf(w, `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials><AccessKeyId>ASSUMED</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken><Expiration>%s</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`,
			time.Now().Add(time.Hour).UTC().Format(time.RFC3339))
	}))
	defer role.Close()
	t.Setenv("AWS_ENDPOINT_URL_STS", role.URL)
	onlyRole := func(w http.ResponseWriter, r *http.Request) bool {
		return !strings.Contains(r.Header.Get("Authorization"), "Credential=ASSUMED/") &&
			refuse(http.StatusForbidden, "AccessDenied")(w, r)
	}
	s.deny.Store(&onlyRole)
	options := Options{
		Endpoint: s.URL, PathStyle: true, Region: "us-east-1",
		RoleARN: "arn:aws:iam::111122223333:role/bills", ExternalID: "ext-1",
	}
	files, err := blob.Stores{Scheme: New(options)}.List(t.Context(), "s3://bills/a.csv")
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	trusted = "another"
	if _, err := (blob.Stores{Scheme: New(options)}).List(t.Context(), "s3://bills/a.csv"); err == nil ||
		!strings.Contains(err.Error(), "role cannot be assumed") {
		t.Errorf("%v", err)
	}
}

func TestNoCredentials(t *testing.T) {
	s := start(t)
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	if _, err := (blob.Stores{Scheme: s.store()}).List(t.Context(), "s3://bills/a.csv"); err == nil ||
		!strings.Contains(err.Error(), "no AWS credentials") {
		t.Errorf("%v", err)
	}
}
