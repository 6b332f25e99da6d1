import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Kysely } from 'kysely'
import type { AuthMetrics } from '../../../auth-metrics.ts'
import type { AuthConfig } from '../../../config.ts'
import type { Vault } from '../../../crypto/vault.ts'
import type { Database } from '../../../db/schema.ts'
import { MailQueue } from '../../mail/mail-queue.ts'
import { SecurityNotices } from '../../mail/security-notices.ts'
import { createSmtp, type Smtp } from '../../mail/smtp.ts'
import { CodeSender } from './code-sender.ts'
import type { RedirectPolicy } from './redirect-policy.ts'

interface MailDeps {
  db: Kysely<Database>
  vault: Vault
  redirects: RedirectPolicy
  logger: Logger
  metrics: AuthMetrics
  now: () => number
}

export interface MailComponents {
  smtp: Smtp
  queue: MailQueue
  codes: CodeSender
  notices: SecurityNotices
}

/** Creates the mail queue and its producers. */
export function createMailComponents(config: AuthConfig, deps: MailDeps): MailComponents {
  const { db, vault, redirects, logger, metrics, now } = deps
  const { brandName } = config.mail
  const smtp = createSmtp(config.mail)
  const { mails, waiting } = metrics
  const queue = new MailQueue({ db, vault, send: smtp.send, logger, mails, waiting, now })
  const { otpTtlS, rateLimitFactor } = config
  return {
    smtp,
    queue,
    codes: new CodeSender({ vault, mails: queue, redirects, brandName, otpTtlS, rateLimitFactor, now }),
    notices: new SecurityNotices({ vault, mails: queue, brandName, siteUrl: redirects.site, now }),
  }
}
