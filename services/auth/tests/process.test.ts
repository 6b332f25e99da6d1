import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createDb, migrate } from '@looptide/service-kit/db/db'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { bearerOf } from '@looptide/testkit/client'
import { eventKeyEnv } from '@looptide/testkit/event-keys'
import { startNats } from '@looptide/testkit/nats'
import { freshDatabase } from '@looptide/testkit/postgres'
import { until } from '@looptide/testkit/until'
import { expect, it } from 'vitest'
import { env } from '../src/config.ts'
import { call, PASSWORD, SITE, VERSION } from './_harness.ts'
import { MailSink } from './_mail-sink.ts'

it('as a process: serves, exposes metrics, logs refusals without secrets, ends on SIGTERM', async () => {
  const [database, nats] = await Promise.all([freshDatabase(), startNats()])
  const sink = new MailSink()
  const db = createDb(database.urlFor('auth'), createLogger('test', 'silent'), 1)
  await migrate(db, fileURLToPath(new URL('../src/db/migrations', import.meta.url)))
  await db.destroy()
  const settings = {
    ...env,
    DATABASE_URL: database.urlFor('auth'),
    NATS_URL: nats.url,
    ...eventKeyEnv('auth'),
    INTERNAL_TOKEN: 'an internal token for tests, long enough',
    AUTH_KEY_SECRET: 'a secret for tests, long enough to pass',
    SMTP_URL: await sink.start(),
    SITE_URL: SITE,
    MAIL_CONFIRMATION: 'off',
    PORT: '0',
    LOG_LEVEL: 'trace',
  }
  const child = spawn(process.execPath, [fileURLToPath(new URL('../src/main.ts', import.meta.url))], {
    env: settings,
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const base = await until('the service listens', () => /listening at (http:\/\/[\d.:]+)/.exec(log)?.[1])
  const url = `${base}/auth/v1`
  await until('the service is ready', async () => (await fetch(`${base}/readyz`)).ok)

  const email = 'someone@example.test'
  const session = (await call(`${url}/signup`, 'POST', { email, password: PASSWORD })).body
  const bearer = { ...VERSION, ...bearerOf(session.access_token) }
  const refreshed = (
    await call(`${url}/token?grant_type=refresh_token`, 'POST', { refresh_token: session.refresh_token })
  ).body
  await call(`${url}/token?grant_type=password`, 'POST', { email, password: 'a wrong password' })
  await call(`${url}/otp`, 'POST', { email })
  const mail = await sink.latest(email)
  const wrong = mail.code === '000000' ? '000001' : '000000'
  await call(`${url}/verify`, 'POST', { type: 'email', email, token: wrong })
  await call(`${url}/verify?token=${mail.tokenHash}&type=magiclink`, 'GET')
  await call(`${url}/verify`, 'POST', { type: 'email', email, token: mail.code })
  await call(`${url}/user`, 'PUT', { password: 'a wholly new one' }, bearer)
  await call(`${url}/user`, 'GET', undefined, {
    ...VERSION,
    ...bearerOf(`${session.access_token}x`),
  })
  // The link, and the notice that the password was changed.
  const sent = /looptide_auth_mails_total\{[^}]*result="sent"[^}]*\} 2/
  const read = async () => (await fetch(`${base}/metrics`)).text()
  await until('both mails are counted', async () => sent.test(await read()))
  sink.recipientReply = { code: 550, text: '5.1.1 <> User unknown' }
  const refusedRecipient = 'no-such-box@example.test'
  await call(`${url}/otp`, 'POST', { email: refusedRecipient })
  await until('the mail is rejected', () => log.includes('mail rejected'))
  const metrics = await read()
  expect(metrics).toContain('operation="auth.token.issue"')

  child.kill('SIGTERM')
  expect(await exited).toBe(0)
  expect(log).toContain('auth.user.sign_up')
  const refused = log.split('\n').filter((line) => /sign-in refused|mailed code refused/.test(line))
  expect(refused.map((line) => JSON.parse(line))).toMatchObject([
    { userId: session.user.id, reason: 'invalid_credentials', reqId: expect.any(String) },
    { userIds: [session.user.id], reason: 'token_expired', reqId: expect.any(String) },
    // The code was consumed with the link, so its user is unknown.
    { userIds: [], reason: 'token_expired', reqId: expect.any(String) },
  ])
  expect(log).not.toContain(email)
  expect(log).not.toContain('no-such-box')
  expect(log).toContain('"status":"5.1.1"')
  const secrets = {
    access: session.access_token,
    refresh: session.refresh_token,
    refreshed: refreshed.refresh_token,
    password: PASSWORD,
    wrong: 'a wrong password',
    fresh: 'a wholly new one',
    link: mail.tokenHash,
    code: `"${mail.code}"`,
    key: settings.AUTH_KEY_SECRET,
    internal: settings.INTERNAL_TOKEN,
  }
  for (const [name, secret] of Object.entries(secrets)) expect(log.includes(secret), name).toBe(false)
  await sink.stop()
  await nats.stop()
  await database.drop()
})
