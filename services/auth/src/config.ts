import { DEFAULT_BRAND } from '@looptide/contracts/brand'
import {
  type CommonConfig,
  type DatabaseConfig,
  type Env,
  EnvReader,
  readCommon,
  readDatabase,
} from '@looptide/service-kit/env'

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
  /** The secret before, during a change: it opens what it sealed, and makes nothing. */
  previousKeySecret: string | undefined
  /** Must an address be confirmed by mail before its owner may sign in? */
  mailConfirmation: boolean
  /** Seconds. */
  accessTokenTtlS: number
  /** Seconds a mailed link and its code are good. */
  otpTtlS: number
  /** Seconds after a refresh during which an older token is forgiven. */
  refreshReuseIntervalS: number
  /** Sessions one person may have; one more ends the one that was not used for longest. */
  sessionsPerUser: number
  /** Handle of the admin who is welcomed by a toast after signing in; empty for none. */
  adminWelcomeHandle: string
  /** Days after which an account is deleted whose address nobody has confirmed. */
  unconfirmedAccountDays: number
  /** Sign-ups of the whole station per minute, before {@link CommonConfig.rateLimitFactor}. */
  signUpsPerMinute: number
  /** Requests for mails of the whole station per minute, before the factor. */
  mailsPerMinute: number
  /** Mails of the whole station per day (UTC), before the factor. */
  mailsPerDay: number
  /** Addresses beside the site's own to which a mailed link may lead. */
  redirectAllowList: readonly string[]
  /** What the station is called: nobody else may be. */
  brandNames: readonly string[]
  mail: MailConfig
}

/** Reads the settings of auth from `source`; throws a ConfigError that names all faulty ones. */
export function toConfig(source: Env): AuthConfig {
  const reader = new EnvReader(source)
  const brandName = reader.string('BRAND_NAME', DEFAULT_BRAND.name)
  const config: AuthConfig = {
    ...readCommon(reader, 8101),
    ...readDatabase(reader),
    redisUrl: reader.optional('REDIS_URL'),
    keySecret: reader.secret('AUTH_KEY_SECRET'),
    previousKeySecret: reader.optional('AUTH_KEY_SECRET_PREVIOUS'),
    mailConfirmation: reader.choice('MAIL_CONFIRMATION', ['on', 'off'], 'on') === 'on',
    accessTokenTtlS: reader.integer('ACCESS_TOKEN_TTL_S', 3600, { min: 10, max: 86_400 }),
    otpTtlS: reader.integer('OTP_TTL_S', 3600, { min: 10, max: 3600 }),
    refreshReuseIntervalS: reader.integer('REFRESH_REUSE_INTERVAL_S', 10, { min: 0, max: 300 }),
    sessionsPerUser: reader.integer('SESSIONS_PER_USER', 50, { min: 1, max: 100 }),
    adminWelcomeHandle: reader.string('ADMIN_WELCOME_HANDLE', 'admin'),
    unconfirmedAccountDays: reader.integer('UNCONFIRMED_ACCOUNT_DAYS', 7, { min: 1, max: 365 }),
    signUpsPerMinute: reader.integer('SIGN_UPS_PER_MINUTE', 60, { min: 1, max: 1_000_000 }),
    mailsPerMinute: reader.integer('MAILS_PER_MINUTE', 120, { min: 1, max: 1_000_000 }),
    mailsPerDay: reader.integer('MAILS_PER_DAY', 10_000, { min: 1, max: 100_000_000 }),
    redirectAllowList: reader
      .string('REDIRECT_ALLOW_LIST', '')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
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

export const loadConfig = (): AuthConfig => toConfig(env)
