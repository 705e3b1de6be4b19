// Package jsonstream returns the JSON values of a text one by one, each with the line on which
// it begins: a single value, one value per line, values one after the other in any layout, and
// the elements of arrays. For objects that only wrap a list ({"jobs": [...]}) it returns the
// elements of that list, so that no file has to fit into memory.
//
// It refuses text that is not JSON, that ends inside a value, and values larger than a bound,
// each with file and line. It does not interpret values.
//
// Accessors on Object read values that different versions of a program write in different ways:
// numbers that are bare, quoted or {"set", "number"} records, texts that are single or first in
// a list. They never fail: a missing value, or one of another type, is the zero value.
package jsonstream
