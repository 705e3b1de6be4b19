// Package client calls the REST API of gpuledger. client.gen.go is generated from ../openapi.json: a type per row and
// a method per operation. This file and client.go need only the standard library, so a program may copy the folder.
// typescript/gpuledger.d.ts has the same types for TypeScript and openapi-fetch. `make clients` generates both.
//
// A wrong parameter does not compile. Errors of the server are *Problem, and *Waits if a second person has to confirm
// the change.
package client
