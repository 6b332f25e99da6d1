import { randomInt } from 'node:crypto'
import { authDeviceDecide } from '@looptide/contracts/operations/auth/devices'
import { cleanLine } from '@looptide/contracts/text'
import { DEVICE_SCOPES } from '@looptide/contracts/token-scopes'
import {
  readUserCode,
  showUserCode,
  USER_CODE_LENGTH,
  USER_CODE_LETTERS,
} from '@looptide/contracts/user-codes'
import { shownNetworkOf } from '@looptide/service-kit/limits/client-network'
import type { Kysely, Transaction } from 'kysely'
import { AccountError } from '../../../account-error.ts'
import { newTokenHash, sha256 } from '../../../crypto/one-time-secret.ts'
import type { Vault } from '../../../crypto/vault.ts'
import type { Database } from '../../../db/schema.ts'
import { type Caller, lockCaller } from '../../session/caller.ts'
import { deviceName } from '../../session/device-name.ts'
import { requireProof } from '../../session/require-proof.ts'
import * as sessionRepository from '../../session/session-repository.ts'
import type { SessionService } from '../../session/session-service.ts'
import type { Client } from '../../session/sign-in-history.ts'
import { requireAddress } from '../../user/require-address.ts'
import * as restrictionRepository from '../../user/restriction-repository.ts'
import * as userRepository from '../../user/user-repository.ts'
import type { DeviceGrantRow } from './device-repository.ts'
import * as deviceRepository from './device-repository.ts'

/** Time in which a code must be allowed and redeemed, in ms. */
const CODE_TTL_MS = 900_000
/** Time between two requests of a waiting device, and what each request that comes too early adds (RFC 8628 §3.5). */
const INTERVAL_S = 5
const MAX_INTERVAL_S = 60
/** Requests may come so much earlier: the network delays them differently. In ms. */
const TOLERANCE_MS = 500
/** In characters. */
const MAX_NAME = 40
const DEFAULT_NAME = 'TV'

interface DeviceDeps {
  db: Kysely<Database>
  vault: Vault
  sessions: SessionService
  siteUrl: string
  now: () => number
}

/** Pairs devices that have no keyboard, mostly televisions (RFC 8628; docs/decisions/0112). */
export class DeviceAuthorization {
  readonly #deps: DeviceDeps

  constructor(deps: DeviceDeps) {
    this.#deps = deps
  }

  /** Issues the codes of a device (RFC 8628 §3.2). `name`: how the device names itself. */
  async start(name: string | undefined, client: Client) {
    const { db, vault, siteUrl, now } = this.#deps
    const nowMs = now()
    const deviceCode = newTokenHash(false)
    const base = {
      deviceCodeDigest: sha256(deviceCode),
      name: nameOf(name, client),
      network: client.ip === null ? null : shownNetworkOf(client.ip),
      state: 'waiting',
      userId: null,
      sessionId: null,
      polledAt: null,
      intervalS: INTERVAL_S,
      createdAt: new Date(nowMs),
      expiresAt: new Date(nowMs + CODE_TTL_MS),
    } as const
    let code: string
    do code = newUserCode()
    while (!(await deviceRepository.insert(db, { ...base, userCodeDigest: vault.digest(PURPOSE, code) })))
    const shown = showUserCode(code)
    const page = new URL('/pair', siteUrl)
    const complete = new URL(page)
    complete.searchParams.set('code', shown)
    return {
      device_code: deviceCode,
      user_code: shown,
      verification_uri: page.href,
      verification_uri_complete: complete.href,
      expires_in: CODE_TTL_MS / 1000,
      interval: INTERVAL_S,
    }
  }

  /** The device that waits with a code. Errors: see {@link #find}. */
  async read(caller: Caller, typedCode: string, ip: string) {
    await this.#requireMayPair(caller)
    const { code, row } = await this.#find(typedCode)
    return {
      user_code: showUserCode(code),
      device: row.name,
      network: row.network,
      same_network: row.network !== null && row.network === shownNetworkOf(ip),
      created_at: row.createdAt.toISOString(),
      expires_at: row.expiresAt.toISOString(),
    }
  }

  /** Allows or denies a device that waits. Errors: those of {@link #find}, and of the proof that allowing requires. */
  async decide(caller: Caller, typedCode: string, decision: 'allow' | 'deny'): Promise<void> {
    const { db, now } = this.#deps
    await this.#requireMayPair(caller)
    const { row } = await this.#find(typedCode)
    const { proof } = authDeviceDecide
    if (decision === 'allow')
      await requireProof(db, caller, { operation: authDeviceDecide, proof: proof.allow }, now())
    const isDecided = await db.transaction().execute(async (trx) => {
      const { id } = await lockCaller(trx, caller)
      const made =
        decision === 'allow'
          ? ({ state: 'allowed', userId: id, sessionId: caller.sessionId } as const)
          : ({ state: 'denied', userId: id, sessionId: null } as const)
      return deviceRepository.decide(trx, row.deviceCodeDigest, made, new Date(now()))
    })
    if (!isDecided) throw usedCode()
  }

