// oidc-provider as the authorization server: clients register themselves, and tokens are JSON Web
// Tokens for the resource that a client names.
import { generateKeyPairSync } from 'node:crypto'
import { Provider, errors } from 'oidc-provider'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

export const provider = (issuer, resource) => new Provider(issuer, {
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    // A client that names its scopes when it registers may ask for others later. Without this, the
    // provider holds it to them, and no client could step up that registers with what it needs first.
    extraClientMetadata: {
        properties: ['may_step_up'],
        validator: (_, __, ___, metadata) => void delete metadata.scope,
    },
    features: {
        devInteractions: { enabled: true },
        registration: { enabled: true },
        resourceIndicators: {
            enabled: true,
            getResourceServerInfo: (_, asked) => {
                if (asked !== resource) throw new errors.InvalidTarget()
                return {
                    audience: resource,
                    scope: 'notes:read notes:write',
                    accessTokenFormat: 'jwt',
                    jwt: { sign: { alg: 'ES256' } },
                }
            },
            useGrantedResource: () => true,
        },
    },
    scopes: ['openid', 'offline_access', 'notes:read', 'notes:write'],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'key', use: 'sig' }] },
}).callback()
