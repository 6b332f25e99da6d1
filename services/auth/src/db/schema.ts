import type { RestrictionType, Role } from '@looptide/contracts/common'
import type { EventTables } from '@looptide/service-kit/db/event-tables'
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'

/** Purpose of a mailed token. A user has at most three valid tokens of one slot. */
export type Slot = 'confirmation' | 'recovery' | 'email_change_current' | 'email_change_new'
/** Purpose of a mail with a code. A newer mail replaces an unsent one. */
export type MailSlot = Slot | 'reauthentication'
export type AuthMethod = 'password' | 'otp' | 'passkey' | 'oauth' | 'anonymous' | 'device'
/** The method by which a session was started: `link` and `code` are mailed (`otp`). */
export type SignInMethod = Exclude<AuthMethod, 'otp'> | 'link' | 'code'
/** Name of a second factor's method in the `amr` claim. */
export type FactorMethod = 'totp' | 'mfa/webauthn' | 'mfa/recovery_code'
type FactorType = 'totp' | 'webauthn' | 'recovery_code'
export type ChallengeMethod = 's256' | 'plain'

/** When the refresh token with this counter was used; `atMs` in epoch ms. */
export interface Rotation {
  counter: number
  atMs: number
}

export interface UsersTable {
  id: string
  /** Null for an anonymous user. */
  email: string | null
  passwordHash: string | null
  emailConfirmedAt: Date | null
  confirmationSentAt: Date | null
  recoverySentAt: Date | null
  lastSignInAt: Date | null
  newEmail: string | null
  emailChangeSentAt: Date | null
  /** Which of the two mailboxes has confirmed an email change so far. */
  emailChangeAgreed: 'current' | 'new' | null
  userMetadata: JSONColumnType<Record<string, unknown>>
  /** Number of wrong mailed codes since `wrongCodesSince`. */
  wrongCodes: Generated<number>
  wrongCodesSince: Date | null
  createdAt: Date
  updatedAt: Date
  /** Whether several sign-ups with this email await confirmation. `passwordHash` and `userMetadata` are the latest's. */
  contested: Generated<boolean>
  /** Digest of the network and browser of that sign-up, until it is confirmed. */
  signUpClient: Buffer | null
  invitedAt: Date | null
  /** Digest of the mailed code that allows a change of the password, until it is used. */
  reauthenticationDigest: Buffer | null
  reauthenticationSentAt: Date | null
  /** When an admin demanded a new password. The stored one does not sign in until it is replaced. */
  passwordResetRequiredAt: Date | null
  /** When an anonymous user last used a session, to a day. Null for others. */
  anonymousSeenAt: Date | null
  /** Free keys that the service key sets. Access tokens carry them. */
  appMetadata: ColumnType<Record<string, unknown>, string | undefined, string>
}

export interface SessionsTable {
  id: string
  userId: string
  /** Counter of the active refresh token. The token is derived from it, `tokenSalt` and the key secret. */
  counter: number
  tokenSalt: Buffer
  method: AuthMethod
  createdAt: Date
  /** When the active token was issued and its parent used. */
  refreshedAt: Date
  /** The user agent and IP of the last refresh, or of the sign-in. */
  userAgent: string | null
  ip: string | null
  /** Rotations within the reuse interval before `refreshedAt`. */
  recentRotations: ColumnType<Rotation[], string | undefined, string>
  /** Highest token counter that arrived at the client: an access token issued with it was presented to auth. */
  arrivedCounter: Generated<number>
  /** The second factor that the session was last verified with. All three are null below `aal2`. */
  factorId: string | null
  factorMethod: FactorMethod | null
  factorVerifiedAt: Date | null
  /** How a paired device names itself. Null for other sessions. */
  deviceName: string | null
}

export interface FactorsTable {
  id: string
  userId: string
  factorType: FactorType
  friendlyName: string
  status: 'unverified' | 'verified'
  /** Encrypted TOTP secret in base 32. Null for other types. */
  sealedSecret: Buffer | null
  /** Last TOTP time step whose code was accepted. Postgres returns `bigint` as text. */
  lastStep: Generated<number>
  createdAt: Date
  updatedAt: Date
  lastChallengedAt: Date | null
}

/** The newest token of each user and slot. */
interface OneTimeTokensTable {
  id: string
  userId: string
  slot: Slot
  /** The email that the mail was sent to. */
  email: string
  tokenDigest: Buffer
  codeDigest: Buffer
  codeChallenge: string | null
  codeChallengeMethod: ChallengeMethod | null
  createdAt: Date
  expiresAt: Date
  /** Password of the sign-up that requested this mail, whose password and metadata a confirmation adopts. Null without one. */
  passwordHash: string | null
  /** Null when no sign-up requested this mail. */
  userMetadata: JSONColumnType<Record<string, unknown>> | null
  /** Digest of the network and browser of that sign-up. */
  signUpClient: Buffer | null
  /** Requested by the signed-in owner, from a network that the account knows, or by the operator. */
  isTrusted: boolean
}

