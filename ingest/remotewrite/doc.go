// Package remotewrite reads and writes the messages of Prometheus remote_write
// 1.0 and 2.0: protobuf by hand, packed with snappy's block format.
//
// It owns the wire format: content types, the bound on unpacked size before anything is
// allocated, the walk over series without an allocation per sample, and the rules for labels (a
// name, sorted, unique). Package series interprets series; the receiver decides which times are
// plausible and who may send.
//
// It refuses an unparsable message as a whole, because nothing after a broken field can be
// trusted. A series whose labels break the rules is refused alone. An empty label value is an
// absent label, as in Prometheus.
//
// Unknown fields are skipped, and repeated numbers may be packed or not, as protobuf demands.
// Native histograms, exemplars and metadata are counted but not read.
package remotewrite
