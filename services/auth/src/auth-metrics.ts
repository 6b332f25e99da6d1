import { Counter, Gauge, type Registry } from 'prom-client'

/** What auth counts beside what every service counts. */
export const createAuthMetrics = (registry: Registry) => ({
  mails: new Counter({
    name: 'looptide_auth_mails_total',
    help: 'Mails by result: sent, failed (tried again), rejected (5xx), expired unsent.',
    labelNames: ['result'],
    registers: [registry],
  }),
  waiting: new Gauge({
    name: 'looptide_auth_mail_queue_size',
    help: 'Mails in the queue, up to 10,000, at which it takes no more.',
    registers: [registry],
  }),
  refusals: new Counter({
    name: 'looptide_auth_rate_limited_total',
    help: 'Requests beyond a rate limit, by rule.',
    labelNames: ['rule'],
    registers: [registry],
  }),
})

export type AuthMetrics = ReturnType<typeof createAuthMetrics>
