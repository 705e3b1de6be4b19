package table

import (
	"errors"
	"fmt"

	"github.com/hamba/avro/v2"
)

// avroNode is a type of the schema, with the parts needed for reading.
type avroNode struct {
	kind    avro.Type
	logical avro.LogicalType
	scale   int
	size    int // of fixed
	symbols []string
	fields  []avroField
	items   *avroNode   // of arrays and maps
	types   []*avroNode // of unions

	column bool // a whole column of the table, not a part of one
	pos    int
	read   bool
}

type avroField struct {
	name string
	node *avroNode
}

// avroColumns reads a schema and finds its columns: the members of records, with dotted names,
// except members that are records themselves.
func avroColumns(text string, add func(name string, n *avroNode)) (root *avroNode, err error) {
	schema, err := avro.ParseBytesWithCache([]byte(text), "", &avro.SchemaCache{})
	if err != nil {
		return nil, err
	}
	nodes := 0
	if root, err = newAvroNode(schema, 0, &nodes); err != nil {
		return nil, err
	}
	if root.kind != avro.Record {
		return nil, errors.New("the rows are not records")
	}
	root.name("", add)
	return root, nil
}

// maxAvroNodes bounds the expansion of a schema that reuses its types.
const maxAvroNodes = 4 * maxColumns

func newAvroNode(s avro.Schema, depth int, nodes *int) (*avroNode, error) {
	if *nodes++; depth > maxDepth || *nodes > maxAvroNodes {
		return nil, errors.New("the schema is too deep or too large")
	}
	if ref, ok := s.(*avro.RefSchema); ok {
		return newAvroNode(ref.Schema(), depth+1, nodes)
	}
	n := &avroNode{kind: s.Type()}
	sub := func(s avro.Schema) (*avroNode, error) { return newAvroNode(s, depth+1, nodes) }
	if l, ok := s.(avro.LogicalTypeSchema); ok && l.Logical() != nil {
		n.logical = l.Logical().Type()
		if d, ok := l.Logical().(*avro.DecimalLogicalSchema); ok {
			n.scale = d.Scale()
		}
	}
	var err error
	switch t := s.(type) {
	case *avro.RecordSchema:
		for _, f := range t.Fields() {
			sub, err := sub(f.Type())
			if err != nil {
				return nil, err
			}
			n.fields = append(n.fields, avroField{f.Name(), sub})
		}
	case *avro.ArraySchema:
		n.items, err = sub(t.Items())
	case *avro.MapSchema:
		n.items, err = sub(t.Values())
	case *avro.UnionSchema:
		for _, one := range t.Types() {
			sub, err := sub(one)
			if err != nil {
				return nil, err
			}
			n.types = append(n.types, sub)
		}
	case *avro.EnumSchema:
		n.symbols = t.Symbols()
	case *avro.FixedSchema:
		if n.size = t.Size(); n.size < 0 || n.size > maxAvroBlock {
			return nil, fmt.Errorf("values of %d bytes each", n.size)
		}
	}
	return n, err
}

// record is a type's record: itself, or the only type of a union other than null.
func (n *avroNode) record() *avroNode {
	if n.kind == avro.Record {
		return n
	}
	if n.kind == avro.Union && len(n.types) <= 2 {
		for i, t := range n.types {
			if t.kind == avro.Record && (len(n.types) == 1 || n.types[1-i].kind == avro.Null) {
				return t
			}
		}
	}
	return nil
}

func (n *avroNode) name(prefix string, add func(string, *avroNode)) {
	for _, f := range n.fields {
		if r := f.node.record(); r != nil {
			r.name(prefix+f.name+".", add)
			continue
		}
		f.node.column = true
		add(prefix+f.name, f.node)
	}
}
