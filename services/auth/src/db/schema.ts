import type { RestrictionType, Role } from '@looptide/contracts/common'
import type { EventTables } from '@looptide/service-kit/event-tables'
import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/** What mailed tokens are for. The three newest of a slot are valid. */
export type Slot = 'confirmation' | 'recovery' | 'email_change_current' | 'email_change_new'
export type AuthMethod = 'password' | 'otp'
export type ChallengeMethod = 's256' | 'plain'

/** When the refresh token with this number was spent; `atMs` in epoch ms. */
export interface Rotation {
  counter: number
  atMs: number
}

export interface UsersTable {
  id: string
  email: string
  passwordHash: string | null
  emailConfirmedAt: Date | null
  confirmationSentAt: Date | null
  recoverySentAt: Date | null
  lastSignInAt: Date | null
  newEmail: string | null
  emailChangeSentAt: Date | null
  /** Which of the two addresses has agreed to the change so far. */
  emailChangeAgreed: 'current' | 'new' | null
  userMetadata: JSONColumnType<Record<string, unknown>>
  /** Several sign-ups with this address wait for its confirmation; `passwordHash` and `userMetadata` are the latest's. */
  contested: Generated<boolean>
  /** Digest of the network and browser of that sign-up, while it waits for its confirmation. */
  signUpClient: Buffer | null
  /** Wrong mailed codes since `wrongCodesSince`. */
  wrongCodes: Generated<number>
  wrongCodesSince: Date | null
  createdAt: Date
  updatedAt: Date
}

export interface SessionsTable {
  id: string
  userId: string
  /** Number of the refresh token that is active; it is derived from this, `tokenSalt` and the key secret. */
  counter: number
  tokenSalt: Buffer
  method: AuthMethod
  createdAt: Date
  /** When the active token was issued, and its parent spent. */
  refreshedAt: Date
  /** Spent tokens of the reuse interval before `refreshedAt`: number, and epoch ms of the rotation. */
  recentRotations: JSONColumnType<Rotation[], string | undefined, string>
  /** The highest token number whose answer has arrived: an access token issued with it was presented to auth. */
  arrivedCounter: Generated<number>
  /** Of the last refresh, or the sign-in. */
  userAgent: string | null
  ip: string | null
}

export interface OneTimeTokensTable {
  id: string
  userId: string
  slot: Slot
  /** The address the mail went to. */
  email: string
  tokenDigest: Buffer
  codeDigest: Buffer
  codeChallenge: string | null
  codeChallengeMethod: ChallengeMethod | null
  /** The sign-up that asked for this mail: confirming adopts its password and metadata. Null without a password. */
  passwordHash: string | null
  /** Null when no sign-up asked for this mail. */
  userMetadata: ColumnType<Record<string, unknown> | null, string | null, string | null>
  /** Digest of the network and browser of that sign-up. */
  signUpClient: Buffer | null
  createdAt: Date
  expiresAt: Date
}

export interface AuthDatabase extends EventTables {
  users: UsersTable
  sessions: SessionsTable
  /** Sessions that ended before their access tokens did. */
  revokedSessions: {
    id: string
    userId: string
    reason: 'sign_out' | 'banned' | 'reused' | 'password' | 'deleted' | 'expired' | 'displaced'
    until: Date
    revokedAt: Date
  }
  /** The newest token of each person and slot. */
  oneTimeTokens: OneTimeTokensTable
  /** The two before it, while they are valid. */
  earlierTokens: OneTimeTokensTable
  /** Signing keys whose tokens count no more, until the last of them has expired. */
  revokedKeys: { kid: string; until: Date }
  accountNetworks: { userId: string; networkDigest: Buffer; lastUsedAt: Date }
  authCodes: {
    codeDigest: Buffer
    userId: string
    method: AuthMethod
    codeChallenge: string
    codeChallengeMethod: ChallengeMethod
    createdAt: Date
  }
  /** Mails requested for an address; `streak`: in a row at a slot, or since `askedAt` at the slot `day`. */
  mailThrottle: { addressDigest: Buffer; slot: string; askedAt: Date; streak: Generated<number> }
  mailOutbox: {
    id: Generated<number>
    userId: string | null
    slot: Slot | null
    /** Encrypted: receiver and text. The row goes when the mail has gone. */
    sealed: Buffer
    attempts: Generated<number>
    nextAttemptAt: Date
    expiresAt: Date
  }
  signingKeys: {
    kid: string
    publicJwk: JSONColumnType<Record<string, unknown>>
    sealedPrivateJwk: Buffer
    createdAt: Date
    /** It is published before it signs, so that every replica knows it in time. */
    signsFrom: Date
  }
  /** Pictures that people uploaded; `version` is a digest of the bytes. */
  avatars: {
    userId: string
    version: string
    contentType: 'image/jpeg' | 'image/png' | 'image/webp'
    bytes: Buffer
    createdAt: Date
  }
  profiles: {
    userId: string
    handle: string
    handleKey: ColumnType<string, never, never>
    /** Equal for handles that look alike. Null: an older handle that looks like another one. */
    handleSkeleton: string | null
    searchKey: ColumnType<string, never, never>
    artistName: string | null
    avatarUrl: string | null
    createdAt: Date
    updatedAt: Date
  }
  userRoles: { userId: string; role: Role; grantedBy: string | null; updatedAt: Date }
  userRestrictions: {
    id: string
    userId: string
    restrictionType: RestrictionType
    reason: string
    createdBy: string | null
    /** The role of `createdBy` at that time; null in rows older than this column. */
    createdByRole: Role | null
    createdAt: Date
    expiresAt: Date | null
  }
  /** Restrictions of deleted accounts, by a keyed digest of the address. */
  keptRestrictions: {
    addressDigest: Buffer
    restrictionType: RestrictionType
    reason: string
    createdBy: string | null
    createdByRole: Role | null
    createdAt: Date
    expiresAt: Date | null
    keptUntil: Date
  }
}
