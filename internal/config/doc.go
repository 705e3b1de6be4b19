// Package config reads gpuledger's configuration file: the sources with their
// addresses, credentials and schedules, and the settings of serve.
//
// Unknown keys, wrong values and duplicates are errors that name file and line.
// The printed configuration contains no secret. The package refuses more than one document, aliases
// that multiply, and files above a mebibyte. It knows no source formats:
// the caller passes them in (Known).
package config
