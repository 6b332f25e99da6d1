import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { databaseOwners } from '@looptide/backing/database/owners'
import { withClient } from '@looptide/backing/database/set-up'
import { repositoryRoot } from '@looptide/backing/paths'
import type { Video } from '@looptide/contracts/http/videos'
import { Station } from '@looptide/runner/station/station'
import { startTestStation, testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { type CollectedSpan, type OtlpCollector, startOtlpCollector } from '@looptide/testkit/otlp-collector'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChainResult } from '../../infra/cli/src/audit/chain-checker.ts'
import { looptide } from '../support/commands.ts'
import { fingerprint } from '../support/fingerprint.ts'
import { signIn, signUp, type Viewer } from '../support/people.ts'
import { publishText } from '../support/publish.ts'

const CHANNEL = 'test-card'

let dataDir: string
let youtube: Awaited<ReturnType<typeof startFakeYoutube>>
let collector: OtlpCollector
let station: Station
let admin: string
let viewer: Viewer

const start = (): Promise<Station> =>
  startTestStation({
    dataDir,
    fakeYoutube: youtube.url,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      // It is the same after a move of the station: tokens contain their issuer.
      SITE_URL: 'http://looptide.test',
      MAIL_CONFIRMATION: 'off',
    },
  })

async function addVideo(youtubeId: string): Promise<Video> {
  const url = `https://www.youtube.com/watch?v=${youtubeId}`
  const { lines } = await clientOf(station.url, admin).call('POST /api/videos', { body: { urls: [url] } })
  const video = lines[0]?.video
  if (video == null) throw new Error('the video was not added')
  return video
}

const isResolved = async ({ id }: Video): Promise<boolean> =>
  (await clientOf(station.url).call('GET /api/videos/:id', { params: { id } })).metadataStatus === 'resolved'

/** Gives an account a security key with recovery codes, and a passkey. */
const addCredentials = (userId: string): Promise<unknown> =>
  withClient(station.databaseUrl, async (client) => {
    await client.query(
      `insert into auth.factors (id, user_id, factor_type, friendly_name, status, created_at, updated_at)
      values ('01900000-0000-7000-8000-000000000001', $1, 'webauthn', 'Blue key', 'verified', now(), now()),
        ('01900000-0000-7000-8000-000000000002', $1, 'recovery_code', 'Codes', 'verified', now(), now())`,
      [userId],
    )
    await client.query(
      `insert into auth.passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
      values (gen_random_uuid(), $1, 'a passkey', 'a key', 0, '{}', 'Laptop', now())`,
      [userId],
    )
  })

/** Gives an account messages in a channel that was deleted. */
const addMessages = (userId: string, count: number): Promise<unknown> =>
  withClient(station.databaseUrl, async (client) => {
    await client.query("insert into chat.channels (id, is_deleted, version) values ('former', true, 1)")
    await client.query(
      `insert into chat.live_chat_messages (id, channel_id, seq, user_id, client_id, message, created_at)
      select gen_random_uuid(), 'former', n, $1, gen_random_uuid(), 'message ' || n, now()
      from generate_series(1, $2::integer) n`,
      [userId, count],
    )
  })

/** Whether every outbox is empty. */
const areOutboxesEmpty = (): Promise<boolean> =>
  withClient(station.databaseUrl, async (client) => {
    const counts = Object.values(databaseOwners).map(
      ({ schema }) => `(select count(*) from ${schema}.outbox)`,
    )
    const { rows } = await client.query<{ n: string }>(`select ${counts.join(' + ')} as n`)
    return Number(rows[0]?.n) === 0
  })

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'looptide-operations-'))
  youtube = await startFakeYoutube()
  collector = await startOtlpCollector()
  station = await start()
  admin = await signIn(station.url, testAdmin.email, testAdmin.password)
  viewer = await signUp(station.url, 'viewer')
}, 180_000)

