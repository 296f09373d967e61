// Better Auth, whose tokens are signed if a client names a resource, and opaque otherwise.
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import { oauthProvider } from '@better-auth/oauth-provider'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { jwt } from 'better-auth/plugins'
import Database from 'better-sqlite3'
import { cookies, post } from './server.mjs'

const redirect_uri = 'https://app.example.com/callback'

export const start = async ({ audience, other }) => {
    const server = http.createServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const origin = `http://127.0.0.1:${server.address().port}`
    const issuer = `${origin}/api/auth`
    const database = new Database(':memory:')
    const auth = betterAuth({
        baseURL: origin,
        database,
        emailAndPassword: { enabled: true },
        logger: { disabled: true },
        plugins: [
            jwt({ disableSettingJwtHeader: true }),
            oauthProvider({
                scopes: ['openid', 'items', 'orders', 'brief'],
                // The tokens with this scope last a second.
                scopeExpirations: { brief: '1s' },
                resources: [audience, other],
                clientPrivileges: () => true,
                loginPage: '/login',
                consentPage: '/consent',
                silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
            }),
        ],
        rateLimit: { enabled: false },
        secret: randomBytes(32).toString('hex'),
        telemetry: { enabled: false },
    })
    await (await getMigrations(auth.options)).runMigrations()
    server.on('request', toNodeHandler(auth))

    const body = { name: 'John Doe', email: 'johndoe@example.com', password: 'correct horse battery' }
    const cookie = cookies(await auth.api.signUpEmail({ body, returnHeaders: true }))
    const client = async body => {
        const headers = { cookie }
        const { client_id, client_secret } = await auth.api.adminCreateOAuthClient({ body, headers })
        for (const identifier of [audience, other]) {
            await auth.api.adminLinkClientResource({ params: { identifier, client_id }, headers })
        }
        return { client_id, login: `${client_id}:${client_secret}` }
    }
    const machine = await client({ grant_types: ['client_credentials'], client_credentials_scopes: ['items', 'orders', 'brief'] })
    const web = await client({ grant_types: ['authorization_code'], redirect_uris: [redirect_uri], skip_consent: true })

    // Without a value, a parameter is left out.
    const request = ({ scope, resource, brief }) => ({
        scope: brief ? `${scope} brief` : scope,
        ...(resource && { resource }),
    })
    return {
        issuer,
        settings: [],
        loginScope: 'openid',
        machine: form => post(`${issuer}/oauth2/token`, machine.login, { grant_type: 'client_credentials', ...request(form) }),
        user: async form => {
            const code_verifier = randomBytes(32).toString('base64url')
            const query = new URLSearchParams({
                response_type: 'code',
                client_id: web.client_id,
                redirect_uri,
                state: 'state',
                code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
                code_challenge_method: 'S256',
                ...request(form),
            })
            const response = await fetch(`${issuer}/oauth2/authorize?${query}`, { headers: { cookie } })
            const code = new URL((await response.json()).url).searchParams.get('code')
            const { resource } = request(form)
            const grant = { grant_type: 'authorization_code', code, redirect_uri, code_verifier, ...(resource && { resource }) }
            return post(`${issuer}/oauth2/token`, web.login, grant)
        },
        // It refuses to revoke what it has signed.
        revoke: async token => (await post(`${issuer}/oauth2/revoke`, machine.login, { token })).error,
        revocation: 'unsupported_token_type',
        // As if the keys had become old: it signs with another one after `rotationInterval`, and
        // publishes the old one until `gracePeriod` is over.
        rotate: () => database.prepare('UPDATE jwks SET expiresAt = ?').run(new Date().toISOString()),
        drop: () => database.prepare('UPDATE jwks SET expiresAt = ? WHERE expiresAt IS NOT NULL').run(new Date(0).toISOString()),
    }
}
