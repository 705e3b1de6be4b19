package folder

import (
	"reflect"

	"go.yaml.in/yaml/v3"
)

// same reports whether two documents say the same, apart from comments, order of fields, style and the kind.
func same(a, b string) bool {
	x, okA := content(a)
	y, okB := content(b)
	return okA && okB && reflect.DeepEqual(x, y)
}

// content is a document as fields, lists and texts.
func content(text string) (fields map[string]any, ok bool) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil || len(doc.Content) == 0 {
		return nil, false
	}
	fields, ok = plain(doc.Content[0]).(map[string]any)
	delete(fields, "kind")
	return fields, ok
}

// plain is a node without style and place; null is nil.
func plain(n *yaml.Node) any {
	switch n.Kind {
	case yaml.AliasNode:
		return plain(n.Alias)
	case yaml.MappingNode:
		fields := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			fields[n.Content[i].Value] = plain(n.Content[i+1])
		}
		return fields
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			list = append(list, plain(item))
		}
		return list
	}
	if n.Tag == "!!null" {
		return nil
	}
	return n.Value
}
