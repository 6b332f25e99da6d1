import { Role } from '@looptide/contracts/common'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'

/** Maximum number of providers: each has a button on the sign-in page. */
const MAX_PROVIDERS = 20
/** Names of `external` in `GET /settings` that are not OpenID providers. */
const RESERVED_IDS: readonly string[] = ['email', 'phone', 'anonymous_users']

const Entry = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,31}$' }),
    name: Type.String({ minLength: 1, maxLength: 40 }),
    issuer: Type.String({ maxLength: 512 }),
    clientId: Type.String({ minLength: 1, maxLength: 512 }),
    clientSecret: Type.String({ minLength: 1, maxLength: 4096 }),
    scopes: Type.Optional(Type.String({ maxLength: 512 })),
    trustEmail: Type.Optional(Type.Boolean()),
    roleClaim: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    roles: Type.Optional(Type.Record(Type.String({ minLength: 1 }), Role)),
  },
  { additionalProperties: false },
)

/** An OpenID provider that accounts can sign in with. */
export interface ProviderSettings {
  /** Name in the protocol's requests. */
  id: string
  /** Name that users see. */
  name: string
  issuer: string
  clientId: string
  clientSecret: string
  scopes: string
  /** Whether the provider's email addresses count as confirmed without the claim `email_verified`. */
  trustEmail: boolean
  /** The provider decides the role at each sign-in: the first entry whose value the claim has, else `user`. */
  roles: { claim: string; byValue: readonly (readonly [value: string, role: Role])[] } | undefined
}

/** Reads `OIDC_PROVIDERS`, a JSON list. Throws an Error that describes the fault without values. */
export function readProviders(text: string): ProviderSettings[] {
  if (text === '') return []
  const list = parse(text)
  if (!Check(Type.Array(Entry, { maxItems: MAX_PROVIDERS }), list)) {
    throw new Error('must be a JSON list of providers as in docs/protocols/auth.md')
  }
  const ids = list.map(({ id }) => id)
  if (new Set(ids).size < ids.length) throw new Error('has two providers with the same id')
  if (ids.some((id) => RESERVED_IDS.includes(id))) throw new Error('has a reserved id')
  return list.map(toSettings)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The error of the parser quotes the text, which contains secrets.
    throw new Error('is not JSON')
  }
}

function toSettings(entry: Static<typeof Entry>): ProviderSettings {
  const { roleClaim, roles, scopes = 'openid email profile', trustEmail = false, ...rest } = entry
  if (!isIssuer(entry.issuer)) throw new Error('needs issuers with https (http only on this machine)')
  if (!scopes.split(' ').includes('openid')) throw new Error('needs the scope openid')
  if ((roleClaim === undefined) !== (roles === undefined)) throw new Error('needs roleClaim with roles')
  const mapping =
    roleClaim === undefined ? undefined : { claim: roleClaim, byValue: Object.entries(roles ?? {}) }
  return { ...rest, scopes, trustEmail, roles: mapping }
}

/** Whether a URL may be used without encryption, because its host is this machine. */
export const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.search !== '' || url.hash !== '' || url.username !== '') return false
  return url.protocol === 'https:' || isLoopback(url)
}
