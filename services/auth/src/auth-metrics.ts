import { Counter, Gauge, type Registry } from 'prom-client'

/** Metrics of the auth service, in addition to those of every service. */
export const createAuthMetrics = (registry: Registry) => ({
  mails: new Counter({
    name: 'looptide_auth_mails_total',
    help: 'Mails by result: sent, failed (will be retried), rejected (5xx), expired (never sent).',
    labelNames: ['result'],
    registers: [registry],
  }),
  waiting: new Gauge({
    name: 'looptide_auth_mail_queue_size',
    help: 'Mails in the queue. Counted up to 10,000, where the queue is full.',
    registers: [registry],
  }),
  refusals: new Counter({
    name: 'looptide_auth_rate_limited_total',
    help: 'Requests refused by a rate limit, by rule.',
    labelNames: ['rule'],
    registers: [registry],
  }),
  breachChecks: new Counter({
    name: 'looptide_auth_breached_password_checks_total',
    help: 'New passwords by answer of the range service: breached, unknown, failed, skipped (after failures).',
    labelNames: ['result'],
    registers: [registry],
  }),
})

export type AuthMetrics = ReturnType<typeof createAuthMetrics>
