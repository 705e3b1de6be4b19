// Command build makes what a release consists of, for linux on amd64 and arm64: binaries, Debian packages, container
// images, a bill of materials of each, and SHA256SUMS. `make packages` calls it.
//
//	build -version VERSION -time SECONDS -root FOLDER -out FOLDER
//	push  IMAGE.oci.tar REFERENCE
//
// It guarantees that the same source, Go release and time give the same bytes. The one input from outside is Debian's
// libc6 in the image of the agent: its version is in that image's bill of materials.
//
// It is a separate module, so that the program's own modules stay few.
package main
