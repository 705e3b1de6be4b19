package pg_test

import (
	"bytes"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

func drawAmount(t *rapid.T) money.Amount {
	text := rapid.StringMatching(`-?[0-9]{1,22}(\.[0-9]{1,30})?`).Draw(t, "amount")
	a, err := money.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAmountsPassExactlyAndInOneForm(t *testing.T) {
	s := emptyDB(t)
	ctx := t.Context()
	rapid.Check(t, func(rt *rapid.T) {
		a := drawAmount(rt)
		var back money.Amount
		var text string
		var sent []byte
		if err := s.Pool.QueryRow(ctx, "select $1::numeric, $1::numeric::text, numeric_send($1)",
			a).Scan(&back, &text, &sent); err != nil {
			rt.Fatal(err)
		}
		if back.Cmp(a) != 0 || text != a.String() {
			rt.Fatalf("%s came back as %s, PostgreSQL shows %s", a, back, text)
		}
		if own := pg.AppendAmount(nil, a); !bytes.Equal(own, sent) {
			rt.Fatalf("%s: sent % x, PostgreSQL sends % x: digests would differ", a, own, sent)
		}
	})
}

func TestComputedNumericsAreRead(t *testing.T) {
	s := emptyDB(t)
	for text, want := range map[string]string{
		"0.00": "0", "1.500000": "1.5", "sum": "", "-0.000000000001": "-0.000000000001", "1e20": "100000000000000000000",
		"9223372.036854775807": "9223372.036854775807", "9223372.036854775808": "9223372.036854775808",
		"12345678901234567890.5": "12345678901234567890.5",
		"0.0000000000001":        "0.0000000000001", "10000": "10000", "-99990000": "-99990000",
	} {
		if text == "sum" {
			text, want = "0.1", "0.1"
		}
		var got money.Amount
		if err := s.Pool.QueryRow(t.Context(), "select $1::text::numeric", text).Scan(&got); err != nil {
			t.Fatal(text, err)
		}
		if got.String() != want {
			t.Errorf("%s was read as %s, want %s", text, got, want)
		}
	}
	var none *money.Amount
	if err := s.Pool.QueryRow(t.Context(), "select null::numeric").Scan(&none); err != nil || none != nil {
		t.Errorf("NULL was read as %v, %v", none, err)
	}
	var some money.Amount
	for _, bad := range []string{"select null::numeric", "select 'NaN'::numeric", "select 'Infinity'::numeric"} {
		if err := s.Pool.QueryRow(t.Context(), bad).Scan(&some); err == nil {
			t.Errorf("%s was read as %s, want an error", bad, some)
		}
	}
}

func TestIntegersOfAnySize(t *testing.T) {
	s := emptyDB(t)
	for _, text := range []string{
		"0", "1", "-1", "9999", "10000", "9223372", "9223373", "-9223373", "123456789012345678901234567890",
	} {
		n, _ := new(big.Int).SetString(text, 10)
		var r pg.Row
		r.Integer(n)
		var back string
		var sent []byte
		if err := s.Pool.QueryRow(t.Context(), "select $1::text::numeric::text, numeric_send($1::text::numeric)",
			text).Scan(&back, &sent); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(r.Buf[4:], sent) {
			t.Errorf("%s: sent % x, want % x", text, r.Buf[4:], sent)
		}
	}
}

func TestIDsAndSeconds(t *testing.T) {
	s := emptyDB(t)
	id := ledger.NewID("test", "a")
	ids := []ledger.ID{id, ledger.NewID("test", "b")}
	at := period.Second(1_790_000_123)
	var gotID, noID ledger.ID
	var gotAt, noAt, end, begin period.Second
	var text string
	var count int
	err := s.Pool.QueryRow(t.Context(), `select $1::uuid, null::uuid, $2::timestamptz, null::timestamptz,
		'infinity'::timestamptz, '-infinity'::timestamptz,
		$2::timestamptz::text, (select count(*) from unnest($3::uuid[]) u where u = $1)`, id, at, ids).
		Scan(&gotID, &noID, &gotAt, &noAt, &end, &begin, &text, &count)
	if err != nil {
		t.Fatal(err)
	}
	if gotID != id || !noID.IsZero() || gotAt != at || noAt != 0 || end != pg.EndOfTime || begin != 0 || count != 1 {
		t.Errorf("got %s %s %d %d %d %d %d", gotID, noID, gotAt, noAt, end, begin, count)
	}
	if want := at.Time().Format("2006-01-02 15:04:05+00"); text != want {
		t.Errorf("PostgreSQL shows %s, want %s", text, want)
	}
}

func FuzzParseNumeric(f *testing.F) {
	f.Add(pg.AppendAmount(nil, money.MustParse("-12.3456789")))
	f.Add([]byte{0, 1, 0, 0, 0xc0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		if a, err := pg.ParseNumeric(b); err == nil {
			back, err := pg.ParseNumeric(pg.AppendAmount(nil, a))
			if err != nil || back.Cmp(a) != 0 {
				t.Fatalf("% x → %s → %s: %v", b, a, back, err)
			}
		}
	})
}
