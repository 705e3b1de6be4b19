// Package gcpbilling reads Google Cloud Billing exports (standard and detailed
// usage cost) as JSON, CSV, Parquet and Avro, nested or flattened.
package gcpbilling
