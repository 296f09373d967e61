// oauth4webapi against a token endpoint: what it throws, and what it is given.
import * as oauth from 'oauth4webapi'

const [token_endpoint] = process.argv.slice(2)
const server = { issuer: new URL('/', token_endpoint).origin, token_endpoint }
// The server speaks plain HTTP.
const options = { [oauth.allowInsecureRequests]: true }

const password = (password) => ['password', { username: 'johndoe', password }]
const basic = (id, secret) => [id, oauth.ClientSecretBasic(secret)]
const post = (id, secret) => [id, oauth.ClientSecretPost(secret)]
const none = (id) => [id, oauth.None()]

const cases = [
    ['a client with a secret', basic('web', 'hunter2'), password('secret'), null],
    ['a client with a secret, in the form', post('web', 'hunter2'), password('secret'), null],
    ['a public client', none('app'), password('secret'), null],
    ['another grant', basic('web', 'hunter2'), ['client_credentials', {}], 'unsupported_grant_type'],
    ['a wrong password', basic('web', 'hunter2'), password('wrong'), 'invalid_grant'],
    ['a wrong secret', basic('web', 'wrong'), password('secret'), 'a challenge'],
    ['a wrong secret, in the form', post('web', 'wrong'), password('secret'), 'invalid_client'],
]

const raised = async ([client_id, authentication], [grant, parameters]) => {
    const client = { client_id }
    const response = await oauth.genericTokenEndpointRequest(server, client, authentication, grant, parameters, options)
    try {
        await oauth.processGenericTokenEndpointResponse(server, client, response)
        return null
    } catch (error) {
        if (error instanceof oauth.ResponseBodyError) return error.error
        // The body of a challenge is not read: RFC 6749, 5.2 has it for a client that used the header.
        if (error instanceof oauth.WWWAuthenticateChallengeError && error.cause[0].scheme === 'basic') return 'a challenge'
        throw error
    }
}

let failed = false
for (const [name, client, grant, expected] of cases) {
    const error = await raised(client, grant)
    failed ||= error !== expected
    console.log(error === expected ? 'holds ' : 'MISSED', 'oauth4webapi', '/', name, '/', error ?? 'a token')
}
process.exit(failed ? 1 : 0)
