// Package jsonstream hands out the JSON values of a text one by one, each with
// the line on which it begins: a single value, values on lines of their own,
// values one after the other in any layout, and the elements of arrays. Of
// objects that only wrap a list ({"jobs": [...]}) it hands out the elements of
// that list, so that no file has to fit into memory.
//
// It refuses text that is no JSON, that ends inside a value, and values larger
// than a bound, each with file and line. It knows no value's meaning.
//
// Accessors on Object read what different versions of a program write in
// different ways: numbers that are bare, quoted or {"set", "number"} records,
// texts that are alone or first of a list. They never fail: what is not there,
// or not of the kind asked for, is the zero value.
package jsonstream
