package odata

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"gpuledger/metrics"
)

// vocabulary is where the terms of annotations are defined.
const vocabulary = "https://oasis-tcs.github.io/odata-vocabularies/vocabularies/"

// WriteMetadata writes the description of all entity sets (CSDL, XML).
func WriteMetadata(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString(xml.Header + `<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">` + "\n")
	for _, term := range [][2]string{{"Org.OData.Core.V1", "Core"}, {"Org.OData.Measures.V1", "Measures"}} {
		fmt.Fprintf(&b, "<edmx:Reference Uri=%q><edmx:Include Namespace=%q Alias=%q/></edmx:Reference>\n",
			vocabulary+term[0]+".xml", term[0], term[1])
	}
	fmt.Fprintf(&b, "<edmx:DataServices>\n<Schema Namespace=%q xmlns=\"http://docs.oasis-open.org/odata/ns/edm\">\n",
		Namespace)
	for _, d := range metrics.Datasets {
		if err := writeType(&b, d); err != nil {
			return fmt.Errorf("describe dataset %s: %w", d.Name, err)
		}
	}
	b.WriteString("<EntityContainer Name=\"Ledger\">\n")
	for _, d := range metrics.Datasets {
		fmt.Fprintf(&b, "<EntitySet Name=%q EntityType=%q>%s</EntitySet>\n", d.Name, Namespace+"."+d.Name, described(d.Doc))
	}
	b.WriteString("</EntityContainer>\n</Schema>\n</edmx:DataServices>\n</edmx:Edmx>\n")
	_, err := b.WriteTo(w)
	return err
}

func writeType(b *bytes.Buffer, d *metrics.Dataset) error {
	columns, err := Columns(d)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "<EntityType Name=%q>\n<Key><PropertyRef Name=%q/></Key>\n", d.Name, RowID)
	currency := false
	for _, c := range columns {
		currency = currency || c.Name == "currency"
	}
	for _, c := range columns {
		facets := ""
		switch edmType(c.Kind) {
		case "Edm.Decimal":
			facets = ` Scale="variable"`
		case "Edm.DateTimeOffset":
			facets = ` Precision="6"`
		}
		fmt.Fprintf(b, "<Property Name=%q Type=%q%s>%s%s</Property>\n", c.Name, edmType(c.Kind), facets, described(docOf(c)),
			unitOf(c, currency))
	}
	fmt.Fprintf(b, "<Property Name=%q Type=\"Edm.String\" Nullable=\"false\">%s</Property>\n", RowID,
		described("Identifies the row."))
	b.WriteString("</EntityType>\n")
	return nil
}

// docOf is the definition of a column with its caveats.
func docOf(c metrics.Column) string { return strings.Join(append([]string{c.Doc}, c.Caveats...), " ") }

func described(text string) string {
	return `<Annotation Term="Core.Description" String="` + escaped(text) + `"/>`
}

// unitOf annotates the unit. Money is in the currency of its row.
func unitOf(c metrics.Column, currency bool) string {
	switch {
	case c.Kind == metrics.Money && currency:
		return `<Annotation Term="Measures.ISOCurrency" Path="currency"/>`
	case c.Kind != metrics.Money && c.Unit != "":
		return `<Annotation Term="Measures.Unit" String="` + escaped(c.Unit) + `"/>`
	}
	return ""
}

func escaped(text string) string {
	var b bytes.Buffer
	if err := xml.EscapeText(&b, []byte(text)); err != nil { // a buffer takes everything
		return ""
	}
	return b.String()
}