/** The two tokens before it, until they expire. */
interface EarlierTokensTable {
  id: string
  userId: string
  slot: Slot
  email: string
  tokenDigest: Buffer
  codeDigest: Buffer
  codeChallenge: string | null
  codeChallengeMethod: ChallengeMethod | null
  passwordHash: string | null
  userMetadata: JSONColumnType<Record<string, unknown>> | null
  createdAt: Date
  expiresAt: Date
  signUpClient: Buffer | null
  isTrusted: boolean
}

/** Credentials of verified factors of type `webauthn`, as those of passkeys. */
export interface SecurityKeysTable {
  factorId: string
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  transports: string[]
}

export interface PasskeysTable {
  id: string
  userId: string
  credentialId: Buffer
  /** In COSE format (RFC 9052). */
  publicKey: Buffer
  /** Signature counter of the last use. Always 0 for authenticators without one. */
  counter: number
  /** Transports by which browsers reach the authenticator. */
  transports: string[]
  /** Its owner's name for it. */
  name: string
  createdAt: Date
  lastUsedAt: Date | null
}

/** Attempts to sign in, for the history that their user sees. */
export interface SignInsTable {
  /** Sorts by time. */
  id: string
  userId: string
  createdAt: Date
  method: SignInMethod
  succeeded: boolean
  /** The browser and system, such as "Chrome on Windows". */
  device: string | null
  /** IPv4 /24 or IPv6 /48. */
  network: string | null
}

/** Accounts at OpenID providers that sign in to accounts of the station. */
export interface IdentitiesTable {
  id: string
  userId: string
  /** The provider's id in the settings. */
  provider: string
  issuer: string
  /** The provider's id of the account (`sub`). */
  subject: string
  /** The email that the provider returned at the last sign-in. */
  email: string | null
  createdAt: Date
  lastSignInAt: Date | null
}

/** Started sign-ins at providers that are not finished. */
/** Devices that wait to be paired (RFC 8628), until an hour after their codes have expired. */
interface DeviceGrantsTable {
  deviceCodeDigest: Buffer
  /** Keyed, because user codes are short. */
  userCodeDigest: Buffer
  /** How the device names itself. */
  name: string
  /** IPv4 /24 or IPv6 /48. */
  network: string | null
  state: 'waiting' | 'allowed' | 'denied' | 'used'
  /** Who decided. */
  userId: string | null
  /** The session that allowed it. */
  sessionId: string | null
  polledAt: Date | null
  /** Time that the device must wait between two requests, in seconds. */
  intervalS: number
  createdAt: Date
  expiresAt: Date
}

export interface ProviderFlowsTable {
  /** Digest of the state that the provider returns, then of the code that the app exchanges. */
  digest: Buffer
  step: 'callback' | 'exchange'
  provider: string
  /** Encrypted nonce and verifier towards the provider, then the proved identity. */
  sealed: Buffer
  /** PKCE challenge of the app. */
  codeChallenge: string
  codeChallengeMethod: ChallengeMethod
  redirectTo: string
  /** Session that links the identity to its user. Null: a sign-in. */
  sessionId: string | null
  beganAt: Date
  createdAt: Date
  /** Generation of the access token that began to link. */
  generation: number | null
}

/** Personal access tokens. `id` is the session id of the access tokens that are issued for one. */
export interface PersonalTokensTable {
  id: string
  userId: string
  /** SHA-256 of the token. */
  tokenDigest: Buffer
  name: string
  /** Names in `token-scopes.ts`. */
  scopes: string[]
  /** Whether the session that created it was verified with a second factor. */
  hasFactor: boolean
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | null
  /** The session that created it. Null in rows older than this column. */
  sessionId: string | null
  /** Raised when its access tokens become outdated. */
  generation: Generated<number>
}

/** Open challenges of factors. `network`: of the client that requested the challenge. */
interface FactorChallengesTable {
  id: string
  factorId: string
  network: string | null
  createdAt: Date
}

interface RecoveryCodesTable {
  factorId: string
  codeDigest: Buffer
  usedAt: Date | null
}

/** Sessions that ended before their access tokens expired. */
interface RevokedSessionsTable {
  id: string
  userId: string
  reason:
    | 'sign_out'
    | 'ended_by_admin'
    | 'banned'
    | 'reused'
    | 'password'
    | 'deleted'
    | 'expired'
    | 'displaced'
    | 'factor'
  until: Date
  revokedAt: Date
}

/**
 * Sessions and personal access tokens whose access tokens below a generation are refused, until the last of those has
 * expired.
 */
interface OutdatedSessionsTable {
  id: string
  minGeneration: number
  until: Date
}

/** Used challenges of passkeys, until they would have expired. */
interface SpentPasskeyChallengesTable {
  id: string
  expiresAt: Date
}

/** Revoked signing keys, until their last token has expired. */
interface RevokedKeysTable {
  kid: string
  until: Date
}

interface AccountNetworksTable {
  userId: string
  networkDigest: Buffer
  lastUsedAt: Date
  /** Number of wrong mailed codes from this network since `wrongCodesSince`. */
  wrongCodes: Generated<number>
  wrongCodesSince: Date | null
}

