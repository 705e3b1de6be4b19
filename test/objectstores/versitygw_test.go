package objectstores

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"gpuledger/internal/blob"
	"gpuledger/internal/blob/s3store"
)

// freeAddress is a local address without a listener at the moment.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// serve runs a server until the test ends and waits until it listens.
func serve(t *testing.T, address, program string, args ...string) {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		<-ended
	})
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if conn, err := net.Dial("tcp", address); err == nil {
			_ = conn.Close() // it listens
			return
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("%s ended: %v\n%s", program, err, out.String())
		default:
		}
	}
	t.Fatalf("%s does not listen on %s:\n%s", program, address, out.String())
}

// tools is the folder that `make test-objectstores` installs servers into.
func tools(t *testing.T, name string) string {
	t.Helper()
	dir := os.Getenv("GPULEDGER_OBJECTSTORES")
	if dir == "" {
		t.Skip("skipped: GPULEDGER_OBJECTSTORES does not name the folder with the servers; run make test-objectstores")
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		t.Fatal("the server is not installed: ", err)
	}
	return path
}

// TestVersitygw reads from a server that checks signatures.
func TestVersitygw(t *testing.T) {
	program, address, root := tools(t, "versitygw"), freeAddress(t), t.TempDir()
	data, side := filepath.Join(root, "data"), filepath.Join(root, "side")
	for _, dir := range []string{data, side} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	serve(t, address, program, "--access", "key", "--secret", "secret", "--region", "us-east-1", "--port", address,
		"posix", "--sidecar", side, data)
	for k, v := range map[string]string{"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
		"AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true",
		"AWS_CONFIG_FILE": "/nonexistent", "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent"} {
		t.Setenv(k, v)
	}
	cfg, err := config.LoadDefaultConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	endpoint := "http://" + address
	client := s3.NewFromConfig(cfg, func(o *s3.Options) { o.BaseEndpoint, o.UsePathStyle = &endpoint, true })
	bucket := aws.String("bills")
	if _, err := client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: bucket}); err != nil {
		t.Fatal(err)
	}
	options := s3store.Options{Endpoint: endpoint, PathStyle: true, PageSize: 4}
	suite{
		stores: blob.Stores{s3store.Scheme: s3store.New(options)},
		uri:    "s3://bills",
		put: func(t *testing.T, key string, body []byte) {
			if _, err := client.PutObject(t.Context(), &s3.PutObjectInput{
				Bucket: bucket, Key: &key, Body: bytes.NewReader(body),
			}); err != nil {
				t.Fatal(err)
			}
		},
		remove: func(t *testing.T, key string) {
			if _, err := client.DeleteObject(t.Context(), &s3.DeleteObjectInput{Bucket: bucket, Key: &key}); err != nil {
				t.Fatal(err)
			}
		},
		strangers: func(t *testing.T) blob.Stores {
			t.Setenv("AWS_SECRET_ACCESS_KEY", "wrong")
			return blob.Stores{s3store.Scheme: s3store.New(options)}
		},
		refusal: "credentials are refused",
	}.run(t)
}
