import { DEFAULT_BRAND } from '@looptide/contracts/brand'
import { SIGN_UP_POLICIES, type SignUpPolicy } from '@looptide/contracts/sign-up-policy'
import type { ScannerAddress } from '@looptide/service-kit/pictures/clamd'
import { readMalwareScanner } from '@looptide/service-kit/pictures/malware-scanner'
import {
  type CommonConfig,
  type DatabaseConfig,
  type Env,
  EnvReader,
  readCommon,
  readDatabase,
  readMailConfirmation,
} from '@looptide/service-kit/settings/env'
import { type RelyingParty, relyingPartyOf } from './features/credential/passkey/relying-party.ts'
import { type ProviderSettings, readProviders } from './features/credential/provider/provider-settings.ts'

export const env: Env = process.env

export interface MailConfig {
  smtpUrl: string
  from: string
  brandName: string
}

export interface AuthConfig extends CommonConfig, DatabaseConfig {
  redisUrl: string | undefined
  /** Encrypts private keys and queued mails, and derives refresh tokens. At least 32 characters. */
  keySecret: string
  /** The former key secret during a change of secrets. It decrypts and verifies stored values; it creates none. */
  previousKeySecret: string | undefined
  /** Requests that require a proof of work: wrong passwords over a limit (`sign-in`), these and every sign-up, or none. */
  proofOfWork: 'off' | 'sign-in' | 'sign-up'
  /** Keys that authorise the admin API of the auth protocol: none turns it off, two are accepted during a rotation. */
  serviceKeys: readonly string[]
  /** Whether users must confirm their email address before they can sign in. */
  mailConfirmation: boolean
  signUp: SignUpPolicy
  /** Whether viewers can sign in without an account, where sign-up is open. */
  anonymousSignIn: boolean
  /** Whether users with a role see a recommendation to use a second factor, or have no rights without one. */
  secondFactor: 'off' | 'recommended' | 'required'
  /** Lifetime of an access token, in seconds. */
  accessTokenTtlS: number
  /** Lifetime of a mailed link and its code, in seconds; at most ten minutes for users with a role. */
  otpTtlS: number
  /** Time after its rotation in which a used refresh token still gets an answer, in seconds. */
  refreshReuseIntervalS: number
  /** Maximum number of sessions per user. A further sign-in ends the least recently used session. */
  sessionsPerUser: number
  /** Handle of the admin who sees a welcome toast after signing in. Empty: no toast. */
  adminWelcomeHandle: string
  /** Days after which an account with an unconfirmed email address is deleted. */
  unconfirmedAccountDays: number
  /** Days after which an anonymous user who did not use a session is deleted. */
  anonymousAccountDays: number
  /** Range service that new passwords are checked against; undefined: they are not. */
  breachedPasswordsUrl: string | undefined
  /** Scans uploaded pictures for malware; undefined: they are not scanned. */
  malwareScanner: ScannerAddress | undefined
  /** Sign-ups per minute for the whole station, before {@link CommonConfig.rateLimitFactor} is applied. */
  signUpsPerMinute: number
  /** Mail requests per minute for the whole station, before the factor is applied. */
  mailsPerMinute: number
  /** Mails per UTC day for the whole station, before the factor is applied. */
  mailsPerDay: number
  /** URLs outside the site that a mailed link may redirect to. */
  redirectAllowList: readonly string[]
  /** The station as a relying party of passkeys. Undefined when its address has no domain. */
  passkeyParty: RelyingParty | undefined
  /** OpenID providers that accounts can sign in with, in the order of their buttons. */
  oidcProviders: readonly ProviderSettings[]
  /** Names of the station. Users may not take them. */
  brandNames: readonly string[]
  mail: MailConfig
}

