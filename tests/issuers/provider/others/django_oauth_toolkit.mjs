// django-oauth-toolkit, whose tokens are opaque.
import { rmSync } from 'node:fs'
import { freePort, post, run } from './server.mjs'

export const start = async ({ folder }) => {
    const port = await freePort()
    const issuer = `http://127.0.0.1:${port}/o`
    const database = `${folder}/provider.db`
    rmSync(database, { force: true })
    const command = [`${folder}/bin/python`, `${folder}/django_oauth_toolkit.py`, database, `${port}`]
    await run(command, { url: `${issuer}/.well-known/oauth-authorization-server`, log: `${folder}/provider.log` })

    const request = ({ scope, resource }) => ({ scope, ...(resource && { resource }) })
    const token = (client, { brief, ...form }, grant) =>
        post(`${issuer}/token/`, `${client}${brief ? '-brief' : ''}:secret`, { ...grant, ...request(form) })
    return {
        introspection: { url: `${issuer}/introspect/`, client: 'items-api:secret' },
        introspect: token => post(`${issuer}/introspect/`, 'items-api:secret', { token }),
        machine: form => token('machine', form, { grant_type: 'client_credentials' }),
        user: form => token('web', form, { grant_type: 'password', username: 'johndoe', password: 'secret' }),
        revoke: async token => (await post(`${issuer}/revoke_token/`, 'machine:secret', { token })).status,
        revocation: 200,
    }
}
