package gcpbilling

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/test/billtest"
)

// csvFile writes a CSV file below a folder of the test.
func csvFile(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "export.csv")
	billtest.Put(t, path, []byte(text))
	return path
}

// The flattened forms that customers make of the export are all read the same.
func TestFlattenedShapes(t *testing.T) {
	want := mustRead(t, lines(t, `{"price": null, "location": null, "usage": null, "project": {"id": "lab-1"}, "labels": [{"key": "team", "value": "it's"}],
		"cost": "2.50", "credits": [`+promo+`, {"name": "Sustained Usage Discount", "amount": -0.5}]}`))
	const head, values = "usage_start_time,usage_end_time,export_time,cost,currency,cost_type",
		"2026-11-02 10:00:00+00:00,2026-11-02T11:00:00Z,2026-11-02 15:00:00.500000 UTC,2.5,USD,regular"
	const account = "01AAAA-BBBBBB-CCCCCC,"
	jsonCredits := `"[{""name"":""Startup credits"",""id"":""promo-1"",""type"":""PROMOTION"",""amount"":-0.05},{""name"":""Sustained Usage Discount"",""amount"":""-0.50""}]"`
	pyCredits := `"[{'name': 'Startup credits', 'full_name': None, 'id': 'promo-1', 'type': 'PROMOTION', 'amount': -0.05}, {'name': 'Sustained Usage Discount', 'amount': -0.5}]"`
	for name, text := range map[string]string{
		"dotted, Python text": "billing_account_id,service.id,service.description,sku.id,sku.description,project.id,labels,credits,invoice.month," + head + "\n" +
			account + `6F81-5844-456A,Compute Engine,0000-1111-2222,Network Internet Egress from Americas to Americas,lab-1,"[{'key': 'team', 'value': ""it's""}]",` + pyCredits + ",202611," + values + "\n",
		"underscored, exploded": "billing_account_id,service,service_id,service_description,sku_id,sku_description,project_id,labels,labels_key,labels_value,credits,credits_name,credits_amount,invoice_month," + head + "\n" +
			account + `"{""id"":""other""}",6F81-5844-456A,Compute Engine,0000-1111-2222,Network Internet Egress from Americas to Americas,lab-1,"[{""key"":""team"",""value"":""it's""}]",team,it's,` + jsonCredits + ",Startup credits,-0.05,202611.0," + values + "\n",
		"double underscores": "Billing_Account_ID,service__id,service__description,sku__id,sku__description,project__id,labels,credits,invoice__month," + head + "\n" +
			account + `6F81-5844-456A,Compute Engine,0000-1111-2222,Network Internet Egress from Americas to Americas,lab-1,"[{""key"":""team"",""value"":""it's""}]",` + jsonCredits + ",2026-11," + values + "\n",
		"records as text": "billing_account_id,service,sku,project,labels,credits,invoice," + head + "\n" +
			account + `"{""id"":""6F81-5844-456A"",""description"":""Compute Engine""}","{'id': '0000-1111-2222', 'description': 'Network Internet Egress from Americas to Americas'}","{""id"":""lab-1"",""number"":null}","[{""key"":""team"",""value"":""it's""}]",` + jsonCredits + `,"{""month"":202611}",` + values + "\n",
	} {
		got := mustRead(t, csvFile(t, text))
		c := got.Charges[0][0]
		w := want.Charges[0][0]
		w.ID, w.SourceFile, w.Line = c.ID, c.SourceFile, c.Line
		if shown(&c) != shown(&w) {
			t.Errorf("%s:\n%s\nwant\n%s", name, shown(&c), shown(&w))
		}
		if got.Deliveries[0].Digest != want.Deliveries[0].Digest {
			t.Errorf("%s: another digest", name)
		}
	}
}

