// The client of the official SDK for TypeScript, from nothing to a note that it may add.
import assert from 'node:assert/strict'

/** `sdk` is version 1 or 2 of the SDK. `consent` is the user. */
export const walk = async (sdk, options, server, redirect, consent) => {
    const { Client, StreamableHTTPClientTransport, UnauthorizedError } = sdk
    const kept = {}
    let authorization
    const authProvider = {
        redirectUrl: redirect,
        clientMetadata: {
            client_name: 'typescript',
            redirect_uris: [redirect],
            grant_types: ['authorization_code'],
            response_types: ['code'],
            token_endpoint_auth_method: 'none',
            application_type: 'native',
        },
        state: () => 'state',
        clientInformation: () => kept.client,
        saveClientInformation: client => void (kept.client = client),
        tokens: () => kept.tokens,
        saveTokens: tokens => void (kept.tokens = tokens),
        redirectToAuthorization: url => void (authorization = url.href),
        saveCodeVerifier: verifier => void (kept.verifier = verifier),
        codeVerifier: () => kept.verifier,
        discoveryState: () => kept.discovery,
        saveDiscoveryState: discovery => void (kept.discovery = discovery),
    }
    let client, transport
    // What an application does: send the user to the login, and try again.
    const loggedIn = async work => {
        try {
            return await work()
        } catch (error) {
            if (!(error instanceof UnauthorizedError)) throw error
        }
        const { searchParams } = new URL(await consent(authorization))
        await transport.finishAuth(searchParams.get('code'), searchParams.get('iss'))
        return work()
    }

    const connect = async () => {
        client = new Client({ name: 'typescript', version: '1' }, options)
        transport = new StreamableHTTPClientTransport(new URL(server), { authProvider })
        await client.connect(transport)
    }
    await loggedIn(connect)

    const { tools } = await client.listTools()
    assert.deepEqual(tools.map(tool => tool.name).sort(), ['add_note', 'clear_notes', 'list_notes'])
    const call = async (name, args) => {
        const { content } = await client.callTool({ name, arguments: args })
        return content.map(part => part.text).join()
    }
    assert.equal(await call('list_notes', {}), '')
    const added = await loggedIn(() => call('add_note', { text: 'Buy milk.' }))
    assert.equal(added, '1 notes')
    assert.match(await call('list_notes', {}), /: Buy milk\.$/)
    await client.close()
}
