package budgets

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
)

const header = "name,key,value,period,start,amount,unit,currency,parent\n"

func parse(t testing.TB, text string) ([]ledger.Budget, ledger.Reading, error) {
	t.Helper()
	return Parse(t.Context(), strings.NewReader(text), "budgets.csv")
}

func TestBudgetsInAllForms(t *testing.T) {
	for name, text := range map[string]string{
		"csv":           header + "Speech,team,speech,month,2026-11-01,12500.50,money,USD,All\n",
		"another order": "\ufeffParent,Amount,Unit,Currency,Key,Value,Name,Period,Start\r\nAll,12500.50,Money,USD,team,speech,Speech,Month,2026-11-01\r\n",
		"a list": `[{"name":"Speech","key":"team","value":"speech","period":"month","start":"2026-11-01",` +
			`"amount":12500.50,"unit":"money","currency":"USD","parent":"All"}]`,
		"inside": `{"budgets":[{"name":"Speech","key":"team","value":"speech","period":"month","start":"2026-11-01",` +
			`"amount":"12500.50","unit":"money","currency":"USD","parent":"All"}]}`,
	} {
		got, read, err := parse(t, text)
		if err != nil || len(got) != 1 || read.Accepted != 1 {
			t.Errorf("%s: %v %v %+v", name, got, err, read)
			continue
		}
		b := got[0]
		if text := fmt.Sprint(b.Name, b.Key, b.Value, b.Start, b.Amount, b.Unit, b.Currency, b.Parent); text !=
			"Speechteamspeech2026-11-01T00:00:00Z 12500.5moneyUSDAll" {
			t.Errorf("%s: %s", name, text)
		}
	}
	got, read, err := parse(t, header+"A,all,,life,,5000,gpu_hours,,\nB,cluster,c,quarter,2026-10-01,1e,tokens,,\n"+
		"C,cluster,c,quarter,2026-10-01,7,tokens,,\nD,project,p,year,2026-10-01,7,money,EUR,\n")
	if err != nil || len(got) != 3 || read.RejectedRows() != 1 || got[0].Start != 0 {
		t.Errorf("%+v %+v %v", got, read, err)
	}
}

func TestInvalidRowsAreNamedWithLineAndColumn(t *testing.T) {
	rows := []string{
		",team,a,month,2026-11-01,1,money,USD,", "n,colour,a,month,2026-11-01,1,money,USD,",
		"n,team,,month,2026-11-01,1,money,USD,", "n,all,a,month,2026-11-01,1,money,USD,",
		"n,team,a,fortnight,2026-11-01,1,money,USD,", "n,team,a,month,,1,money,USD,",
		"n,team,a,month,1 Nov,1,money,USD,", "n,team,a,month,1970-01-01,1,money,USD,",
		"n,team,a,month,2026-11-01,0,money,USD,", "n,team,a,month,2026-11-01,-1,money,USD,",
		"n,team,a,month,2026-11-01,\"12,5k\",money,USD,", "n,team,a,month,2026-11-01,1e3,money,USD,",
		"n,team,a,month,2026-11-01,1,dollars,USD,", "n,team,a,month,2026-11-01,1,money,,",
		"n,team,a,month,2026-11-01,1,money,usd,", "n,team,a,month,2026-11-01,1,tokens,USD,",
		"n,team,a,month,2026-11-01,1,money,USD,n", "n,team,a,month,2026-11-01,1,money,USD,",
		"n,team,b,month,2026-11-01,1,money,USD,", "n,team,a,month",
	}
	_, read, err := parse(t, header+strings.Join(rows, "\n")+"\n")
	var got []string
	for _, r := range read.First {
		got = append(got, fmt.Sprint(r.Line, " ", r.Column))
	}
	want := []string{
		"2 name", "3 key", "4 value", "5 value", "6 period", "7 start", "8 start", "9 start", "10 amount", "11 amount",
		"12 amount", "13 amount", "14 unit", "15 currency", "16 currency", "17 currency", "18 parent", "20 name", "21 ",
	}
	if err != nil || read.Accepted != 1 || read.RejectedRows() != int64(len(want)) || !slices.Equal(got, want[:len(got)]) {
		t.Errorf("%v: %d accepted, %d rejected\ngot  %q\nwant %q", err, read.Accepted, read.RejectedRows(), got, want)
	}
}

// All faults of a row are listed, and the row counts once.
func TestAllFaultsOfARowAreListed(t *testing.T) {
	_, read, err := parse(t, header+"n,team,a,month,2026-11-01,1,tokens,,\nn,colour,a,fortnight,1 Nov,-5,money,,n\n"+
		",team,,month,,1,dollars,,\n")
	var got []string
	for _, r := range read.First {
		got = append(got, fmt.Sprint(r.Line, " ", r.Column, " ", r.Also))
	}
	want := []string{
		"3 key false", "3 period true", "3 start true", "3 amount true", "3 currency true", "3 parent true", "3 name true",
		"4 name false", "4 value true", "4 start true", "4 unit true",
	}
	if err != nil || !slices.Equal(got, want) || read.RejectedRows() != 2 || read.Rows != 3 || read.Accepted != 1 {
		t.Errorf("%v: %+v\ngot  %q\nwant %q", err, read, got, want)
	}
}

func TestOtherColumnsRefuseTheFile(t *testing.T) {
	for text, says := range map[string]string{
		"name,key,value,period,start,amount\n":               "column unit is missing",
		"name,key,value,period,start,amount,unit,colour\n\n": `"colour" is not a column`,
	} {
		_, _, err := parse(t, text+"x\n")
		if _, ok := errors.AsType[*ledger.FileError](err); !ok || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
		if Detect([]byte(text)) {
			t.Errorf("%q is taken for budgets", text)
		}
	}
	if !Detect([]byte("\ufeff" + header)) {
		t.Error("a list of budgets is not recognised")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(header + "Speech,team,speech,month,2026-11-01,12500.50,money,USD,All\n")
	f.Add(`[{"name":"a","key":"all","period":"life","amount":"1","unit":"tokens"}]`)
	f.Fuzz(func(t *testing.T, text string) {
		found, read, err := parse(t, text)
		if err != nil {
			if _, ok := errors.AsType[*ledger.FileError](err); !ok {
				t.Fatal(err)
			}
			return
		}
		if read.Rows != read.Accepted+read.RejectedRows() || int64(len(found)) != read.Accepted {
			t.Fatalf("%d budgets, %+v", len(found), read)
		}
		for _, b := range found {
			if b.Name == "" || b.Amount.Sign() <= 0 || b.Start != 0 && !b.Start.Believable() {
				t.Fatalf("%+v", b)
			}
		}
	})
}