// A child table is joined whatever the order of its rows, and missing credits are not lost
// silently.
func TestChildTables(t *testing.T) {
	const head = "billing_account_id,service__id,sku__description,project__id,invoice__month,usage_start_time,usage_end_time,export_time,cost,currency,_dlt_load_id,_dlt_id\n"
	line := func(cost, id string) string {
		return "01AAAA-BBBBBB-CCCCCC,6F81-5844-456A,N1 " +
			"Core,lab-1,202611,2026-11-02T10:00:00Z,2026-11-02T11:00:00Z,2026-11-02T12:00:00Z," + cost + ",USD,1763377241.99," +
			id + "\n"
	}
	const alone = "child table without its table"
	const creditHead, labelHead = "name,amount,type,_dlt_parent_id,_dlt_list_idx,_dlt_id\n",
		"key,value,_dlt_parent_id,_dlt_list_idx,_dlt_id\n"
	write := func(files map[string]string) string {
		root := t.TempDir()
		for name, text := range files {
			billtest.Put(t, filepath.Join(root, name), []byte(text))
		}
		return root
	}
	files := map[string]string{
		"exp/1.csv":                  head + line("3", "r1") + line("4", "r2"),
		"exp/2.csv":                  head + line("5", "r3"),
		"exp__credits/1.csv":         creditHead + "b,-0.25,DISCOUNT,r1,1,c2\n" + "a,-1,COMMITTED_USAGE_DISCOUNT,r1,0,c1\n",
		"exp__credits/2.csv":         creditHead + "a,-2,DISCOUNT,r3,0,c3\n",
		"exp__labels/1.csv":          labelHead + "team,vision,r2,0,l1\nenv,prod,r2,1,l2\n",
		"exp__project__labels/1.csv": labelHead + "unit,lab,r1,0,l3\n",
	}
	r := mustRead(t, write(files))
	if len(r.Deliveries) != 1 || r.Deliveries[0].Rows != 3 {
		t.Fatalf("%d deliveries: the files of one day are one", len(r.Deliveries))
	}
	got := map[string]string{}
	for i := range r.Charges[0] {
		c := &r.Charges[0][i]
		got[text(c.Contracted)] = fmt.Sprint(text(c.Billed), " ", text(c.CommitmentCredit), " ", c.Tags)
	}
	for cost, want := range map[string]string{
		"3": "1.75 1 map[unit:lab]", "4": "4 null map[env:prod team:vision]", "5": "3 null map[]",
	} {
		if got[cost] != want {
			t.Errorf("row of %s: %s, want %s", cost, got[cost], want)
		}
	}
	// The same rows nested are the same rows.
	nested := mustRead(t, lines(t, strings.ReplaceAll(`{"service": {"id": "6F81-5844-456A"}, "sku": {"description": "N1 Core"}, "project": {"id": "lab-1"}, "location": null, "price": null, "usage": null,
		"cost_type": null, "export_time": "2026-11-02T12:00:00Z", "cost": 5, "credits": [{"name": "a", "type": "DISCOUNT", "amount": -2}]}`, "\n", "")))
	found := false
	for i := range r.Charges[0] {
		found = found || r.Charges[0][i].ID == nested.Charges[0][0].ID
	}
	if !found {
		t.Error("a row of three tables has another identity than the nested one")
	}
	for name, c := range map[string]struct {
		without string
		refused string
	}{
		"the table alone":  {"exp__", "line 1, column _dlt_id: child tables missing"},
		"no credits table": {"exp__credits", ""},
		"only its folder":  {"exp/", alone},
	} {
		some := map[string]string{}
		for file, text := range files {
			if !strings.HasPrefix(file, c.without) {
				some[file] = text
			}
		}
		r, err := tryRead(t, write(some))
		switch {
		case c.refused == "" && (err != nil || sums(r, ledger.BilledCost)["USD"] != "12"):
			t.Errorf("%s: %v", name, err)
		case c.refused == alone &&
			(err != nil || len(r.Deliveries) != 0 || r.Tally.Refused[alone] != 4 || r.Tally.First[0].Line != 1 ||
				r.Tally.First[0].Column != childColumn ||
				r.Tally.Noted["element of a child table whose row is not among the files"] != 6):
			t.Errorf("%s: %v %+v", name, err, r)
		case c.refused != "" && c.refused != alone && (err == nil || !strings.Contains(err.Error(), c.refused)):
			t.Errorf("%s: %v", name, err)
		}
	}
	// Files of all tables in one folder find each other by their contents.
	heap := map[string]string{}
	for file, text := range files {
		heap[strings.ReplaceAll(strings.TrimPrefix(file, "exp"), "/", "-")+".csv"] = text
	}
	r = mustRead(t, write(heap))
	if got := sums(r, ledger.BilledCost)["USD"]; got != "8.75" || r.Deliveries[0].Rows != 3 || r.Tally.IgnoredRows() != 0 {
		t.Errorf("in one heap: %s, ignored %v", got, r.Tally.Ignored)
	}
	// A child table of another table is refused, the others are read; one without elements is
	// accepted next to any table.
	heap["other.csv"], heap["empty.csv"] = creditHead+"a,-7,DISCOUNT,x1,0,c9\n", creditHead
	r = mustRead(t, write(heap))
	if got := sums(r, ledger.BilledCost)["USD"]; got != "8.75" || r.Tally.Refused[alone] != 1 ||
		!strings.HasSuffix(r.Tally.First[0].File, "other.csv") {
		t.Errorf("beside one of another table: %s, %+v", got, r.Tally.First)
	}
	for name, text := range map[string]string{"header only": creditHead, "one row": creditHead + "a,-1,X,r1,0,c1\n"} {
		r, err := tryRead(t, write(map[string]string{"exp__credits.csv": text}))
		if err != nil || r.Tally.Refused[alone] != 1 ||
			!strings.Contains(r.Tally.First[0].Detail, "import the folder that holds both") {
			t.Errorf("alone, %s: %v %+v", name, err, r)
		}
	}
	rootless := strings.Replace(creditHead, childColumn, rootColumn, 1) + "a,-1,X,r1,0,c1\n"
	if _, err := tryRead(t, write(map[string]string{
		"exp/1.csv": files["exp/1.csv"], "exp__credits/1.csv": rootless,
	})); err == nil ||
		!strings.Contains(err.Error(), "line 1, column _dlt_parent_id: missing required column") {
		t.Errorf("without the rows' own: %v", err)
	}
	for name, text := range map[string]string{
		"no owner": creditHead + "a,-1,X,,0,c1\n",
		"no place": creditHead + "a,-1,X,r1,first,c1\n", "short row": creditHead + "a,-1\n",
	} {
		bad := map[string]string{"exp/1.csv": files["exp/1.csv"], "exp__credits/1.csv": text}
		if _, err := tryRead(t, write(bad)); err == nil || !strings.Contains(err.Error(), "exp__credits/1.csv line 2") {
			t.Errorf("%s: %v", name, err)
		}
	}
	bad := map[string]string{"exp/1.csv": files["exp/1.csv"], "exp__credits/1.csv": creditHead + "a,much,X,r1,0,c1\n"}
	if r, err := tryRead(t, write(bad)); err != nil || r.Tally.RejectedRows() != 1 ||
		r.Tally.First[0].Reason != "not a number" || r.Tally.First[0].Line != 2 {
		t.Errorf("an amount that is none: %v %+v", err, r.Tally.First)
	}
}

