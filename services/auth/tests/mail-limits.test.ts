import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type Answer, call, newEmail, signUp, type TestAuth, type TestSession, VERSION } from './_harness.ts'
import { startForTest } from './_per-test.ts'
import { api, staff } from './_requests.ts'

const MINUTE_MS = 60_000
const MARGIN_MS = 30_000
const DAY_MS = 86_400_000
const recover = (auth: TestAuth, email: string): Promise<Answer> =>
  call(`${auth.url}/recover`, 'POST', { email })
const queued = (auth: TestAuth) => auth.db.selectFrom('mailOutbox').selectAll().execute()
const metricsOf = async (auth: TestAuth): Promise<string> =>
  (await fetch(`${auth.service.url}/metrics`)).text()

describe('mails to one recipient', () => {
  it('have twice the interval each time, for known and unknown emails', async () => {
    const auth = await startForTest({ RATE_LIMIT_FACTOR: '1' })
    auth.clock.stop()
    const { email } = await signUp(auth)
    for (const recipient of [email, newEmail()]) {
      for (const minutes of [1, 2, 4]) {
        expect((await recover(auth, recipient)).status).toBe(200)
        // The clock also runs: the margin is longer than the requests take.
        auth.clock.advance(minutes * MINUTE_MS - MARGIN_MS)
        const refused = await recover(auth, recipient)
        expect([minutes, refused.body.code]).toEqual([minutes, 'over_email_send_rate_limit'])
        const retryAfterS = Number(refused.headers.get('retry-after'))
        expect(retryAfterS).toBeGreaterThan(0)
        expect(retryAfterS).toBeLessThanOrEqual(MARGIN_MS / 1000 + 1)
        auth.clock.advance(MARGIN_MS + 1)
      }
    }
  })

  it('have an interval of a minute again after a day without a mail', async () => {
    const auth = await startForTest({ RATE_LIMIT_FACTOR: '1' })
    const email = newEmail()
    for (const minutes of [1, 2, 4, 8]) {
      expect((await recover(auth, email)).status).toBe(200)
      auth.clock.advance(minutes * MINUTE_MS)
    }
    auth.clock.advance(DAY_MS)
    expect((await recover(auth, email)).status).toBe(200)
    auth.clock.advance(MINUTE_MS)
    expect((await recover(auth, email)).status).toBe(200)
  })

  it('are limited to ten a day, of all slots together', async () => {
    const auth = await startForTest({ RATE_LIMIT_FACTOR: '1' })
    const email = newEmail()
    let sent = 0
    for (let hour = 0; hour < 20; hour += 1) {
      for (const path of ['/recover', '/resend']) {
        const answer = await call(`${auth.url}${path}`, 'POST', { email, type: 'signup' })
        if (answer.status === 200) sent += 1
        else expect(answer.body.code).toBe('over_email_send_rate_limit')
      }
      auth.clock.advance(60 * MINUTE_MS)
    }
    expect(sent).toBe(10)
    auth.clock.advance(DAY_MS)
    expect((await recover(auth, email)).status).toBe(200)
  })

  it('share the interval and the ten a day with mails to other tags of its mailbox', async () => {
    const auth = await startForTest({ RATE_LIMIT_FACTOR: '1' })
    const email = newEmail()
    const tagged = (tag: number): string => email.replace('@', `+${tag}@`)
    await signUp(auth, tagged(0))
    expect((await recover(auth, tagged(0))).status).toBe(200)
    for (const recipient of [email, tagged(1), tagged(2).toUpperCase()]) {
      expect((await recover(auth, recipient)).body.code).toBe('over_email_send_rate_limit')
    }
    let sent = 1
    for (let hour = 0; hour < 20; hour += 1) {
      auth.clock.advance(60 * MINUTE_MS)
      for (const path of ['/recover', '/resend']) {
        const body = { email: tagged(hour), type: 'signup' }
        if ((await call(`${auth.url}${path}`, 'POST', body)).status === 200) sent += 1
      }
    }
    expect(sent).toBe(10)
  })

  it('are also limited for the whole station per day', async () => {
    const auth = await startForTest({ RATE_LIMIT_FACTOR: '1', MAILS_PER_DAY: '3' })
    const codes: unknown[] = []
    for (let index = 0; index < 5; index += 1) codes.push((await recover(auth, newEmail())).body.code)
    expect(codes).toEqual([undefined, undefined, undefined, ...Array(2).fill('over_email_send_rate_limit')])
    expect(await metricsOf(auth)).toMatch(
      /looptide_auth_rate_limited_total\{[^}]*rule="station-mails-daily"[^}]*\} 2/,
    )
  })
})

