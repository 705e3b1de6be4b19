package objectstores

import (
	"fmt"
	"net"
	"os/exec"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"

	"gpuledger/internal/blob"
	"gpuledger/internal/blob/azstore"
)

// Azurite's well-known account, from its documentation.
const (
	account = "devstoreaccount1"
	key     = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
)

// TestAzurite reads from azurite, which checks shared keys.
func TestAzurite(t *testing.T) {
	program := tools(t, "node_modules/azurite/dist/src/blob/main.js")
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("azurite needs node: ", err)
	}
	address := freeAddress(t)
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	serve(t, address, node, program, "--blobHost", host, "--blobPort", port, "--location", t.TempDir(),
		"--skipApiVersionCheck", "--silent", "--disableTelemetry")
	endpoint := "http://" + address + "/" + account
	text := fmt.Sprintf("DefaultEndpointsProtocol=http;AccountName=%s;AccountKey=%s;BlobEndpoint=%s;", account, key,
		endpoint)
	t.Setenv("AZURE_STORAGE_CONNECTION_STRING", text)
	client, err := azblob.NewClientFromConnectionString(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateContainer(t.Context(), "bills", nil); err != nil {
		t.Fatal(err)
	}
	options := azstore.Options{Endpoint: endpoint, PageSize: 4}
	suite{
		stores: blob.Stores{azstore.Scheme: azstore.New(options)},
		uri:    "az://" + account + "/bills",
		put: func(t *testing.T, key string, body []byte) {
			if _, err := client.UploadBuffer(t.Context(), "bills", key, body, nil); err != nil {
				t.Fatal(err)
			}
		},
		remove: func(t *testing.T, key string) {
			if _, err := client.DeleteBlob(t.Context(), "bills", key, nil); err != nil {
				t.Fatal(err)
			}
		},
		strangers: func(t *testing.T) blob.Stores {
			t.Setenv("AZURE_STORAGE_CONNECTION_STRING", "")
			t.Setenv("AZURE_STORAGE_KEY", "d3Jvbmc=")
			return blob.Stores{azstore.Scheme: azstore.New(options)}
		},
		refusal: "Storage Blob Data Reader",
	}.run(t)
}