// Old exports lack most columns; the error names required ones.
func TestHeaders(t *testing.T) {
	const least = "billing_account_id,usage_start_time,usage_end_time,cost,currency"
	r := mustRead(t, csvFile(t, least+"\n01AAAA-BBBBBB-CCCCCC,2018-05-31 23:00:00 UTC,2018-06-01 00:00:00 UTC,1,USD\n"))
	c := r.Charges[0][0]
	if c.BillingPeriod != "2018-05" || c.Account != c.BillingAccount || r.Deliveries[0].Partition != "undated 2018-05" ||
		r.Deliveries[0].DeliveredAt != nil {
		t.Errorf("%+v", c)
	}
	const note = "billing period taken from the usage time: the row has no invoice.month; no column credits: billed " +
		"is the cost before credits"
	if r.Tally.Noted[note] != 1 {
		t.Errorf("noted %v", r.Tally.Noted)
	}
	for i, column := range strings.Split(least, ",") {
		header := strings.Split(least, ",")
		header[i] = "other"
		if _, err := tryRead(t, csvFile(t, strings.Join(header, ",")+"\n1,2,3,4,5\n")); err == nil ||
			!strings.Contains(err.Error(), "missing required column") || !strings.Contains(err.Error(), column) {
			t.Errorf("without %s: %v", column, err)
		}
	}
	row := ",2018-05-31 23:00:00 UTC,2018-06-01 00:00:00 UTC,1,USD\n"
	if _, err := tryRead(t, csvFile(t, least+"\n01A"+row+"01B"+row+row+row)); err == nil ||
		!strings.Contains(err.Error(),
			"line 4, column billing_account_id: missing value: 2 rows, the first of them on this line") {
		t.Errorf("rows without an account, next to two accounts: %v", err)
	}
	if _, err := tryRead(t, csvFile(t, least+",credits_amount\n")); err == nil ||
		!strings.Contains(err.Error(), "credits are not whole") {
		t.Errorf("credits of which only the first is there: %v", err)
	}
}