  /**
   * Exchanges a device code for a session, once (RFC 8628 §3.5). Errors: `authorization_pending`, `slow_down`,
   * `device_denied`, `device_code_expired`, `device_code_unknown`.
   */
  async redeem(deviceCode: string, client: Client): Promise<Record<string, unknown>> {
    const { db, sessions } = this.#deps
    const digest = sha256(deviceCode)
    const waiting = await db.transaction().execute((trx) => this.#poll(trx, digest))
    if (waiting !== null) throw waiting
    const begun = await db.transaction().execute((trx) => this.#begin(trx, digest, client))
    // The scopes are not those that the device asked for (RFC 6749 §5.1).
    return { ...(await sessions.present(begun)), scope: DEVICE_SCOPES.join(' ') }
  }

  /** Counts one request of a device. Returns why it gets no session; null if it was allowed. */
  async #poll(trx: Transaction<Database>, digest: Buffer): Promise<AccountError | null> {
    const row = await deviceRepository.lockByDeviceCode(trx, digest)
    const nowMs = this.#deps.now()
    if (row === undefined) return unknownCode()
    if (row.state === 'used') return unknownCode()
    if (row.state === 'denied') return denied()
    if (row.expiresAt.getTime() <= nowMs) return expiredDevice()
    if (row.state === 'allowed') return null
    const { polledAt, intervalS } = row
    const isEarly = polledAt !== null && nowMs - polledAt.getTime() < intervalS * 1000 - TOLERANCE_MS
    await deviceRepository.recordPoll(trx, digest, {
      polledAt: new Date(nowMs),
      intervalS: isEarly ? Math.min(intervalS + INTERVAL_S, MAX_INTERVAL_S) : intervalS,
    })
    return isEarly
      ? new AccountError('slow_down', 'The device asks too often: wait five seconds longer')
      : new AccountError('authorization_pending', 'The user has not decided yet')
  }

  /** Starts the session of an allowed device. The user's row is locked first, as everywhere. */
  async #begin(trx: Transaction<Database>, digest: Buffer, client: Client) {
    const { sessions, now } = this.#deps
    const row = await deviceRepository.byDeviceCode(trx, digest)
    if (row === undefined || row.userId === null || row.sessionId === null) throw unknownCode()
    const user = await userRepository.lockById(trx, row.userId)
    // Signing out everywhere, a ban or a new password between the decision and now ended the session that allowed it.
    const allowedBy = user && (await sessionRepository.find(trx, row.sessionId, user.id))
    if (user === undefined || allowedBy === undefined) throw denied()
    if (!(await deviceRepository.redeem(trx, digest, new Date(now())))) throw unknownCode()
    return sessions.begin(trx, user.id, 'device', { ...client, deviceName: row.name })
  }

  /** Errors: `email_not_confirmed` for an anonymous user, `user_restricted`. */
  async #requireMayPair({ user }: Caller): Promise<void> {
    requireAddress(user)
    const restrictions = await restrictionRepository.activeOf(
      this.#deps.db,
      [user.id],
      new Date(this.#deps.now()),
    )
    if (restrictions.some(({ restrictionType }) => restrictionType === 'restricted'))
      throw new AccountError('user_restricted', 'Your account is restricted: no devices can be paired.')
  }

  /** The device that waits. Errors: `user_code_invalid`, `user_code_expired`, `user_code_used`. */
  async #find(typedCode: string): Promise<{ code: string; row: DeviceGrantRow }> {
    const { db, vault, now } = this.#deps
    const code = readUserCode(typedCode)
    const row =
      code === null ? undefined : await deviceRepository.byUserCode(db, vault.digests(PURPOSE, code))
    if (code === null || row === undefined)
      throw new AccountError('user_code_invalid', 'No device is waiting with this code')
    if (row.state !== 'waiting') throw usedCode()
    if (row.expiresAt.getTime() <= now()) throw new AccountError('user_code_expired', 'This code has expired')
    return { code, row }
  }
}

/** What the digest of a user code is for. */
const PURPOSE = 'device-user-code'

const newUserCode = (): string =>
  Array.from({ length: USER_CODE_LENGTH }, () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)]).join(
    '',
  )

const nameOf = (given: string | undefined, { userAgent }: Client): string => {
  const name = [...cleanLine(given ?? '')].slice(0, MAX_NAME).join('').trim()
  return name || deviceName(userAgent) || DEFAULT_NAME
}

const usedCode = () => new AccountError('user_code_used', 'This code was used already')
const unknownCode = () => new AccountError('device_code_unknown', 'The device code is unknown or was used')
const denied = () => new AccountError('device_denied', 'The user has denied the device')
const expiredDevice = () => new AccountError('device_code_expired', 'The device code has expired')
