// Package config reads gpuledger's configuration file: which sources there
// are, where they lie, how they are reached and when they are looked at.
//
// It owns the form of the file and its checks: unknown keys, wrong values and
// duplicates are errors that name file and line. It guarantees that what it
// prints again holds no secret. It refuses more than one document, aliases
// that multiply, and files above a megabyte; it knows no source by itself, the
// caller says which there are.
package config