describe('the two mails of an email change', () => {
  const change = (auth: TestAuth, { headers }: TestSession, email: string): Promise<Answer> =>
    call(`${auth.url}/user`, 'PUT', { email }, { ...VERSION, ...headers })
  const resend = (auth: TestAuth, email: string): Promise<Answer> =>
    call(`${auth.url}/resend`, 'POST', { email, type: 'email_change' })
  /** Requests mails until ten were sent to `email` within a day. The clock advances. */
  const useUp = async (auth: TestAuth, email: string): Promise<void> => {
    for (let hour = 0; (await recover(auth, email)).status === 200; hour += 1) {
      auth.clock.advance(Math.min(4 * 60, 2 ** hour) * MINUTE_MS)
      await call(`${auth.url}/resend`, 'POST', { email, type: 'signup' })
    }
  }
  const recipients = async (auth: TestAuth): Promise<string[]> => {
    await until('all mails are sent', async () => (await queued(auth)).length === 0)
    return auth.sink.mails.map(({ to }) => to)
  }

  it('count for the new mailbox whichever user requests them, and are sent to both or to neither', async () => {
    const auth = await startForTest({ RATE_LIMIT_FACTOR: '1' })
    const [first, second, victim] = [await signUp(auth), await signUp(auth), newEmail()]
    expect((await change(auth, first, victim)).status).toBe(200)
    const refused = await change(auth, second, victim.replace('@', '+tag@'))
    expect(refused.body.code).toBe('over_email_send_rate_limit')
    expect((await recipients(auth)).sort()).toEqual([first.email, victim].sort())
    expect((await call(`${auth.url}/user`, 'GET', undefined, second.headers)).body.new_email).toBeUndefined()
    // The refused request did not count for the mailbox of its user.
    expect((await change(auth, second, newEmail())).status).toBe(200)
  })

  it('are refused when either mailbox has had ten mails in a day', async () => {
    const auth = await startForTest({ RATE_LIMIT_FACTOR: '1' })
    const [viewer, victim] = [await signUp(auth), newEmail()]
    await useUp(auth, victim)
    expect((await change(auth, viewer, victim)).body.code).toBe('over_email_send_rate_limit')
    const other = await signUp(auth)
    await useUp(auth, other.email)
    expect((await change(auth, other, newEmail())).body.code).toBe('over_email_send_rate_limit')
    expect(await recipients(auth)).not.toContain(victim)
  })

  it('count again when they are sent again, without showing that a change is pending', async () => {
    const auth = await startForTest({ RATE_LIMIT_FACTOR: '1' })
    const [viewer, victim] = [await signUp(auth), newEmail()]
    expect((await change(auth, viewer, victim)).status).toBe(200)
    await useUp(auth, victim)
    const before = await recipients(auth)
    expect(await resend(auth, viewer.email)).toMatchObject({ status: 200, body: {} })
    expect((await resend(auth, viewer.email)).body.code).toBe('over_email_send_rate_limit')
    expect(await recipients(auth)).toEqual(before)
    auth.clock.advance(DAY_MS)
    expect((await resend(auth, viewer.email)).status).toBe(200)
    expect((await recipients(auth)).slice(before.length).sort()).toEqual([viewer.email, victim].sort())
    expect((await change(auth, await signUp(auth), victim)).body.code).toBe('over_email_send_rate_limit')
  })

  it('may go to two addresses of one mailbox', async () => {
    const auth = await startForTest({ RATE_LIMIT_FACTOR: '1' })
    const viewer = await signUp(auth)
    const tagged = viewer.email.replace('@', '+tv@')
    expect((await change(auth, viewer, tagged)).status).toBe(200)
    expect((await recipients(auth)).sort()).toEqual([viewer.email, tagged].sort())
  })
})

it('the mail of a password reset by an admin counts, and no limit refuses it', async () => {
  const auth = await startForTest({ RATE_LIMIT_FACTOR: '1' })
  const [admin, viewer] = [await staff(auth, 'admin'), await signUp(auth)]
  const reset = () => api(auth, 'POST', `/users/${viewer.user.id}/password-reset`, admin)
  const elsewhere = { ...VERSION, 'x-forwarded-for': '203.0.113.9' }
  const recover = () => call(`${auth.url}/recover`, 'POST', { email: viewer.email }, elsewhere)
  expect((await reset()).status).toBe(204)
  expect((await recover()).body.code).toBe('over_email_send_rate_limit')
  expect((await reset()).status).toBe(204)
  auth.clock.advance(MINUTE_MS)
  expect((await recover()).body.code).toBe('over_email_send_rate_limit')
  auth.clock.advance(MINUTE_MS)
  expect((await recover()).status).toBe(200)
})

