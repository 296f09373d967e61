// LemonLDAP::NG, whose tokens are signed and of type `JWT`, as its ID tokens are.
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, post, run } from './server.mjs'

const key = () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
        modulusLength: 2048,
        privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
        publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    return { oidcServicePrivateKeySig: privateKey, oidcServicePublicKeySig: publicKey, oidcServiceKeyIdSig: randomUUID() }
}

const INI = folder => `[all]
logLevel = error
checkTime = 1
[configuration]
type = File
dirName = ${folder}/conf
localStorage = Cache::FileCache
localStorageOptions = {'namespace' => 'configuration', 'cache_root' => '${folder}/cache', 'directory_umask' => '007'}
[portal]
staticPrefix = /static
templateDir = /usr/share/lemonldap-ng/portal/templates
languages = en
`

const sessions = directory => {
    mkdirSync(`${directory}/lock`, { recursive: true })
    return { Directory: directory, LockDirectory: `${directory}/lock` }
}

export const start = async ({ folder, audience, other }) => {
    for (const part of ['conf', 'sessions', 'persistent', 'cache']) rmSync(`${folder}/${part}`, { recursive: true, force: true })
    mkdirSync(`${folder}/conf`, { recursive: true })
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`

    // The audiences and the lifetime are those of the client. A request cannot choose them.
    const client = (id, audience, lifetime) => ({
        oidcRPMetaDataOptionsClientID: id,
        oidcRPMetaDataOptionsClientSecret: 'secret',
        oidcRPMetaDataOptionsAccessTokenJWT: 1,
        oidcRPMetaDataOptionsAccessTokenSignAlg: 'RS256',
        oidcRPMetaDataOptionsAccessTokenExpiration: lifetime,
        oidcRPMetaDataOptionsIDTokenSignAlg: 'RS256',
        oidcRPMetaDataOptionsAdditionalAudiences: audience,
        oidcRPMetaDataOptionsAllowClientCredentialsGrant: 1,
        oidcRPMetaDataOptionsAllowPasswordGrant: 1,
        oidcRPMetaDataOptionsRefreshToken: 1,
    })
    const clients = {
        web: client('web', audience, 600),
        brief: client('brief', audience, 1),
        another: client('another', other, 600),
        alone: client('alone', '', 600),
    }
    const each = value => Object.fromEntries(Object.keys(clients).map(id => [id, value]))
    const configuration = {
        cfgNum: 0,
        cfgAuthor: 'tests',
        cfgDate: 1,
        cfgVersion: '2.16.1',
        portal: `${origin}/`,
        domain: '127.0.0.1',
        authentication: 'Demo',
        userDB: 'Same',
        passwordDB: 'Null',
        registerDB: 'Null',
        cookieName: 'lemonldap',
        securedCookie: 0,
        requireToken: 0,
        timeout: 72000,
        key: randomUUID(),
        whatToTrace: 'uid',
        demoExportedVars: { uid: 'uid' },
        exportedHeaders: {},
        exportedVars: {},
        groups: {},
        locationRules: {},
        macros: {},
        globalStorage: 'Apache::Session::File',
        globalStorageOptions: sessions(`${folder}/sessions`),
        persistentStorage: 'Apache::Session::File',
        persistentStorageOptions: sessions(`${folder}/persistent`),
        localSessionStorage: 'Cache::FileCache',
        localSessionStorageOptions: { namespace: 'sessions', default_expires_in: 600, directory_umask: '007', cache_root: `${folder}/cache`, cache_depth: 3 },
        issuerDBOpenIDConnectActivation: 1,
        issuerDBOpenIDConnectPath: '^/oauth2/',
        oidcServiceAllowOnlyDeclaredScopes: 1,
        oidcRPMetaDataOptions: clients,
        oidcRPMetaDataExportedVars: each({}),
        // `$requested` is true if the client asks for the scope.
        oidcRPMetaDataScopeRules: each({ items: '$requested', orders: '$requested' }),
    }
    const change = settings => {
        Object.assign(configuration, settings)
        configuration.cfgNum += 1
        writeFileSync(`${folder}/conf/lmConf-${configuration.cfgNum}.json`, JSON.stringify(configuration))
    }
    change(key())
    writeFileSync(`${folder}/lemonldap-ng.ini`, INI(folder))
    writeFileSync(`${folder}/app.psgi`, 'use Lemonldap::NG::Portal::Main; Lemonldap::NG::Portal::Main->run({});')
    const command = ['plackup', '--env', 'deployment', '--host', '127.0.0.1', '--port', `${port}`, `${folder}/app.psgi`]
    await run(command, {
        url: `${origin}/.well-known/openid-configuration`,
        log: `${folder}/provider.log`,
        env: { LLNG_DEFAULTCONFFILE: `${folder}/lemonldap-ng.ini` },
    })

    const token = ({ scope, resource, brief }, grant) => {
        const id = { [audience]: brief ? 'brief' : 'web', [other]: 'another' }[resource] ?? 'alone'
        return post(`${origin}/oauth2/token`, `${id}:secret`, { scope, ...grant })
    }
    return {
        issuer: `${origin}/`,
        settings: ['--token-type', 'JWT', '--requires', 'client_id'],
        loginScope: 'openid',
        machine: form => token(form, { grant_type: 'client_credentials' }),
        user: form => token(form, { grant_type: 'password', username: 'dwho', password: 'dwho' }),
        rotate: async () => {
            change(key())
            // It looks for another configuration once a second.
            const { oidcServiceKeyIdSig: kid } = configuration
            while (!(await (await fetch(`${origin}/oauth2/jwks`)).text()).includes(kid)) await sleep(100)
        },
    }
}
