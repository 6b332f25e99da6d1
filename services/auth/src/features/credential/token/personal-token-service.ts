import type { AuditAction } from '@looptide/contracts/audit-actions'
import { PERSONAL_TOKENS_PER_USER } from '@looptide/contracts/credential-limits'
import type {
  CreatedPersonalToken,
  CreatePersonalTokenBody,
  ExchangedToken,
  PersonalToken,
} from '@looptide/contracts/http/personal-tokens'
import { scopesFor } from '@looptide/contracts/token-scopes'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import { newId } from '@looptide/service-kit/db/ids'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import { createPersonalToken } from '@looptide/service-kit/identity/personal-token'
import type { RequestUser } from '@looptide/service-kit/identity/request-user'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { AccessTokens } from '../../keys/access-tokens.ts'
import type { SecurityNotices } from '../../mail/security-notices.ts'
import type { PersonalTokenRow } from '../../session/personal-token-repository.ts'
import * as personalTokenRepository from '../../session/personal-token-repository.ts'
import { publishRevoked } from '../../session/revoke-sessions.ts'
import * as sessionRepository from '../../session/session-repository.ts'
import * as factorRepository from '../../user/factor-repository.ts'
import * as identityRepository from '../../user/identity-repository.ts'
import { appMetadataOf } from '../../user/present-identities.ts'
import * as userRepository from '../../user/user-repository.ts'
import { presentPersonalToken } from './present-personal-token.ts'

const DAY_MS = 86_400_000
/** The stored time of the last use is at most this old while a token is used, in ms. */
const LAST_USE_PRECISION_MS = 60_000

interface PersonalTokenDeps {
  db: Kysely<Database>
  tokens: AccessTokens
  notices: SecurityNotices
  now: () => number
}

/** Personal access tokens: created and revoked by their owner, exchanged by gateways for access tokens. */
export class PersonalTokenService {
  readonly #deps: PersonalTokenDeps

  constructor(deps: PersonalTokenDeps) {
    this.#deps = deps
  }

  async list(userId: string): Promise<PersonalToken[]> {
    return (await personalTokenRepository.listOf(this.#deps.db, userId)).map(presentPersonalToken)
  }

  /**
   * Creates a token and notifies its owner by mail. The token is returned only here: its digest is stored.
   * Errors: `forbidden` for a scope that the user's role cannot give, `unprocessable` when the user has
   * {@link PERSONAL_TOKENS_PER_USER}.
   */
  async create(by: RequestUser, body: CreatePersonalTokenBody, cause: Cause): Promise<CreatedPersonalToken> {
    const { db, notices, now } = this.#deps
    const offered = scopesFor(by.role)
    const refused = body.scopes.find((scope) => !offered.includes(scope))
    if (refused !== undefined) throw errors.forbidden(`Your role does not allow the scope "${refused}".`)
    const createdAt = new Date(now())
    const { token, digest } = createPersonalToken()
    const row: PersonalTokenRow = {
      id: newId(createdAt.getTime()),
      userId: by.id,
      tokenDigest: digest,
      name: body.name.trim(),
      scopes: [...body.scopes],
      hasFactor: by.aal === 'aal2',
      createdAt,
      expiresAt: new Date(createdAt.getTime() + body.lifetimeDays * DAY_MS),
      lastUsedAt: null,
      sessionId: by.sessionId,
      generation: 0,
    }
    await db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, by.id)
      // A ban or a new password ends sessions and tokens under this lock. None may be created after it.
      const session = await sessionRepository.find(trx, by.sessionId, by.id)
      if (user === undefined || session === undefined || by.generation < (session.minGeneration ?? 0))
        throw errors.unauthorized('Your session has ended. Please sign in again.')
      if ((await personalTokenRepository.listOf(trx, by.id)).length >= PERSONAL_TOKENS_PER_USER)
        throw new AppError(
          'unprocessable',
          `You have ${PERSONAL_TOKENS_PER_USER} access tokens, the maximum. Revoke one first.`,
        )
      await personalTokenRepository.insert(trx, row)
      await record(trx, 'personal_token.create', row, cause)
      await notices.personalTokenCreated(trx, user, row.name)
    })
    notices.wake()
    return { ...presentPersonalToken(row), token }
  }

  /** Revokes a token everywhere within seconds. Errors: `not_found`. */
  async revoke(by: RequestUser, id: string, cause: Cause): Promise<void> {
    await this.#deps.db.transaction().execute(async (trx) => {
      const row = await personalTokenRepository.remove(trx, by.id, id)
      if (row === undefined) throw errors.notFound('This access token')
      await this.#revoked(trx, [row], cause)
    })
  }

  /** Revokes all tokens of the user. Their number is limited. */
  async revokeAll(by: RequestUser, cause: Cause): Promise<void> {
    await this.#deps.db.transaction().execute(async (trx) => {
      await userRepository.lockById(trx, by.id)
      await this.#revoked(trx, await personalTokenRepository.deleteAll(trx, by.id), cause)
    })
  }

  /** Publishes and records that tokens of one user were deleted. */
  async #revoked(trx: Transaction<Database>, rows: readonly PersonalTokenRow[], cause: Cause): Promise<void> {
    for (const row of rows) {
      await publishRevoked(trx, [row.id], {
        userId: row.userId,
        reason: 'sign_out',
        now: new Date(this.#deps.now()),
        accessTokenTtlS: this.#deps.tokens.ttlS,
        cause,
      })
      await record(trx, 'personal_token.revoke', row, cause)
    }
  }

  /** Issues a short access token for the valid token with this digest, and records its use. */
  async exchange(digest: Buffer): Promise<ExchangedToken> {
    const { db, tokens } = this.#deps
    const now = new Date(this.#deps.now())
    const row = await personalTokenRepository.valid(db, digest, now)
    const owner = row && (await userRepository.byId(db, row.userId))
    if (row === undefined || owner === undefined) return { access: null }
    const appMetadata = appMetadataOf(owner, await identityRepository.listOf(db, owner.id))
    const ownerHasFactor = await factorRepository.hasVerified(db, owner.id)
    const acting = { ...row, ownerHasFactor }
    const { token, expiresAt } = await tokens.issueFor({ ...owner, appMetadata }, acting)
    const unlessSince = new Date(now.getTime() - LAST_USE_PRECISION_MS)
    await personalTokenRepository.recordUse(db, row.id, now, unlessSince)
    const { id: tokenId, generation } = row
    return { access: { tokenId, accessToken: token, expiresAtMs: expiresAt * 1000, generation } }
  }
}

/** Writes the audit event of a change of a token. */
async function record(
  trx: Transaction<Database>,
  action: Extract<AuditAction, `personal_token.${string}`>,
  { id, userId, name, scopes, expiresAt }: PersonalTokenRow,
  cause: Cause,
): Promise<void> {
  const facts = { name, scopes, expiresAt: expiresAt.toISOString() }
  await appendAudit(
    trx,
    'auth.audit.recorded.v1',
    {
      action,
      targetType: 'personal_token',
      targetId: id,
      targetUserId: userId,
      ...(action === 'personal_token.create' ? { after: facts } : { before: facts }),
    },
    cause,
  )
}
