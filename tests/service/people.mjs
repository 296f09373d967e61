// People with notes, whose clients use oauth4webapi: people.mjs FOLDER. They do what `people.py` says,
// and verify no tokens.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import * as oauth from 'oauth4webapi'

const [folder] = process.argv.slice(2)
const { proxy, nodes } = JSON.parse(readFileSync(`${folder}/cluster.json`))
const server = { issuer: proxy, token_endpoint: `${proxy}/token`, revocation_endpoint: `${proxy}/revoke` }
const client = { client_id: 'web' }
const people = 4
// So many notes stay.
const kept = 30

const stopped = () => existsSync(`${folder}/stop`)
const now = () => (performance.timeOrigin + performance.now()) / 1000
const random = (from, to) => from + Math.floor(Math.random() * (to - from + 1))

// What is between a client and the service, as in `wire.py`.
class Wire {
    constructor(who, localAddress) {
        this.who = who
        this.agent = new http.Agent({ keepAlive: true, localAddress })
    }

    fetch = async (url, { method, headers, body }) => {
        const isForm = body instanceof URLSearchParams
        const form = isForm ? Object.fromEntries(body) : {}
        delete form.password
        const text = !isForm && new URL(url).pathname === '/notes' && body ? JSON.parse(body).text : null
        const bearer = new Headers(headers).get('authorization')?.replace('Bearer ', '') ?? ''
        const exchange = { who: this.who, method, url: String(url), form, bearer, text, sent: now() }
        let got = null
        this.status = this.retryAfter = null
        try {
            const response = await this.send(url, method, headers, body)
            this.status = response.status
            this.retryAfter = response.headers.get('retry-after')
            got = response.ok ? await response.clone().json().catch(() => null) : null
            return response
        } finally {
            const [status, retry_after, answered] = [this.status, this.retryAfter, now()]
            appendFileSync(`${folder}/oauth4webapi.journal`, `${JSON.stringify({ ...exchange, answered, status, retry_after, got })}\n`)
        }
    }

    // `fetch` of Node.js cannot choose the address that it comes from.
    send(url, method, headers, body) {
        return new Promise((resolve, reject) => {
            const options = { method, headers: Object.fromEntries(new Headers(headers)), agent: this.agent, timeout: 15_000 }
            const request = http.request(url, options, async response => {
                try {
                    const body = Buffer.concat(await response.toArray())
                    const { statusCode: status, headers } = response
                    resolve(new Response(status === 204 ? null : body, { status, headers }))
                } catch (error) {
                    reject(error)
                }
            })
            request.on('error', reject)
            request.on('timeout', () => request.destroy())
            request.end(body && String(body))
        })
    }

    // Waits as long as the last refusal says, or for a moment.
    wait() {
        return sleep(1000 * (this.retryAfter ?? 0.2))
    }
}

// Returns what the library does, or nothing if it throws. The journal has the reason.
const answer = promise => promise.catch(() => null)

class Person {
    constructor(number) {
        this.wire = new Wire(`oauth4webapi-${number}`, `127.12.${number}.1`)
        this.options = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: this.wire.fetch }
        this.passwords = ['correct horse', 'battery staple']
        this.count = 0
        this.notes = []
        this.endings = [this.logOut, this.replay, this.changePassword]
    }

    async live() {
        const account = JSON.stringify({ username: this.wire.who, password: this.passwords[0] })
        const register = { method: 'POST', headers: { 'content-type': 'application/json' }, body: account }
        while ((await this.wire.fetch(`${proxy}/accounts`, register)).status !== 201) await this.wire.wait()
        for (;;) {
            await this.logIn()
            let turns = random(5, 50)
            for (; turns; turns--) {
                if (stopped()) return
                await this.keepNotes()
                if (!await this.refresh(this.token)) break
            }
            if (turns) continue
            await this.endings[0].call(this)
            this.endings.push(this.endings.shift())
        }
    }

    async logIn() {
        const ask = async () => {
            const parameters = { username: this.wire.who, password: this.passwords[0] }
            const request = oauth.genericTokenEndpointRequest(server, client, oauth.None(), 'password', parameters, this.options)
            return oauth.processGenericTokenEndpointResponse(server, client, await request)
        }
        for (;;) {
            const token = await answer(ask())
            if (token) return this.keep(token)
            // A change of the password has happened, although its answer was lost.
            if (this.wire.status === 400) this.passwords.reverse()
            else await this.wire.wait()
        }
    }

    keep({ access_token, refresh_token }) {
        this.access = access_token
        this.token = refresh_token
        return this.token
    }

    // Returns nothing if the client does not know whether the token is spent.
    async refresh(spent) {
        const ask = async () => {
            const request = oauth.refreshTokenGrantRequest(server, client, oauth.None(), spent, this.options)
            return oauth.processRefreshTokenResponse(server, client, await request)
        }
        const token = await answer(ask())
        return token && this.keep(token)
    }

    route(method, url, body) {
        const headers = new Headers(body ? { 'content-type': 'application/json' } : {})
        const json = body && JSON.stringify(body)
        return answer(oauth.protectedResourceRequest(this.access, method, new URL(url), headers, json, this.options))
    }

    async keepNotes() {
        const url = `${proxy}/notes`
        this.count++
        const response = await this.route('POST', url, { text: `${this.wire.who} ${this.count}` })
        if (response?.status === 201) this.notes.push((await response.json()).id)
        else if (this.wire.status !== 401) await this.wire.wait()
        // The last ones are read back.
        await this.route('GET', `${url}?after=${[0, ...this.notes].slice(-5)[0]}`)
        if (this.notes.length > kept) await this.route('DELETE', `${url}/${this.notes.shift()}`)
        await sleep(100)
    }

    async logOut() {
        const ask = async () => oauth.revocationRequest(server, client, oauth.None(), this.token, this.options)
        await answer(ask())
        await this.comeBack()
    }

    async replay() {
        const spent = this.token
        if (!await this.refresh(spent)) return
        for (const token of [spent, this.token]) await this.refresh(token)
        await this.comeBack()
    }

    async changePassword() {
        const [old, next] = this.passwords
        const response = await this.route('PUT', `${proxy}/password`, { old, new: next })
        if (response?.status === 204) this.passwords.reverse()
        await this.comeBack()
    }

    // Comes with the access token of the login that has ended, to each node.
    async comeBack() {
        for (const node of nodes) await this.route('GET', `${node}/notes`)
    }
}

await Promise.all(Array.from({ length: people }, (_, number) => new Person(number).live()))
