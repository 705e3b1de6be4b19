package publicprices

import (
	"errors"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
)

const header = "provider,instance_type,region,price_class,currency,hourly,source,source_date\n"

func TestParse(t *testing.T) {
	text := header +
		"aws,p5.48xlarge,eu-west-1,on_demand,USD,61.5,price list API,2026-10-01\n" +
		"aws,p99.mega,eu-west-1,on_demand,USD,1,price list API,2026-10-01\n" +
		"gcp,a2-highgpu-1g,europe-west4,spot,USD,-1,billing catalog,2026-10-01\n" +
		"gcp,a2-highgpu-1g,,spot,USD,1,billing catalog,2026-10-01\n" +
		"azure,Standard_ND96asr_v4,westeurope,reserved,USD,1,retail API,2026-10-01\n" +
		"azure,standard_nd96asr_v4,westeurope,on_demand,EUR,33.1,retail API,last week\n" +
		"azure,standard_nd96asr_v4,westeurope,on_demand,EUR,\"33,1\",retail API,2026-10-01\n" +
		"azure,standard_nd96asr_v4,westeurope,on_demand,EUR,33.1,retail API,2026-10-01\n"
	if !Detect([]byte(text)) || Detect([]byte(strings.Replace(text, "hourly", "price", 1))) {
		t.Error("the header is not what tells")
	}
	prices, read, err := Parse(t.Context(), strings.NewReader(text), "list.csv")
	if err != nil || len(prices) != 2 || read.Rows != 8 || read.Accepted != 2 || read.RejectedRows() != 5 ||
		read.IgnoredRows() != 1 {
		t.Fatalf("%v %+v %+v", err, prices, read)
	}
	for i, want := range []struct {
		line   int64
		detail string
	}{{4, "not positive"}, {5, "region"}, {6, "neither on_demand nor spot"}, {7, "source_date"}, {8, "hourly"}} {
		if got := read.First[i]; got.Line != want.line || got.File != "list.csv" ||
			!strings.Contains(got.Detail, want.detail) {
			t.Errorf("%+v, want line %d: %s", got, want.line, want.detail)
		}
	}
	_, _, err = Parse(t.Context(), strings.NewReader("provider,instance_type,hourly\naws,p5.48xlarge,1\n"), "list.csv")
	if refused, ok := errors.AsType[*ledger.FileError](err); !ok ||
		!strings.Contains(refused.Error(), "region, price_class") {
		t.Errorf("%v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(header + "aws,p5.48xlarge,eu-west-1,on_demand,USD,61.5,list,2026-10-01\n")
	f.Add(`{"prices":[{"provider":"aws","instance_type":"p5.48xlarge","region":"r","price_class":"spot","currency":"USD","hourly":"2","source":"s","source_date":"2026-10-01"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		prices, read, _ := Parse(t.Context(), strings.NewReader(text), "fuzz")
		if int64(len(prices)) != read.Accepted || read.Rows != read.Accepted+read.RejectedRows()+read.IgnoredRows() {
			t.Errorf("%d prices, %+v", len(prices), read)
		}
		for _, p := range prices {
			if p.Hourly.Sign() <= 0 || p.Region == "" || p.Source == "" {
				t.Errorf("%+v", p)
			}
		}
	})
}
