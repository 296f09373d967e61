// The user at a browser, who logs in and agrees to what the provider asks.

/** Opens a URL, and follows it to an address below `end`, which is returned. */
export const consent = async (url, end) => {
    const cookies = new Map()
    let request = { url }
    for (let step = 0; step < 20; step++) {
        const { url, form } = request
        if (url.startsWith(end)) return url
        const response = await fetch(url, {
            method: form ? 'POST' : 'GET',
            body: form,
            redirect: 'manual',
            headers: {
                'sec-fetch-dest': 'document',
                cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
            },
        })
        for (const cookie of response.headers.getSetCookie()) {
            const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)
            if (value) cookies.set(name, value)
            else cookies.delete(name)
        }
        const page = await response.text()
        if (response.status >= 400) throw new Error(`${url}: ${response.status} ${page}`)
        const location = response.headers.get('location')
        const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1]
        if (!location && !action) throw new Error(`${url}: no way on: ${page}`)
        request = location
            ? { url: new URL(location, url).href }
            : { url: new URL(action, url).href, form: filled(page) }
    }
    throw new Error(`no end of ${url}`)
}

/** The fields of the form on a page, as the user fills them in. */
const filled = page => {
    const form = new URLSearchParams()
    for (const [input] of page.matchAll(/<input[^>]*>/g)) {
        const name = /name="([^"]+)"/.exec(input)?.[1]
        if (name) form.set(name, /value="([^"]*)"/.exec(input)?.[1] ?? 'johndoe')
    }
    return form
}
