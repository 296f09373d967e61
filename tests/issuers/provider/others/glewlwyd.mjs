// Glewlwyd, whose tokens are signed, and which answers questions about them.
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { cookies, freePort, post, run } from './server.mjs'

const redirect_uri = 'https://app.example.com/callback'
const client = 'web:secret'

const key = () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256' }
}
// The first key signs, and all are published.
const keys = (...keys) => ({ 'jwks-private': JSON.stringify({ keys }) })

export const start = async ({ folder, audience, other }) => {
    // The packages are unpacked there.
    const gunzip = file => gunzipSync(readFileSync(`${folder}/usr/share/doc/glewlwyd/${file}.gz`))
    const database = `${folder}/provider.db`
    rmSync(database, { force: true })
    execFileSync('sqlite3', [database], { input: gunzip('database/init.sqlite3.sql') })
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const configuration = gunzip('glewlwyd.conf.sample').toString()
        .replace('port=4593', `port=${port}`)
        .replace('http://localhost:4593', origin)
        .replace('cookie_domain="localhost"', 'cookie_domain="127.0.0.1"')
        .replace('cookie_secure=1', 'cookie_secure=0')
        .replace('/var/cache/glewlwyd/glewlwyd.db', database)
        .replaceAll('"/usr/', `"${folder}/usr/`)
    writeFileSync(`${folder}/provider.conf`, configuration)
    const command = [`${folder}/usr/bin/glewlwyd`, '--config-file', `${folder}/provider.conf`]
    await run(command, { url: `${origin}/config`, log: `${folder}/provider.log` })

    // Its API, with the cookie of a user who has logged in.
    const api = async (method, path, body, cookie = '') => {
        const headers = { 'content-type': 'application/json', cookie }
        const response = await fetch(`${origin}/api/${path}`, { method, headers, body: JSON.stringify(body) })
        if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
        return cookies(response)
    }
    const login = (username, password) => api('POST', 'auth/', { username, password })

    // `init.sqlite3.sql` has this password.
    const admin = await login('admin', 'password')
    const [first, second] = [key(), key()]
    const plugin = {
        module: 'oidc',
        name: 'oidc',
        display_name: 'OpenID Connect',
        parameters: {
            iss: `${origin}/api/oidc`,
            'jwks-show': true,
            ...keys(first),
            'access-token-duration': 600,
            'refresh-token-duration': 1200,
            'refresh-token-rolling': false,
            'code-duration': 60,
            'allow-non-oidc': true,
            'auth-type-code-enabled': true,
            'auth-type-token-enabled': false,
            'auth-type-id-token-enabled': true,
            'auth-type-password-enabled': false,
            'auth-type-client-enabled': true,
            'auth-type-refresh-enabled': true,
            'introspection-revocation-allowed': true,
            'introspection-revocation-allow-target-client': true,
            'resource-allowed': true,
            'resource-scope': { items: [audience, other], orders: [audience, other] },
        },
    }
    await api('POST', 'mod/plugin/', plugin, admin)
    const change = async parameters => {
        Object.assign(plugin.parameters, parameters)
        await api('PUT', 'mod/plugin/oidc', plugin, admin)
        await api('PUT', 'mod/plugin/oidc/reset', undefined, admin)
    }
    const scope = ['items', 'orders', 'openid']
    for (const name of ['items', 'orders']) {
        await api('POST', 'scope/', { name, display_name: name, password_required: true, scheme: {} }, admin)
    }
    await api('POST', 'client/', {
        client_id: 'web',
        client_secret: 'secret',
        name: 'web',
        enabled: true,
        confidential: true,
        authorization_type: ['client_credentials', 'code'],
        redirect_uri: [redirect_uri],
        token_endpoint_auth_method: ['client_secret_basic'],
        scope,
    }, admin)
    const johndoe = { username: 'johndoe', password: 'correct horse', name: 'John Doe', enabled: true }
    await api('POST', 'user/', { ...johndoe, scope: ['g_profile', ...scope] }, admin)
    const user = await login(johndoe.username, johndoe.password)
    await api('PUT', 'auth/grant/web', { scope: scope.join(' ') }, user)

    const { iss } = plugin.parameters
    // The lifetime is one for all tokens, also for those of before if it is asked about them.
    const requested = async ({ scope, resource, brief }, request) => {
        const lifetime = brief ? 1 : 600
        if (plugin.parameters['access-token-duration'] !== lifetime) await change({ 'access-token-duration': lifetime })
        return request({ scope, ...(resource && { resource }) })
    }
    const token = grant => post(`${iss}/token`, client, grant)
    return {
        issuer: iss,
        settings: [],
        loginScope: 'openid',
        introspection: { url: `${iss}/introspect`, client },
        introspect: token => post(`${iss}/introspect`, client, { token }),
        machine: form => requested(form, form => token({ grant_type: 'client_credentials', ...form })),
        user: form => requested(form, async form => {
            const login = { response_type: 'code', client_id: 'web', redirect_uri, nonce: 'nonce', g_continue: '', ...form }
            const url = `${iss}/auth?${new URLSearchParams(login)}`
            const { headers } = await fetch(url, { headers: { cookie: user }, redirect: 'manual' })
            const code = new URL(headers.get('location')).searchParams.get('code')
            return token({ grant_type: 'authorization_code', code, redirect_uri, client_id: 'web', ...form })
        }),
        revoke: async token => (await post(`${iss}/revoke`, client, { token })).status,
        revocation: 200,
        rotate: () => change(keys(second, first)),
        drop: () => change(keys(second)),
    }
}
