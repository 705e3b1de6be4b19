// Package annotations reads events that teams keep in a table or send from their pipelines: CSV with a header, or JSON
// objects with the same names (docs/connect/annotations.md).
//
// It refuses files without the columns at, kind and text, and unknown columns. Each row is an annotation or is
// rejected with its line, column and reason; nothing is shortened.
//
// It guarantees that times are whole UTC seconds and that links are http or https. It does not open them.
package annotations
