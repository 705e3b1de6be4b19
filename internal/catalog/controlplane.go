package catalog

// controlPlanes are the service codes under which providers bill the control
// planes of Kubernetes clusters (rule 8.9), as the ingest parsers write them.
var controlPlanes = map[string]bool{
	"AmazonEKS":                  true,
	"CCD8-9BF1-090E":             true, // Google Kubernetes Engine
	"Microsoft.ContainerService": true, // Azure Kubernetes Service
	"microsoft.containerservice": true,
}

// ControlPlane reports whether a service code is that of a managed Kubernetes
// control plane.
func ControlPlane(serviceCode string) bool { return controlPlanes[serviceCode] }