/** Reads the auth settings from `source`. Throws a ConfigError that names every invalid setting. */
export function loadConfig(source: Env): AuthConfig {
  const reader = new EnvReader(source)
  const brandName = reader.string('BRAND_NAME', DEFAULT_BRAND.name)
  const common = readCommon(reader, 8101)
  const config: AuthConfig = {
    ...common,
    ...readDatabase(reader),
    redisUrl: reader.optional('REDIS_URL') === undefined ? undefined : reader.internalUrl('REDIS_URL'),
    keySecret: reader.secret('AUTH_KEY_SECRET'),
    previousKeySecret: reader.optional('AUTH_KEY_SECRET_PREVIOUS'),
    serviceKeys: ['AUTH_SERVICE_KEY', 'AUTH_SERVICE_KEY_PREVIOUS'].flatMap((name) =>
      reader.optional(name) === undefined ? [] : [reader.secret(name)],
    ),
    mailConfirmation: readMailConfirmation(reader) === 'on',
    proofOfWork: reader.choice('PROOF_OF_WORK', ['off', 'sign-in', 'sign-up'], 'sign-in'),
    signUp: reader.choice('SIGN_UP', SIGN_UP_POLICIES, 'open'),
    anonymousSignIn: reader.choice('ANONYMOUS_SIGN_IN', ['on', 'off'], 'off') === 'on',
    secondFactor: reader.choice('SECOND_FACTOR', ['off', 'recommended', 'required'], 'recommended'),
    accessTokenTtlS: reader.integer('ACCESS_TOKEN_TTL_S', 3600, { min: 10, max: 86_400 }),
    otpTtlS: reader.integer('OTP_TTL_S', 3600, { min: 10, max: 3600 }),
    refreshReuseIntervalS: reader.integer('REFRESH_REUSE_INTERVAL_S', 10, { min: 0, max: 300 }),
    sessionsPerUser: reader.integer('SESSIONS_PER_USER', 50, { min: 1, max: 100 }),
    adminWelcomeHandle: reader.string('ADMIN_WELCOME_HANDLE', 'admin'),
    unconfirmedAccountDays: reader.integer('UNCONFIRMED_ACCOUNT_DAYS', 7, { min: 1, max: 365 }),
    anonymousAccountDays: reader.integer('ANONYMOUS_ACCOUNT_DAYS', 30, { min: 1, max: 365 }),
    breachedPasswordsUrl: readBreachedPasswordsUrl(reader),
    malwareScanner: readMalwareScanner(reader),
    signUpsPerMinute: reader.integer('SIGN_UPS_PER_MINUTE', 60, { min: 1, max: 1_000_000 }),
    mailsPerMinute: reader.integer('MAILS_PER_MINUTE', 120, { min: 1, max: 1_000_000 }),
    mailsPerDay: reader.integer('MAILS_PER_DAY', 10_000, { min: 1, max: 100_000_000 }),
    redirectAllowList: reader
      .string('REDIRECT_ALLOW_LIST', '')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
    passkeyParty: readPasskeyParty(reader, common.siteUrl, brandName),
    oidcProviders: readOidcProviders(reader),
    brandNames: [brandName, reader.string('BRAND_SHORT_NAME', DEFAULT_BRAND.shortName)],
    mail: {
      smtpUrl: reader.url('SMTP_URL', 'smtp://127.0.0.1:1025'),
      from: reader.string('MAIL_FROM', `${brandName} <no-reply@localhost>`),
      brandName,
    },
  }
  reader.done()
  return config
}

/** `BREACHED_PASSWORDS_URL`; undefined when it is empty. */
export const readBreachedPasswordsUrl = (reader: EnvReader): string | undefined =>
  reader.optional('BREACHED_PASSWORDS_URL') === undefined ? undefined : reader.url('BREACHED_PASSWORDS_URL')

function readOidcProviders(reader: EnvReader): ProviderSettings[] {
  const text = reader.string('OIDC_PROVIDERS', '')
  return reader.parsed('OIDC_PROVIDERS', () => readProviders(text)) ?? []
}

function readPasskeyParty(reader: EnvReader, siteUrl: string, brandName: string): RelyingParty | undefined {
  const rpId = reader.string('PASSKEY_RP_ID', '')
  const origins = reader.origins('PASSKEY_ORIGINS')
  if (!URL.canParse(siteUrl)) return undefined
  return reader.parsed('PASSKEY_RP_ID', () => relyingPartyOf({ siteUrl, rpId, origins, brandName }))
}
