package api

import "gpuledger/internal/export"

// ownParameters are parameters of datasets that reports do not have.
var ownParameters = []Parameter{
	{Name: "for_excel", Doc: forExcelDoc, Schema: object{"type": "boolean", "default": false}},
	{Name: "cursor", Doc: "next_cursor of the previous page; json only.", Schema: object{"type": "string"}},
	{Name: "format", Doc: "Overrides the Accept header.", Schema: object{"type": "string", "enum": formatNames()}},
}

const forExcelDoc = "With format=csv: put an apostrophe before texts that a spreadsheet would run as a formula."

func formatNames() (list []string) {
	for _, f := range export.Formats {
		list = append(list, string(f))
	}
	return list
}