describe('a mail that the SMTP server rejects', () => {
  it('permanently (5xx) is tried once', async () => {
    const auth = await startForTest()
    auth.sink.recipientReply = { code: 550, text: '5.1.1 <> User unknown' }
    const email = newEmail()
    await call(`${auth.url}/otp`, 'POST', { email })
    await until('it was tried', () => auth.sink.attemptedRecipients.length > 0)
    await until('it is removed from the queue', async () => (await queued(auth)).length === 0)
    auth.clock.advance(10 * MINUTE_MS)
    auth.sink.recipientReply = undefined
    const other = newEmail()
    await call(`${auth.url}/otp`, 'POST', { email: other })
    await auth.sink.latest(other)
    expect(auth.sink.attemptedRecipients).toEqual([email, other])
    expect(await metricsOf(auth)).toMatch(/looptide_auth_mails_total\{[^}]*result="rejected"[^}]*\} 1/)
  })

  it('temporarily (4xx) is retried until its link has expired', async () => {
    const auth = await startForTest()
    auth.sink.recipientReply = { code: 451, text: '4.7.1 <> Greylisted' }
    const [early, late] = [newEmail(), newEmail()]
    await call(`${auth.url}/otp`, 'POST', { email: early })
    await until('it was tried', async () => (await queued(auth)).some((row) => row.attempts === 1))
    auth.clock.advance(10 * MINUTE_MS)
    await until('it was retried', async () => (await queued(auth)).some((row) => row.attempts === 2))
    auth.sink.recipientReply = undefined
    auth.clock.advance(10 * MINUTE_MS)
    await auth.sink.latest(early)

    auth.sink.recipientReply = { code: 451, text: '4.7.1 <> Greylisted' }
    await call(`${auth.url}/otp`, 'POST', { email: late })
    auth.clock.advance(61 * MINUTE_MS)
    await until('it has expired', async () => (await queued(auth)).length === 0)
    expect(await metricsOf(auth)).toMatch(/looptide_auth_mails_total\{[^}]*result="expired"[^}]*\} 1/)
  })

  it('leaves no email in logs, metrics and rows', async () => {
    const lines: string[] = []
    const auth = await startForTest()
    auth.sink.recipientReply = { code: 451, text: '4.2.1 <> is over quota, contact victim@example.test' }
    const { redactMailError } = await import('../src/features/mail/redact-mail-error.ts')
    const { createSmtp } = await import('../src/features/mail/smtp.ts')
    const smtp = createSmtp(auth.config.mail)
    const error: unknown = await smtp
      .send({ to: 'victim@example.test', subject: 's', text: 't', html: 'h' })
      .then(
        () => undefined,
        (failure: unknown) => failure,
      )
    smtp.close()
    lines.push(JSON.stringify(redactMailError(error)))
    expect(String(error)).toContain('victim@example.test')
    expect(redactMailError(error)).toMatchObject({ responseCode: 451, status: '4.2.1', command: 'RCPT TO' })
    await call(`${auth.url}/otp`, 'POST', { email: 'victim@example.test' })
    await until('it was tried', async () => (await queued(auth)).some((row) => row.attempts > 0))
    lines.push(await metricsOf(auth), JSON.stringify(await queued(auth)))
    expect(lines.filter((line) => line.includes('victim'))).toEqual([])
  })
})

describe('a full mail queue', () => {
  it('is reported by health check and metrics, and requests get 503 for known and unknown emails', async () => {
    const auth = await startForTest()
    const { email } = await signUp(auth)
    await sql`insert into mail_outbox (sealed, next_attempt_at, expires_at)
      select '\\x00', now() + interval '1 hour', now() + interval '2 hours' from generate_series(1, 10000)`.execute(
      auth.db,
    )
    const check = async () => {
      const { checks } = (await (await fetch(`${auth.service.url}/readyz`)).json()) as {
        checks: { name: string; ok: boolean }[]
      }
      return checks.find(({ name }) => name === 'mail queue')?.ok
    }
    await until('the queue is reported full', async () => (await check()) === false)
    expect(await metricsOf(auth)).toMatch(/looptide_auth_mail_queue_size(\{[^}]*\})? 10000/)
    for (const recipient of [email, newEmail()]) {
      const answers = [
        await recover(auth, recipient),
        await call(`${auth.url}/otp`, 'POST', { email: recipient }),
        await call(`${auth.url}/resend`, 'POST', { email: recipient, type: 'signup' }),
      ]
      for (const { status, body } of answers) {
        expect([status, body.code]).toEqual([503, 'service_unavailable'])
      }
    }
    await auth.db.deleteFrom('mailOutbox').execute()
    await until('it has capacity again', async () => (await recover(auth, email)).status === 200)
    expect(await check()).toBe(true)
  })
})
