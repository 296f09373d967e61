// net/http with golang-jwt, with keys that are fetched once.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math/big"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/golang-jwt/jwt/v5"
)

// The claims that the service reads.
type claims struct {
	jwt.RegisteredClaims
	Scope string `json:"scope"`
}

type jwk struct{ Kid, Kty, N, E, X, Y string }

// Fetches the issuer's keys, by their names.
func fetch(issuer string) map[string]any {
	response, err := http.Get(issuer + "/.well-known/jwks.json")
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var set struct{ Keys []jwk }
	if err := json.NewDecoder(response.Body).Decode(&set); err != nil {
		log.Fatal(err)
	}
	number := func(text string) *big.Int {
		bytes, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil {
			log.Fatal(err)
		}
		return new(big.Int).SetBytes(bytes)
	}
	keys := map[string]any{}
	for _, key := range set.Keys {
		switch key.Kty {
		case "RSA":
			keys[key.Kid] = &rsa.PublicKey{N: number(key.N), E: int(number(key.E).Int64())}
		case "EC":
			keys[key.Kid] = &ecdsa.PublicKey{Curve: elliptic.P256(), X: number(key.X), Y: number(key.Y)}
		}
	}
	return keys
}

type caller struct{}

func main() {
	issuer := os.Getenv("ISSUER")
	keys := fetch(issuer)
	parser := jwt.NewParser(
		jwt.WithValidMethods([]string{"RS256", "ES256"}),
		jwt.WithIssuer(issuer),
		jwt.WithAudience("https://api.example.com"),
		jwt.WithExpirationRequired(),
	)
	key := func(token *jwt.Token) (any, error) {
		name, _ := token.Header["kid"].(string)
		if key, ok := keys[name]; ok {
			return key, nil
		}
		return nil, errors.New("unknown key")
	}
	authenticate := func(next http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			token, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
			claims := &claims{}
			if _, err := parser.ParseWithClaims(token, claims, key); !found || err != nil {
				w.Header().Set("WWW-Authenticate", "Bearer")
				w.WriteHeader(http.StatusUnauthorized)
			} else if !slices.Contains(strings.Split(claims.Scope, " "), "items") {
				w.WriteHeader(http.StatusForbidden)
			} else {
				next(w, r.WithContext(context.WithValue(r.Context(), caller{}, claims)))
			}
		}
	}
	http.HandleFunc("GET /items", authenticate(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "the items of %s", r.Context().Value(caller{}).(*claims).Subject)
	}))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
