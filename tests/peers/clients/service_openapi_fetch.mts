// A client that `openapi-typescript` has generated from the description of the example `service`:
// `tsc` checks each call, and each call gets what the description says.
import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import type { components, paths } from './service.js'

const client = createClient<paths>({ baseUrl: process.argv[2] })
const john = { username: 'johndoe', password: 'correct horse' }

const registered = await client.POST('/accounts', { body: john })
assert.equal(registered.data?.username, 'johndoe')
const taken = await client.POST('/accounts', { body: john })
assert.equal(taken.response.status, 409)
assert.equal(taken.error?.detail, 'The name is taken')

const headers = { 'content-type': 'application/x-www-form-urlencoded' }
const token = (body: components['schemas']['Grant']) => client.POST('/token', { body, headers })
const login = await token({ grant_type: 'password', client_id: 'web', scope: 'notes:write', ...john })
assert(login.data)
client.use({
    onRequest: ({ request }) => request.headers.set('authorization', `Bearer ${login.data.access_token}`),
})

const created = await client.POST('/notes', { body: { text: 'Milk' } })
assert(created.data)
const { id } = created.data
const listed = await client.GET('/notes', { params: { query: { after: id - 1 } } })
assert.deepEqual(listed.data, [{ id, text: 'Milk' }])
for (const status of [204, 404]) {
    const deleted = await client.DELETE('/notes/{id}', { params: { path: { id } } })
    assert.equal(deleted.response.status, status)
}
const refused = await client.GET('/stats')
assert.equal(refused.response.status, 403)
assert.equal(refused.error?.detail, 'Not enough permissions')

// The description says what the calls take, or `tsc` would not miss the errors here.
// @ts-expect-error: the path has a parameter
const _delete = () => client.DELETE('/notes/{id}')
// @ts-expect-error: a note is text
const _create = () => client.POST('/notes', { body: { text: 1 } })
// @ts-expect-error: the grant needs a password
const _login = () => token({ grant_type: 'password', username: 'johndoe', scope: '' })
console.log('holds  openapi-typescript with openapi-fetch / service')