interface AuthCodesTable {
  codeDigest: Buffer
  userId: string
  method: AuthMethod
  codeChallenge: string
  codeChallengeMethod: ChallengeMethod
  createdAt: Date
}

/** Mail requests by email. `streak`: requests in a row for a slot; for the slot `day`, requests since `askedAt`. */
interface MailThrottleTable {
  addressDigest: Buffer
  slot: string
  askedAt: Date
  streak: Generated<number>
}

interface MailOutboxTable {
  id: Generated<number>
  userId: string | null
  slot: MailSlot | null
  /** Encrypted recipient and text. The row is deleted when the mail was sent. */
  sealed: Buffer
  attempts: Generated<number>
  nextAttemptAt: Date
  expiresAt: Date
}

interface SigningKeysTable {
  kid: string
  publicJwk: JSONColumnType<Record<string, unknown>>
  sealedPrivateJwk: Buffer
  createdAt: Date
  /** A key is published before it signs, so that every replica has it in time. */
  signsFrom: Date
}

/** A value encrypted with the key secret: one row, from the first start on. */
interface SecretCheckTable {
  id: Generated<boolean>
  sealed: Buffer
}

/** Uploaded profile pictures. `version` is a digest of the bytes. */
interface AvatarsTable {
  userId: string
  version: string
  contentType: 'image/jpeg' | 'image/png' | 'image/webp'
  bytes: Buffer
  createdAt: Date
}

interface ProfilesTable {
  userId: string
  handle: string
  handleKey: GeneratedAlways<string>
  searchKey: GeneratedAlways<string>
  artistName: string | null
  avatarUrl: string | null
  createdAt: Date
  updatedAt: Date
  /** Equal for handles that look alike. Null for an older handle that looks like another one. */
  handleSkeleton: string | null
}

interface UserRolesTable {
  userId: string
  role: Role
  grantedBy: string | null
  updatedAt: Date
}

interface UserRestrictionsTable {
  id: string
  userId: string
  restrictionType: RestrictionType
  reason: string
  createdBy: string | null
  createdAt: Date
  expiresAt: Date | null
  /** Role of `createdBy` when the row was written. Null in rows older than this column. */
  createdByRole: Role | null
}

/** Restrictions of deleted accounts, by a keyed digest of the email. */
interface KeptRestrictionsTable {
  addressDigest: Buffer
  restrictionType: RestrictionType
  reason: string
  createdBy: string | null
  createdByRole: Role | null
  createdAt: Date
  expiresAt: Date | null
  keptUntil: Date
}

interface FirstStartStepsTable {
  step: string
  doneAt: Generated<Date>
}

export interface Database extends EventTables {
  accountNetworks: AccountNetworksTable
  authCodes: AuthCodesTable
  avatars: AvatarsTable
  deviceGrants: DeviceGrantsTable
  earlierTokens: EarlierTokensTable
  factorChallenges: FactorChallengesTable
  factors: FactorsTable
  firstStartSteps: FirstStartStepsTable
  identities: IdentitiesTable
  keptRestrictions: KeptRestrictionsTable
  mailOutbox: MailOutboxTable
  mailThrottle: MailThrottleTable
  oneTimeTokens: OneTimeTokensTable
  outdatedSessions: OutdatedSessionsTable
  passkeys: PasskeysTable
  personalTokens: PersonalTokensTable
  profiles: ProfilesTable
  providerFlows: ProviderFlowsTable
  recoveryCodes: RecoveryCodesTable
  revokedKeys: RevokedKeysTable
  revokedSessions: RevokedSessionsTable
  secretCheck: SecretCheckTable
  securityKeys: SecurityKeysTable
  sessions: SessionsTable
  signIns: SignInsTable
  signingKeys: SigningKeysTable
  spentPasskeyChallenges: SpentPasskeyChallengesTable
  userRestrictions: UserRestrictionsTable
  userRoles: UserRolesTable
  users: UsersTable
}

/** Columns of users, and ids that no foreign key checks: `tables.ts` says what they refer to. */
export interface NotedColumns {
  accountNetworks: 'userId'
  authCodes: 'userId'
  avatars: 'userId'
  deviceGrants: 'userId' | 'sessionId'
  earlierTokens: 'userId'
  factorChallenges: never
  factors: 'userId'
  firstStartSteps: never
  identities: 'userId'
  keptRestrictions: 'createdBy'
  mailOutbox: 'userId'
  mailThrottle: never
  oneTimeTokens: 'userId'
  outdatedSessions: never
  passkeys: 'userId' | 'credentialId'
  personalTokens: 'userId' | 'sessionId'
  profiles: 'userId'
  providerFlows: 'sessionId'
  recoveryCodes: never
  revokedKeys: never
  revokedSessions: 'userId'
  secretCheck: never
  securityKeys: 'credentialId'
  sessions: 'userId' | 'factorId'
  signIns: 'userId'
  signingKeys: never
  spentPasskeyChallenges: never
  userRestrictions: 'userId' | 'createdBy'
  userRoles: 'userId' | 'grantedBy'
  users: never
}
