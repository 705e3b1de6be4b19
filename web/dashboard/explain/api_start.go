package explain

import "gpuledger/web/views"

// startOf are the first steps in each language. A test runs them as they are (web/api/client/typescript).
func startOf(address string) []views.Snippet {
	return []views.Snippet{
		{Name: "shell", Title: "1. Address and token",
			Note: "A token comes from the page Tokens or from the command line, and shows what its role and scope allow. " +
				"Without access control, any text will do.",
			Text: "export GPULEDGER=" + address + "\n" +
				"export GPULEDGER_TOKEN=…   # gpuledger token create --name scripts --role viewer --scope 'team = speech'"},
		{Name: "curl", Title: "2. A first question",
			Text: "curl -fsS -H \"Authorization: Bearer $GPULEDGER_TOKEN\" \"$GPULEDGER/api/v1/costs?group_by=team\""},
		{Name: "python", Title: "Python", Note: "All pages of an answer, added up exactly. Only the standard library.",
			Text: pythonStart},
		{Name: "typescript", Title: "TypeScript", Note: "Save it as costs.ts. A wrong parameter or column does not compile.",
			Text: typescriptStart},
		{Name: "typescript-run", Title: "Run costs.ts", Note: "In an empty folder, with Node.js 20 or later.",
			Text: typescriptRun},
		{Name: "go", Title: "Go", Note: "Copy the folder web/api/client of the sources into your module.", Text: goStart},
	}
}

const pythonStart = `import json, os, urllib.parse, urllib.request
from decimal import Decimal

def rows(dataset, **options):
    while True:
        url = f"{os.environ['GPULEDGER']}/api/v1/{dataset}?{urllib.parse.urlencode(options)}"
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {os.environ['GPULEDGER_TOKEN']}"})
        with urllib.request.urlopen(request) as answer:
            page = json.load(answer)
        yield from page["data"]
        if page["meta"]["next_cursor"] is None:
            return
        options["cursor"] = page["meta"]["next_cursor"]

total = {}
for row in rows("costs", group_by="team"):
    cost = Decimal(row["effective_cost"] or 0)
    total[row["currency"]] = total.get(row["currency"], Decimal(0)) + cost
    print(row["team"], row["effective_cost"], row["currency"])
print(total)`

const typescriptStart = `import createClient from "openapi-fetch";
import type { paths } from "./gpuledger.js";

type Json = "application/json" | "application/problem+json"; // the answers that this script reads
const ledger = createClient<paths, Json>({
  baseUrl: process.env.GPULEDGER,
  headers: { Authorization: "Bearer " + process.env.GPULEDGER_TOKEN },
});
const query: paths["/api/v1/costs"]["get"]["parameters"]["query"] = { group_by: "team", limit: 100 };
do {
  const { data, error } = await ledger.GET("/api/v1/costs", { params: { query } });
  if (error) throw new Error(error.detail);
  if (!("data" in data)) throw new Error("deferred"); // never without the header Prefer: respond-async
  for (const row of data.data) console.log(row.team, row.effective_cost, row.currency);
  query.cursor = data.meta.next_cursor ?? undefined;
} while (query.cursor);`

const typescriptRun = `npm init -y && npm pkg set type=module
npm install openapi-fetch
npm install --save-dev openapi-typescript typescript @types/node
curl -fsS -H "Authorization: Bearer $GPULEDGER_TOKEN" "$GPULEDGER/openapi.json" -o openapi.json
npx openapi-typescript openapi.json -o gpuledger.d.ts
npx tsc --strict --skipLibCheck --target es2022 --module nodenext costs.ts
node costs.js`

const goStart = `ledger := client.New(os.Getenv("GPULEDGER"), os.Getenv("GPULEDGER_TOKEN"))
page, err := ledger.GetCosts(ctx, &client.GetCostsParams{GroupBy: client.P("team")})
if err != nil {
	return err // *client.Problem has the status and the parameter at fault
}
for _, row := range page.Data {
	fmt.Println(*row.Team, *row.EffectiveCost, *row.Currency)
}`
