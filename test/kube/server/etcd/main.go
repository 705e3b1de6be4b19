// Command etcd is one member without durable storage, for tests: etcd DIR CLIENT_URL.
package main

import (
	"log"
	"net/url"
	"os"

	"go.etcd.io/etcd/server/v3/embed"
)

func main() {
	if len(os.Args) != 4 {
		log.Fatal("usage: etcd DIR CLIENT_URL PEER_URL")
	}
	client, err := url.Parse(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	peer, err := url.Parse(os.Args[3])
	if err != nil {
		log.Fatal(err)
	}
	c := embed.NewConfig()
	c.Dir, c.UnsafeNoFsync, c.LogLevel = os.Args[1], true, "error"
	c.ListenClientUrls, c.AdvertiseClientUrls = []url.URL{*client}, []url.URL{*client}
	c.ListenPeerUrls, c.AdvertisePeerUrls = []url.URL{*peer}, []url.URL{*peer}
	c.InitialCluster = c.InitialClusterFromName(c.Name)
	e, err := embed.StartEtcd(c)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(<-e.Err())
}
