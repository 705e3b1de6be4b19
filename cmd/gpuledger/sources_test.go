package main

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
	for k, v := range map[string]string{"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_EC2_METADATA_DISABLED": "true",
		"AWS_REGION": "us-east-1", "AWS_CONFIG_FILE": "/nonexistent", "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent"} {
		t.Setenv(k, v)
	}
	server := httptest.NewUnstartedServer(gofakes3.New(s3mem.New()).Server())
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // it complains when a reader has seen enough
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
		if _, err := client.PutObject(t.Context(), &s3.PutObjectInput{Bucket: aws.String("ledger"), Key: &key, Body: bytes.NewReader(body)}); err != nil {
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

	local, remote := emptyDatabase(t), emptyDatabase(t)
	must(t, local, "import", "auto", dir, "--cluster=sim", "--keep-everything")
	must(t, local, "allocate")
	want := must(t, local, "report", "costs", "--group-by=cause,account", "--format=csv")

	must(t, remote, "migrate")
	_, stop := serveLedger(t, remote, file)
	conn := connect(t, remote)
	until(t, "the scheduled import", func() bool {
		return scan[int64](t, conn, "select count(*) from source_states where state = 'published'") == 1
	})
	until(t, "the allocation after it", func() bool {
		return scan[int64](t, conn, "select count(*) from postings") > 0 && scan[int64](t, conn, "select count(*) from dirty") == 0
	})
	if code := stop(); code != exitInterrupted && code != exitOK {
		t.Errorf("serve ended with status %d", code)
	}
	if got := must(t, remote, "report", "costs", "--group-by=cause,account", "--format=csv"); got != want {
		t.Errorf("from the bucket:\n%s\nfrom the folder:\n%s", got, want)
	}

	// By hand: everything is read again, and changes nothing.
	if out := must(t, remote, file, "import"); !strings.Contains(out, "unchanged") {
		t.Errorf("%s", out)
	}
	if out := must(t, remote, file, "import", "fleet"); !strings.Contains(out, "unchanged") {
		t.Errorf("%s", out)
	}
	put("fleet/new.prom", []byte("# TYPE DCGM_FI_DEV_GPU_UTIL gauge\nDCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} oops 1\n"))
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{remote, file, "import", "fleet"}, &out, &errs); code != exitFailed || !strings.Contains(errs.String(), "new.prom line 2") {
		t.Errorf("status %d: %s", code, errs.String())
	}

	// The doctor looks at the bucket and remembers the refusal.
	out.Reset()
	if code := run(t.Context(), []string{remote, file, "doctor"}, &out, &errs); code != exitOK || !strings.Contains(out.String(), "hint  source        fleet: ") || !strings.Contains(out.String(), "new.prom line 2") {
		t.Errorf("doctor, status %d:\n%s", code, out.String())
	}
	out.Reset()
	gone := writeConfig(t, strings.ReplaceAll(fmt.Sprintf(oneSource, endpoint), "s3://ledger", "s3://nobody"))
	if code := run(t.Context(), []string{remote, gone, "doctor"}, &out, &errs); code != exitFailed || !strings.Contains(out.String(), "s3://nobody: there is no such bucket") {
		t.Errorf("doctor, status %d:\n%s", code, out.String())
	}
}

func TestConfigCommands(t *testing.T) {
	must(t, "--config="+filepath.Join("..", "..", "deploy", "gpuledger.yaml"), "config", "check")
	good := writeConfig(t, "sources:\n  - name: a\n    uri: https://host/x.csv?sig=hush\n  - name: b\n    source: aws-cur\n    uri: s3://bills/cur\n    role_arn: arn:x\n    external_id: secret\n    schedule: daily 04:00\n")
	if out := must(t, good, "config", "check"); !strings.Contains(out, "2 sources, 1 of them on a schedule") {
		t.Error(out)
	}
	if out := must(t, good, "config", "print"); strings.Contains(out, "hush") || strings.Contains(out, "secret") || !strings.Contains(out, "daily 04:00 UTC") {
		t.Error(out)
	}
	for _, c := range []struct {
		args  []string
		code  int
		words string
	}{
		{[]string{"config", "check"}, exitUsage, "--config"},
		{[]string{writeConfig(t, "sources:\n  - name: a\n    url: x\n"), "config", "check"}, exitFailed, "line 3"},
		{[]string{writeConfig(t, "sources:\n  - name: a\n    uri: x\n    delivered_at: soon\n"), "config", "check"}, exitUsage, "delivered_at"},
		{[]string{"--config=/nonexistent.yaml", "import"}, exitFailed, "nonexistent.yaml"},
		{[]string{"import"}, exitUsage, "--config"},
		{[]string{"import", "aws-cur"}, exitUsage, "what to import"},
		{[]string{good, "import", "nobody"}, exitUsage, "no source of this name"},
		{[]string{good, "import", "--cluster=x"}, exitUsage, "belongs into the configuration"},
		{[]string{writeConfig(t, "sources: []\n"), "import"}, exitFailed, "names no sources"},
	} {
		var out, errs bytes.Buffer
		if code := run(t.Context(), c.args, &out, &errs); code != c.code || !strings.Contains(errs.String(), c.words) {
			t.Errorf("%q: status %d: %s", c.args, code, errs.String())
		}
	}
}