afterAll(async () => {
  await station?.stop()
  await collector?.stop()
  await youtube?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/**
 * Foreign keys without an index: deleting a referenced row scans the whole table. For a key of several columns, an index
 * must start with two of them.
 */
const UNSERVED_REFERENCES = `
  select c.conrelid::regclass::text || '.' || c.conname as name from pg_constraint c
  cross join lateral (select least(2, cardinality(c.conkey)) as columns) begins_with
  where c.contype = 'f' and not exists (
    select from pg_index i where i.indrelid = c.conrelid and i.indpred is null and i.indnkeyatts >= columns
      and (i.indkey::int2[])[0:columns - 1] <@ c.conkey
  )`

describe('the database', () => {
  it('has an index for every foreign key', async () => {
    const { rows } = await withClient(station.databaseUrl, (client) =>
      client.query<{ name: string }>(UNSERVED_REFERENCES),
    )
    expect(rows.map(({ name }) => name)).toEqual([])
  })
})

describe('a trace', () => {
  it('spans the gateway, services, events and the queue', async () => {
    const video = await addVideo('trace0video')
    await until('the video has its metadata', () => isResolved(video))
    const wanted = [
      ['gateway', 'POST /api/videos'],
      ['catalogue', 'POST /api/videos'],
      ['catalogue', 'publish catalogue.metadata.requested.v1'],
      ['stream-scheduler', 'process catalogue.video.added.v1'],
      ['metadata-worker', 'process catalogue.metadata.requested.v1'],
      ['metadata-worker', 'process look-up'],
      ['catalogue', 'process metadata.video.resolved.v1'],
      ['stream-scheduler', 'process catalogue.video.updated.v1'],
    ] as const
    const isThat = (span: CollectedSpan, [service, name]: readonly [string, string]) =>
      span.service === service && span.name === name
    const root = await until('the request was traced', () =>
      collector.spans.find((span) => isThat(span, ['gateway', 'POST /api/videos'])),
    )
    const trace = (): CollectedSpan[] => collector.spans.filter(({ traceId }) => traceId === root.traceId)
    await until('the whole trace has arrived', () => {
      const missing = wanted.filter((one) => !trace().some((span) => isThat(span, one)))
      if (missing.length > 0) throw new Error(`missing: ${missing.join('; ')}`)
      return true
    })
    await until('every span has its parent', () => {
      const ids = new Set(trace().map(({ spanId }) => spanId))
      return trace().every(({ parentSpanId }) => parentSpanId === '' || ids.has(parentSpanId))
    })
    expect(root.parentSpanId).toBe('')
    expect(station.logs('catalogue')).toContain(`"trace_id":"${root.traceId}"`)
    expect(station.logs('metadata-worker')).not.toContain('"level":50')
  })

  it('starts at the gateway, ignores trace headers of clients, and contains no personal data', async () => {
    const foreign = '0af7651916cd43dd8448eb211c80319c'
    await fetch(`${station.url}/api/profiles/${viewer.id}`, {
      headers: { traceparent: `00-${foreign}-b7ad6b7169203331-01` },
    })
    await until('it was traced', () => collector.spans.some(({ name }) => name === 'GET /api/profiles/:id'))
    expect(collector.spans.filter(({ traceId }) => traceId === foreign)).toEqual([])
    const traces = JSON.stringify(collector.spans)
    for (const secret of [viewer.id, viewer.email, testAdmin.email, '127.0.0.1'])
      expect(traces).not.toContain(secret)
  })
})

describe('the command looptide', () => {
  it('distinguishes an unknown command, an invalid setting and an unreachable station', async () => {
    const main = join(repositoryRoot, 'infra/cli/src/main.ts')
    const program = promisify(execFile)
    expect((await program(process.execPath, [main, '--help'])).stdout).toContain('Usage: looptide')
    expect(await looptide(dataDir, 'timeline', 'polish')).toMatchObject({ code: 2 })
    expect(await looptide(dataDir, 'metadata', 'refresh')).toMatchObject({ code: 2 })
    expect(await looptide(join(dataDir, 'nowhere'), 'channels', 'status')).toMatchObject({ code: 2 })
    const elsewhere = program(process.execPath, [main, 'channels', 'status'], {
      env: { PATH: process.env.PATH, LOOPTIDE_URL: 'http://127.0.0.1:9', LOOPTIDE_TOKEN: 'x' },
    })
    await expect(elsewhere).rejects.toMatchObject({ code: 3 })
  })

  it('grants and revokes a role, and makes an admin without a session', async () => {
    expect(await looptide(dataDir, 'role', 'grant', viewer.email, 'moderator')).toMatchObject({ code: 0 })
    const listed = await looptide(dataDir, '--json', 'role', 'list')
    expect(JSON.parse(listed.out)).toContainEqual({ id: viewer.id, email: viewer.email, role: 'moderator' })
    expect(await looptide(dataDir, 'role', 'revoke', viewer.email)).toMatchObject({ code: 0 })
    expect(await looptide(dataDir, 'role', 'revoke', testAdmin.email)).toMatchObject({
      code: 1,
      err: expect.stringContaining('At least one admin must remain.'),
    })
    const made = await looptide(dataDir, '--json', 'create-admin', 'second@example.test')
    expect(JSON.parse(made.out)).toMatchObject({ created: true, password: expect.stringMatching(/^\S{16}$/) })
    expect(await looptide(dataDir, 'keys', 'rotate')).toMatchObject({ code: 0 })
  })

  it('manages accounts with the service key', async () => {
    const users = (...args: string[]) => looptide(dataDir, '--json', '--yes', 'users', ...args)
    const created = await users('create', 'Made@example.test', '--role', 'moderator')
    const { id, password } = JSON.parse(created.out)
    expect(await signIn(station.url, 'made@example.test', password)).toEqual(expect.any(String))
    expect((await users('invite', 'guest@example.test', 'made@example.test')).err).toContain('email_exists')
    const listed = await looptide(dataDir, 'users', 'list', '--filter', 'guest@')
    expect(listed.out).toMatch(
      /^email +role +state +last sign-in +id\nguest@example.test +user +invited +never /,
    )
    const banned = await users('update', 'made@example.test', '--ban', '36h', '--role', 'user')
    expect(JSON.parse(banned.out)).toMatchObject({ id, banned_until: expect.any(String) })
    expect(await users('update', id)).toMatchObject({ code: 2 })
    expect(await users('update', 'nobody@example.test', '--unban')).toMatchObject({ code: 1 })
    const removeFactors = async (...options: string[]) =>
      JSON.parse((await users('remove-factors', 'made@example.test', ...options)).out)
    const made = { id, email: 'made@example.test' }
    expect(await removeFactors()).toEqual({ ...made, removed: [], keptPasskeys: 0 })
    await addCredentials(id)
    expect(await removeFactors()).toEqual({ ...made, removed: ['Blue key', 'Codes'], keptPasskeys: 1 })
    expect(await removeFactors()).toEqual({ ...made, removed: [], keptPasskeys: 1 })
    expect(await removeFactors('--passkeys')).toEqual({ ...made, removed: ['Laptop'], keptPasskeys: 0 })
    expect(await removeFactors()).toEqual({ ...made, removed: [], keptPasskeys: 0 })
    const link = await looptide(dataDir, 'users', 'link', 'recovery', viewer.email)
    expect(link.out).toMatch(/^http\S+\/auth\/confirm\?token_hash=\S+\nCode: \d{6}\n$/)
    expect(await looptide(dataDir, 'users', 'delete', id)).toMatchObject({ code: 2 })
    expect(await users('delete', id)).toMatchObject({ code: 0 })
    expect((await users('list', '--filter', 'made@')).out.trim()).toBe('[]')
    await until('the audit log has the deletion', async () => {
      const { items } = await clientOf(station.url, admin).call('GET /api/audit', {
        query: { action: 'user.delete' },
      })
      return items.some(
        ({ targetUserId, details }) =>
          targetUserId === id && JSON.stringify(details) === '{"by":"service key"}',
      )
    })
  })

  it('exports the data of a user, equal to the user’s own download', async () => {
    const token = viewer.accessToken
    await addMessages(viewer.id, 1200)
    const list = await clientOf(station.url, token).call('POST /api/playlists', { body: { name: 'Mine' } })
    const { items: videos } = await clientOf(station.url, token).call('GET /api/videos')
    await clientOf(station.url, token).call('POST /api/playlists/:id/items', {
      params: { id: list.id },
      body: { videoId: videos[0]!.id },
    })
    const file = join(dataDir, 'person.json')
    const exportTo = (person: string, ...options: string[]) =>
      looptide(dataDir, 'users', 'export', person, '--output', file, ...options)

    expect(await exportTo('nobody@example.test')).toMatchObject({
      code: 1,
      err: 'No account has the id or email nobody@example.test.\n',
    })
    expect(await exportTo(viewer.email.toUpperCase())).toMatchObject({
      code: 0,
      out: `${file}: the data of ${viewer.email}, with 1 playlist, 0 videos and 1200 chat messages.\n`,
      err: '1 playlist read…\n0 videos read…\n1000 messages read…\n1200 messages read…\n0 reports read…\n0 decisions read…\n0 requests read…\n0 votes read…\n0 loads read…\n0 likes read…\n0 polls read…\n0 reminders read…\n0 reminder-devices read…\n',
    })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const itemsOf = async (
      part:
        | 'playlists'
        | 'videos'
        | 'messages'
        | 'reports'
        | 'decisions'
        | 'requests'
        | 'votes'
        | 'loads'
        | 'likes'
        | 'polls'
        | 'reminders'
        | 'reminder-devices',
      cursor?: string,
    ): Promise<unknown[]> => {
      const page = await clientOf(station.url, token).call(`GET /api/export/${part}`, { query: { cursor } })
      return page.nextCursor === null
        ? page.items
        : [...page.items, ...(await itemsOf(part, page.nextCursor))]
    }
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      exportedAt: expect.any(String),
      account: await clientOf(station.url, token).call('GET /api/export/account'),
      playlists: await itemsOf('playlists'),
      videos: await itemsOf('videos'),
      messages: await itemsOf('messages'),
      reports: await itemsOf('reports'),
      decisions: await itemsOf('decisions'),
      requests: await itemsOf('requests'),
      votes: await itemsOf('votes'),
      loads: await itemsOf('loads'),
      likes: await itemsOf('likes'),
      polls: await itemsOf('polls'),
      reminders: await itemsOf('reminders'),
      'reminder-devices': await itemsOf('reminder-devices'),
    })

    await chmod(file, 0o644)
    expect(await exportTo(viewer.id)).toMatchObject({ code: 1, err: expect.stringContaining('--force') })
    expect(await exportTo(viewer.id, '--force')).toMatchObject({ code: 0 })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await until('the audit log has both exports', async () => {
      const { items } = await clientOf(station.url, admin).call('GET /api/audit', {
        query: { action: 'user.data.export' },
      })
      if (items.length < 2) return false
      const entry = { adminUserId: null, targetUserId: viewer.id, details: { by: 'command line' } }
      expect(items).toEqual([expect.objectContaining(entry), expect.objectContaining(entry)])
      return true
    })
  })

  it('ends the sessions of a user', async () => {
    const person = await signUp(station.url, 'signed-out')
    const email = person.email
    expect(await looptide(dataDir, 'sessions', 'end')).toMatchObject({ code: 2 })
    expect(await looptide(dataDir, 'sessions', 'end', '--all')).toMatchObject({ code: 2 })
    const ended = await looptide(dataDir, '--json', 'sessions', 'end', '--user', email)
    expect(JSON.parse(ended.out)).toMatchObject({ ended: 1 })
    await until('the token is refused', async () => {
      return (await clientOf(station.url, person.accessToken).send('GET /api/me')).status === 401
    })
  })

  it('verifies the timeline, and requests metadata again', async () => {
    const status = await looptide(dataDir, 'channels', 'status')
    expect(status.out).toMatch(/test-card +live +0 +\S/)
    const verified = await looptide(dataDir, '--json', 'timeline', 'verify')
    expect(verified).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(verified.out)).toContainEqual(
      expect.objectContaining({ channelId: CHANNEL, findings: [] }),
    )
    const asked = await looptide(dataDir, '--json', 'metadata', 'refresh', '--channel', CHANNEL)
    expect(JSON.parse(asked.out)).toEqual({ count: 0 })
  })

  it('verifies the audit log, with the head that the service has logged', async () => {
    await until('the roles given above are in the log', async () => {
      const { items } = await clientOf(station.url, admin).call('GET /api/audit', {
        query: { action: 'user.role.set' },
      })
      return items.length >= 2
    })
    const verified = await looptide(dataDir, '--json', 'audit', 'verify')
    expect(verified).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(verified.out)).toMatchObject({ entries: expect.any(Number), fault: null })
    const [, anchor = ''] = /"anchor":"(\d+:[0-9a-f]{64})"/.exec(station.logs('admin-audit')) ?? []
    expect(await looptide(dataDir, 'audit', 'verify', '--expect', anchor)).toMatchObject({ code: 0 })
  })

  it('shows, replays and drops a dead letter', async () => {
    await publishText(station, 'catalogue', 'catalogue.video.removed.v1', '{"broken":')
    const letters = await until('the event is a dead letter', async () => {
      const { out } = await looptide(dataDir, '--json', 'dead-letters', 'list', 'stream-scheduler')
      const found = JSON.parse(out) as { id: string; subject: string }[]
      return found.length > 0 && found
    })
    const id = letters[0]?.id ?? ''
    expect((await looptide(dataDir, 'dead-letters', 'show', 'stream-scheduler', id)).out).toContain(
      '{\\"broken\\":',
    )
    expect(await looptide(dataDir, 'dead-letters', 'replay', 'stream-scheduler', id)).toMatchObject({
      code: 1,
    })
    expect(await looptide(dataDir, 'dead-letters', 'drop', 'stream-scheduler', id)).toMatchObject({ code: 2 })
    expect(await looptide(dataDir, '--yes', 'dead-letters', 'drop', 'stream-scheduler', id)).toMatchObject({
      code: 0,
    })
    expect((await looptide(dataDir, 'dead-letters', 'list', 'stream-scheduler')).out).toContain(
      'No dead letters.',
    )
  })
})