func TestLooks(t *testing.T) {
	for names, want := range map[string]bool{
		"billing_account_id,service.id,sku.id,usage_start_time,cost":                         true,
		"billing_account_id,service__id,sku__id,cost":                                        false, // two of three
		"\ufeffbilling_account_id,service_id,sku_id,project_id":                              true,
		"name,amount,id,type,_dlt_parent_id,_dlt_list_idx,_dlt_id":                           true,
		"key,value,_dlt_parent_id":                                                           true,
		"key,value,_dlt_root_id,_dlt_list_idx,_dlt_id":                                       true,
		"BillingAccountId,ServiceName,SkuId,ChargePeriodStart,BilledCost,EffectiveCost":      false,
		"BillingAccountId,BillingProfileId,Date,ServiceFamily,MeterId,CostInBillingCurrency": false,
		"bill_payer_account_id,line_item_usage_start_date,line_item_unblended_cost":          false,
		"key,value":          false,
		"name,type,mode":     false,
		"billing_account_id": false,
	} {
		if got := Format.Looks(strings.Split(names, ",")); got != want {
			t.Errorf("%s: %v", names, got)
		}
	}
}

func TestHostileRows(t *testing.T) {
	for name, c := range map[string]struct{ members, reason, column string }{
		"cost":             {`{"cost": "1,5"}`, "not a number", "cost"},
		"NaN":              {`{"cost": "NaN"}`, "not a number", "cost"},
		"huge":             {`{"cost": 1e400}`, "not a number", "cost"},
		"credit":           {`{"credits": [{"amount": "-x"}]}`, "not a number", "credits"},
		"list":             {`{"cost_at_list": "-"}`, "not a number", "cost_at_list"},
		"amount":           {`{"usage": {"amount": "many"}}`, "not a number", "usage.amount"},
		"currency":         {`{"currency": "Dollar"}`, "unknown unit", "currency"},
		"no currency":      {`{"currency": ""}`, "missing value", "currency"},
		"month":            {`{"invoice": {"month": "202613"}}`, "not a date", "invoice.month"},
		"month text":       {`{"invoice": {"month": "November"}}`, "not a date", "invoice.month"},
		"start":            {`{"usage_start_time": "yesterday"}`, "not a date", "usage_start_time"},
		"no end":           {`{"usage_end_time": "null"}`, "missing value", "usage_end_time"},
		"backwards":        {`{"usage_end_time": "2026-11-02 09:00:00 UTC"}`, "end before start", "usage_end_time"},
		"export time":      {`{"export_time": "soon"}`, "not a date", "export_time"},
		"labels":           {`{"labels": "team=a"}`, "not a list", "labels"},
		"credits of words": {`{"credits": ["a"]}`, "not a list", "credits"},
		"contradicting":    {`{"credits": [], "credits_amount": "-3"}`, "columns contradict each other", "credits"},
		"nobody's":         {`{"billing_account_id": ""}`, "missing value", "billing_account_id"},
		"machine of ever":  {`{` + onA3 + `, ` + coreSKU + `, "usage": {"amount": 1e20, "unit": "seconds"}}`, "", ""},
		"no cores": {
			`{` + strings.Replace(onA3, `"208"`, `"0"`, 1) + `, ` + coreSKU + `, "usage": {"amount": 208, "unit": "seconds"}}`,
			"", "",
		},
		"cores of another age": {
			`{` + strings.Replace(strings.Replace(onA3, `"208"`, `"many"`, 1), "a3-", "a9-", 1) + `, ` + coreSKU + `}`, "", "",
		},
	} {
		r, err := tryRead(t, lines(t, `{}`, c.members))
		if c.reason == "" {
			if err != nil || r.Tally.RejectedRows() > 0 {
				t.Errorf("%s: %v %+v", name, err, r)
			}
			continue
		}
		var bad ledger.Rejection
		if err == nil && len(r.Tally.First) > 0 {
			bad = r.Tally.First[0]
		}
		if name == "nobody's" && err == nil && r.Tally.RejectedRows() == 0 {
			continue // the other rows of the file name the account
		}
		if bad.Reason != c.reason || bad.Line != 2 || !strings.HasPrefix(bad.Column, c.column) {
			t.Errorf("%s: %v, %v", name, bad, err)
		}
	}
}

