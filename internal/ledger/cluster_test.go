package ledger

import (
	"slices"
	"testing"
)

func TestControlPlanesNameTheirCluster(t *testing.T) {
	for name, c := range map[string]struct {
		line  Charge
		plane bool
		names []string
	}{
		"EKS": {
			Charge{
				ServiceCode: "AmazonEKS", UsageType: "USE1-AmazonEKS-Hours:perCluster",
				ResourceID: "arn:aws:eks:us-east-1:2:cluster/Ml-Prod",
			}, true, []string{"mlprod"},
		},
		"EKS by a tag": {
			Charge{
				ServiceCode: "AmazonEKS", UsageType: "USE1-AmazonEKS-Hours:extendedSupport",
				Tags: map[string]string{"aws_eks_cluster_name": "ml-prod"},
			}, true, []string{"mlprod"},
		},
		"Fargate": {
			Charge{
				ServiceCode: "AmazonEKS", UsageType: "USE1-Fargate-GB-Hours", ResourceID: "arn:aws:eks:us-east-1:2:pod/ml/web/a/b",
			}, false, nil,
		},
		"Fargate by its description": {
			Charge{ServiceCode: "AmazonEKS", UsageType: "ABC", Description: "AWS Fargate - vCPU - US East"}, false, nil,
		},
		"Auto Mode": {Charge{ServiceCode: "AmazonEKS", InstanceHours: true, InstanceID: "i-1"}, false, nil},
		"AKS": {Charge{ServiceName: "Azure Kubernetes Service",
			ResourceID: "/subscriptions/S/resourceGroups/ml/providers/Microsoft.ContainerService/managedClusters/aks-ml"}, true,
			[]string{"aksml", "mcmlaksml"}},
		"GKE": {
			Charge{
				ServiceName: "Kubernetes Engine", Description: "Zonal Kubernetes Clusters",
				ResourceID: "//container.googleapis.com/projects/p/locations/r/clusters/ml",
			}, true, []string{"ml"},
		},
		"GKE by name": {
			Charge{ServiceName: "Kubernetes Engine", Description: "Zonal Kubernetes Clusters", ResourceID: "ml"},
			true, []string{"ml"},
		},
		"Autopilot": {Charge{ServiceName: "Kubernetes Engine", Description: "Autopilot Pod mCPU Requests"}, false, nil},
	} {
		if got := ControlPlane(&c.line); got != c.plane {
			t.Errorf("%s: control plane %v", name, got)
		}
		if got := ClustersOfLine(&c.line); c.plane && !slices.Equal(got, c.names) {
			t.Errorf("%s: names %v, want %v", name, got, c.names)
		}
	}
}

func TestMachinesNameTheirCluster(t *testing.T) {
	for name, c := range map[string]struct {
		node Node
		want []string
	}{
		"as imported": {Node{Cluster: "ml.prod"}, []string{"mlprod"}},
		"by tags": {
			Node{Cluster: "a", Tags: map[string]string{"user_kubernetes_io_cluster_ml_prod": "owned", "team": "x"}},
			[]string{"mlprod", "a"},
		},
		"by labels": {Node{Labels: map[string]string{"label_alpha_eksctl_io_cluster_name": "ml"}}, []string{"ml"}},
		"AKS, whose names repeat": {Node{Cluster: "aks-ml",
			ProviderID: "azure:///subscriptions/S/resourceGroups/MC_ml_aks-ml_westeurope/providers/Microsoft.Compute/virtualMachineScaleSets/s/virtualMachines/0"},
			[]string{"mcmlaksml"}},
		"nothing known": {Node{Name: "n"}, nil},
	} {
		if got := ClustersOf(&c.node); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestBilledClusters(t *testing.T) {
	labels := map[string]string{
		"label_example_com_cluster_name": "Org/Train", "label_example_com_cluster_id": " ", "label_team": "x",
	}
	for _, c := range []struct {
		node Node
		want []string
	}{
		{Node{Cluster: "A", Name: "GPU-1", Keys: []string{"x", "gpu-1"}, Labels: labels}, []string{"a", "train"}},
		{Node{Name: "gpu-1", Keys: []string{"gpu-1"}}, nil},
		{Node{Cluster: "a", Name: "ip-10-0-0-1", Keys: []string{"i-0a", "node/a/ip-10-0-0-1"}, Labels: labels}, nil},
	} {
		if got := BilledClusters(&c.node); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.node.Name, got, c.want)
		}
	}
}