describe('a backup', () => {
  it('restores all data and pending events into an empty system', async () => {
    const file = join(dataDir, 'station.backup')
    const said = { clientId: randomUUID(), message: 'said before' }
    await clientOf(station.url, viewer.accessToken).call('POST /api/chat/channels/:id/messages', {
      params: { id: CHANNEL },
      body: said,
    })
    await clientOf(station.url, admin).call('DELETE /api/channels/:id', { params: { id: 'night-and-day' } })
    const guideBefore = await clientOf(station.url).call('GET /api/channels/:id/guide', {
      params: { id: CHANNEL },
      query: { hours: 26 },
    })
    // Two consumers are stopped: events published now are unprocessed when the backup is taken.
    await station.halt('stream-scheduler')
    await station.halt('metadata-worker')
    const underWay = await addVideo('under0way00')
    const added = () =>
      clientOf(station.url, admin).call('GET /api/audit', { query: { action: 'video.add' } })
    await until('the other consumers have applied it', async () => {
      const { items } = await added()
      return items.some(({ targetId }) => targetId === underWay.id) && (await areOutboxesEmpty())
    })
    const before = await fingerprint(station.databaseUrl)
    const taken = await looptide(dataDir, '--json', 'backup', file)
    expect(taken).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(taken.out).events).toBeGreaterThanOrEqual(2)
    expect(await fingerprint(station.databaseUrl)).toEqual(before)
    expect(await looptide(dataDir, 'backup', file)).toMatchObject({ code: 1 })
    expect(await looptide(dataDir, '--yes', 'restore', file)).toMatchObject({ code: 1 })
    const { head } = JSON.parse((await looptide(dataDir, '--json', 'audit', 'verify')).out) as ChainResult
    const auditedBefore = (await added()).items.length

    await station.stop()
    const elsewhere = await mkdtemp(join(tmpdir(), 'looptide-elsewhere-'))
    const refused = await looptide(elsewhere, '--yes', 'restore', file)
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('another secret: copy its') })
    expect(await readdir(elsewhere)).toEqual([])
    await rm(elsewhere, { recursive: true })
    const kept = new Set(['station.backup', 'secrets.json'])
    for (const name of await readdir(dataDir)) {
      if (!kept.has(name)) await rm(join(dataDir, name), { recursive: true, force: true })
    }
    expect(await looptide(dataDir, 'restore', '--keep-sessions', file)).toMatchObject({ code: 0, err: '' })
    const bare = new Station({ dataDir, services: [], quiet: true, tether: true })
    await bare.start()
    expect(await fingerprint(bare.databaseUrl)).toEqual(before)
    await bare.stop()

    station = await start()
    // The first start is over, wherever it was: no admin is created, and the deleted channel of the demo stays away.
    expect(station.admin).toBeUndefined()
    const { items: channels } = await clientOf(station.url).call('GET /api/channels')
    expect(channels.map(({ id }) => id)).not.toContain('night-and-day')
    expect(await signIn(station.url, viewer.email, viewer.password)).toBeTruthy()
    expect(await clientOf(station.url, viewer.accessToken).call('GET /api/me')).toMatchObject({
      id: viewer.id,
    })
    const { items } = await clientOf(station.url).call('GET /api/chat/channels/:id/messages', {
      params: { id: CHANNEL },
    })
    expect(items.map(({ message }) => message)).toEqual(['said before'])
    const guideAfter = await clientOf(station.url).call('GET /api/channels/:id/guide', {
      params: { id: CHANNEL },
      query: { hours: 26 },
    })
    const shared = guideAfter.programmes.filter(({ startsAtMs }) =>
      guideBefore.programmes.some((one) => one.startsAtMs === startsAtMs),
    )
    expect(shared.length).toBeGreaterThan(100)
    expect(guideBefore.programmes).toEqual(expect.arrayContaining(shared))

    await until('the worker received the new video', () => isResolved(underWay))
    await until('the scheduler has it', async () => {
      const { programmes } = await clientOf(station.url).call('GET /api/channels/:id/guide', {
        params: { id: 'default' },
        query: { hours: 26 },
      })
      return programmes.some(({ videoId }) => videoId === underWay.id)
    })
    expect((await added()).items).toHaveLength(auditedBefore)
    expect(await looptide(dataDir, 'timeline', 'verify', CHANNEL)).toMatchObject({ code: 0 })
    const anchor = `${head.seq}:${head.hash}`
    expect(await looptide(dataDir, 'audit', 'verify', '--expect', anchor)).toMatchObject({ code: 0, err: '' })
    await expect(
      withClient(station.databaseUrl, async (client) => {
        await client.query(`set role ${databaseOwners.admin_audit.role}`)
        await client.query('delete from admin_audit.audit_log')
      }),
    ).rejects.toThrow('permission denied')
  }, 180_000)
})