func TestTextThatIsNotARecord(t *testing.T) {
	r, err := tryRead(t, csvFile(t,
		"billing_account_id,usage_start_time,usage_end_time,cost,currency,service\n1,2026-11-02,2026-11-03,1,USD,Compute "+
			"Engine\n"))
	if err != nil || r.Tally.RejectedRows() != 1 || r.Tally.First[0].Reason != "not a record" ||
		r.Tally.First[0].Column != "service" {
		t.Errorf("%v %+v", err, r.Tally.First)
	}
}

// Whatever the rows hold, the two passes agree, or the delivery is refused.
func FuzzRows(f *testing.F) {
	for _, row := range machineRows(f) {
		f.Add(string(billtest.Encode(f, "lines.json", nil, billtest.Rows{row})))
	}
	f.Add("billing_account_id,usage_start_time,usage_end_time,cost,currency,credits,credits_amount\n1,2026-11-02,2026-11-03,1e-3,USD,\"[{'amount': -1, 'n': \"\"it's 'amount': 5\"\"}]\",-1\n")
	f.Add(`{"billing_account_id":"1","usage_start_time":"2026-11-02","usage_end_time":"2026-11-03","cost":1,"currency":"USD","credits":"[{\"amount\":\"1\\u0030\"}]"}`)
	f.Fuzz(func(t *testing.T, content string) {
		path := filepath.Join(t.TempDir(), "f")
		billtest.Put(t, path, []byte(content))
		r, err := tryRead(t, path)
		if err == nil && r.Tally.RejectedRows() == 0 {
			r.Check(t)
		}
	})
}

func FuzzSKU(f *testing.F) {
	f.Add("6F81-5844-456A", "Compute Engine", "N1 Predefined Instance Core running in Americas")
	f.Add("", "", "Commitment v1: Cpu in Americas for 1 Year")
	f.Fuzz(func(t *testing.T, id, service, sku string) {
		k := readSKU(id, service, sku)
		if k.fee && (k.part != notMachine || k.gpu) {
			t.Fatalf("%q is a fee and a machine", sku)
		}
	})
}
