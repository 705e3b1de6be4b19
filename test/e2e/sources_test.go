package e2e

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsconfig "github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"gpuledger/internal/fleetsim"
)

// bucket is an S3 in this process with the files of a folder.
func bucket(t *testing.T, dir string) (endpoint string, put func(key string, body []byte)) {
	t.Helper()
	for k, v := range map[string]string{
		"AWS_ACCESS_KEY_ID":           "key",
		"AWS_SECRET_ACCESS_KEY":       "secret",
		"AWS_EC2_METADATA_DISABLED":   "true",
		"AWS_REGION":                  "us-east-1",
		"AWS_CONFIG_FILE":             "/nonexistent",
		"AWS_SHARED_CREDENTIALS_FILE": "/nonexistent",
	} {
		t.Setenv(k, v)
	}
	server := httptest.NewUnstartedServer(gofakes3.New(s3mem.New()).Server())
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // it logs errors when a reader stops early
	server.Start()
	t.Cleanup(server.Close)
	cfg, err := awsconfig.LoadDefaultConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	client := s3.NewFromConfig(cfg, func(o *s3.Options) { o.BaseEndpoint, o.UsePathStyle = &server.URL, true })
	if _, err := client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String("ledger")}); err != nil {
		t.Fatal(err)
	}
	put = func(key string, body []byte) {
		t.Helper()
		if _, err := client.PutObject(t.Context(), &s3.PutObjectInput{
			Bucket: aws.String("ledger"), Key: &key, Body: bytes.NewReader(body),
		}); err != nil {
			t.Fatal(err)
		}
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		put("fleet/"+filepath.ToSlash(rel), read(t, path))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return server.URL, put
}

func writeConfig(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gpuledger.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return "--config=" + path
}

const oneSource = `
keep_everything: true
sources:
  - name: fleet
    source: auto
    uri: s3://ledger/fleet
    endpoint: %s
    path_style: true
    cluster: sim
    schedule: every 1m
`

func TestConfiguredSourcesFromABucket(t *testing.T) {
	cfg := fleetsim.Preset(fleetsim.Small)
	cfg.Days, cfg.BillLagHours = 1, 6
	dir, err := simulate("bucket", cfg)
	if err != nil {
		t.Fatal(err)
	}
	endpoint, put := bucket(t, dir)
	file := writeConfig(t, fmt.Sprintf(oneSource, endpoint))

	local, remote := freshDatabase(t), freshDatabase(t)
	must(t, local, "import", "auto", dir, "--cluster=sim", "--keep-everything")
	must(t, local, "allocate")
	want := must(t, local, "report", "costs", "--group-by=cause,account", "--format=csv")

	_, stop := serveLedger(t, remote, file)
	conn := connect(t, remote)
	until(t, "the scheduled import", func() bool {
		return scan[int64](t, conn, "select count(*) from source_states where state = 'published'") == 1
	})
	until(t, "the allocation after it", func() bool {
		return scan[int64](t, conn, "select count(*) from postings") > 0 &&
			scan[int64](t, conn, "select count(*) from dirty") == 0
	})
	if code := stop(); code != exitInterrupted && code != exitOK {
		t.Errorf("serve ended with status %d", code)
	}
	if got := must(t, remote, "report", "costs", "--group-by=cause,account", "--format=csv"); got != want {
		t.Errorf("from the bucket:\n%s\nfrom the folder:\n%s", got, want)
	}

	// By hand: everything is read again, and no rows change.
	if out := must(t, remote, file, "import"); !strings.Contains(out, "unchanged") {
		t.Errorf("%s", out)
	}
	if out := must(t, remote, file, "import", "fleet"); !strings.Contains(out, "unchanged") {
		t.Errorf("%s", out)
	}
	put("fleet/new.prom", []byte("# TYPE DCGM_FI_DEV_GPU_UTIL gauge\nDCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} oops 1\n"))
	if code, _, errs := gpuledger(t, remote, file, "import", "fleet"); code != exitFailed ||
		!strings.Contains(errs, "new.prom line 2") {
		t.Errorf("status %d: %s", code, errs)
	}

	// The doctor checks the bucket and remembers the refusal.
	if code, out, _ := gpuledger(t, remote, file, "doctor"); code != exitOK ||
		!strings.Contains(out, "hint  source        fleet: ") || !strings.Contains(out, "new.prom line 2") {
		t.Errorf("doctor, status %d:\n%s", code, out)
	}
	gone := writeConfig(t, strings.ReplaceAll(fmt.Sprintf(oneSource, endpoint), "s3://ledger", "s3://nobody"))
	if code, out, _ := gpuledger(t, remote, gone, "doctor"); code != exitFailed ||
		!strings.Contains(out, "s3://nobody: there is no such bucket") {
		t.Errorf("doctor, status %d:\n%s", code, out)
	}
}
