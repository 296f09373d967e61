// net/http alone: a route that is open to everyone.
package main

import (
	"io"
	"log"
	"net/http"
	"os"
)

func main() {
	http.HandleFunc("GET /items", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "the items of 018f3c9e-7b2a-7c40-9d51-000000000000")
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
