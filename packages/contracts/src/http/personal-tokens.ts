import { type Static, Type } from 'typebox'
import { Instant, Nullable, strict, Uuid } from '../common.ts'
import { TOKEN_LIFETIMES, TOKEN_NAME_MAX } from '../credential-limits.ts'
import { Line, Opaque } from '../text-fields.ts'
import { TOKEN_SCOPE_NAMES } from '../token-scopes.ts'

const Scope = Type.Enum(TOKEN_SCOPE_NAMES)

/** A personal access token as its owner sees it. */
export const PersonalToken = Type.Object({
  id: Uuid,
  name: Type.String(),
  scopes: Type.Array(Scope),
  createdAt: Instant,
  expiresAt: Instant,
  /** To the minute. Null until the first use. */
  lastUsedAt: Nullable(Instant),
})
export type PersonalToken = Static<typeof PersonalToken>

/** GET /api/me/tokens: newest first. */
export const PersonalTokenList = Type.Object({ items: Type.Array(PersonalToken) })
export type PersonalTokenList = Static<typeof PersonalTokenList>

/** POST /api/me/tokens */
export const CreatePersonalTokenBody = Type.Object(
  {
    // Not empty, on one line: the name is part of mails.
    name: Line({
      minLength: 1,
      maxLength: TOKEN_NAME_MAX,
      pattern: '^[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$',
    }),
    scopes: Type.Array(Scope, { minItems: 1, uniqueItems: true, maxItems: TOKEN_SCOPE_NAMES.length }),
    lifetimeDays: Type.Enum(TOKEN_LIFETIMES),
  },
  strict,
)
export type CreatePersonalTokenBody = Static<typeof CreatePersonalTokenBody>

/** The only response that contains the token itself. */
export const CreatedPersonalToken = Type.Object({ ...PersonalToken.properties, token: Type.String() })
export type CreatedPersonalToken = Static<typeof CreatedPersonalToken>

export const PersonalTokenParams = Type.Object({ tokenId: Uuid }, strict)

/** POST /internal/tokens/exchange: the SHA-256 digest of a personal access token as base64url. */
export const ExchangeTokenBody = Type.Object({ digest: Opaque({ pattern: '^[\\w-]{43}$' }) }, strict)

/** An access token that acts for the personal one; null for one that is unknown, expired or revoked. */
export const ExchangedToken = Type.Object({
  access: Nullable(
    Type.Object({
      tokenId: Uuid,
      accessToken: Type.String(),
      expiresAtMs: Type.Integer(),
      /** Generation of the access token. */
      generation: Type.Optional(Type.Integer()),
    }),
  ),
})
export type ExchangedToken = Static<typeof ExchangedToken>
