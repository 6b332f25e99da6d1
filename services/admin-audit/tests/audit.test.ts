import { randomUUID } from 'node:crypto'
import type { AuditActions, AuditPage } from '@looptide/contracts/http/admin'
import type { RunningService } from '@looptide/service-kit/process/service-process'
import { storeEvent } from '@looptide/testkit/event-keys'
import type { TestUser } from '@looptide/testkit/identity'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuditHarness, callApi, readLog, startAuditHarness } from './_harness.ts'

let harness: AuditHarness
let service: RunningService
let admin: TestUser
let viewer: TestUser
let programmer: TestUser
let curator: TestUser

beforeAll(async () => {
  harness = await startAuditHarness()
  admin = await harness.identity.createUser('admin')
  viewer = await harness.identity.createUser()
  programmer = await harness.identity.createUser('programmer')
  curator = await harness.identity.createUser('curator')
  service = await harness.serve()
})
afterAll(() => harness.stop())

/** The error or warning for a statement with the service's role. GRANT without any right is only a warning. */
async function rejectionOf(statement: string): Promise<string> {
  const client = new pg.Client({ connectionString: harness.config.databaseUrl })
  await client.connect()
  let warning = 'no error'
  client.on('notice', ({ message }) => {
    warning = message ?? ''
  })
  try {
    await client.query(statement)
    return warning
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await client.end()
  }
}

describe('the audit log', () => {
  it('records the audit events of every service once', async () => {
    const actorId = randomUUID()
    const owners = ['auth', 'catalogue', 'stream', 'chat', 'admin', 'metadata'] as const
    const target = randomUUID()
    for (const owner of owners) {
      const event = await harness.publishAudit({
        type: `${owner}.audit.recorded.v1`,
        actorId,
        action: `${owner}.change`,
        data: { targetUserId: target, before: { a: 1 }, after: { a: 2 }, details: 'why' },
      })
      await storeEvent(harness.nats, event)
    }
    await service.processAll()
    const lines = await readLog(service.url, admin, `?adminUserId=${actorId}`)
    expect(lines.map((line) => line.action).sort()).toEqual(owners.map((owner) => `${owner}.change`).sort())
    expect(lines[0]).toMatchObject({
      adminUserId: actorId,
      targetUserId: target,
      before: { a: 1 },
      after: { a: 2 },
      details: 'why',
    })
  })

  it('records entries without an actor, or with an actor that is not a user', async () => {
    await harness.publishAudit({ actorId: null, action: 'by.none' })
    await harness.publishAudit({ actorId: 'command line', action: 'by.command' })
    await service.processAll()
    for (const action of ['by.none', 'by.command']) {
      expect(await readLog(service.url, admin, `?action=${action}`)).toMatchObject([{ adminUserId: null }])
    }
  })

  it('cannot be changed by the service’s role', async () => {
    await harness.publishAudit({ actorId: null, action: 'to.keep' })
    await service.processAll()
    for (const statement of [
      `update audit_log set action = 'other'`,
      'delete from audit_log',
      'truncate audit_log',
      'alter table audit_log disable trigger all',
      'drop trigger audit_log_is_append_only on audit_log',
      'drop trigger audit_log_chain on audit_log',
      'drop table audit_log',
      'drop schema admin_audit cascade',
      'create table audit_log_of_my_own (id uuid)',
      `insert into audit_chain values (99, gen_random_uuid(), '')`,
      `update audit_chain set hash = ''`,
      'delete from audit_chain',
      'select from audit_chain for update',
      'select audit_chain_append(l) from audit_log l',
      'create or replace function audit_log_chain() returns trigger language sql as $$ select 1 $$',
      'set session_replication_role = replica',
      'set role looptide_admin_audit_owner',
      'delete from kysely_migration',
      'grant update on audit_log to public',
    ]) {
      await expect([statement, await rejectionOf(statement)]).toEqual([
        statement,
        expect.stringMatching(/permission denied|must be owner|no privileges were granted/),
      ])
    }
    expect(await readLog(service.url, admin, '?action=to.keep')).toHaveLength(1)
  })

  it('cannot be changed by the owner of the table while its trigger exists', async () => {
    for (const change of [
      sql`update audit_log set action = 'other'`,
      sql`delete from audit_log`,
      sql`truncate audit_log`,
    ]) {
      await expect(change.execute(harness.ownerDb)).rejects.toThrow('append-only')
    }
  })

  it('is read newest first in pages, without missing or repeated entries', async () => {
    const actorId = randomUUID()
    const sameMoment = new Date(Date.now() - 60_000).toISOString()
    for (let i = 0; i < 12; i += 1) {
      const occurredAt = i < 8 ? sameMoment : new Date(Date.now() + i).toISOString()
      await harness.publishAudit({ actorId, action: `n${i}`, occurredAt })
    }
    await service.processAll()
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`
      const page: AuditPage = (
        await callApi<AuditPage>(
          service.url,
          admin,
          'GET',
          `/api/audit?adminUserId=${actorId}&limit=5${query}`,
        )
      ).body
      seen.push(...page.items.map((item) => item.action))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(seen.slice(0, 4)).toEqual(['n11', 'n10', 'n9', 'n8'])
    expect(new Set(seen).size).toBe(12)
    expect(seen).toHaveLength(12)
  })

  it('is filtered by action, target user, time and kind', async () => {
    const actorId = randomUUID()
    const targetUserId = randomUUID()
    await harness.publishAudit({ actorId, action: 'old', occurredAt: '2026-01-01T00:00:00.000Z' })
    await harness.publishAudit({ actorId, action: 'done', data: { targetUserId } })
    await harness.publishAudit({ actorId, action: 'security_high_activity_detected' })
    await service.processAll()
    const actions = async (query: string): Promise<string[]> =>
      (await readLog(service.url, admin, `?adminUserId=${actorId}&${query}`)).map((line) => line.action)
    expect(await actions('action=done')).toEqual(['done'])
    const [done] = await readLog(service.url, admin, `?adminUserId=${actorId}&action=done`)
    expect(await actions(`id=${done?.id}`)).toEqual(['done'])
    expect(await actions(`targetUserId=${targetUserId}`)).toEqual(['done'])
    expect(await actions('security=true')).toEqual(['security_high_activity_detected'])
    expect((await actions('security=false')).sort()).toEqual(['done', 'old'])
    expect(await actions('until=2026-02-01T00:00:00Z')).toEqual(['old'])
    expect((await actions('since=2026-02-01T00:00:00Z')).length).toBe(2)
  })

  it('lists each action of its entries once', async () => {
    for (let time = 0; time < 3; time += 1)
      await harness.publishAudit({ actorId: null, action: 'parade.float_add' })
    await service.processAll()
    const { body } = await callApi<AuditActions>(service.url, admin, 'GET', '/api/audit/actions')
    expect(body.items).toContain('parade.float_add')
    expect(new Set(body.items).size).toBe(body.items.length)
    const { rows } = await sql<{ action: string }>`select distinct action from audit_log`.execute(harness.db)
    expect(new Set(body.items)).toEqual(new Set(rows.map(({ action }) => action)))
    expect((await callApi(service.url, null, 'GET', '/api/audit/actions')).status).toBe(401)
    expect((await callApi(service.url, viewer, 'GET', '/api/audit/actions')).status).toBe(403)
  })

  it('shows programmers and curators who made the last change of what they edit, and nothing else', async () => {
    const [first, second, other] = [randomUUID(), randomUUID(), randomUUID()]
    const changes = [
      [first, 'playlist.add', 'jazz'],
      [second, 'playlist.order', 'jazz'],
      [other, 'playlist.order', 'rock'],
      [other, 'schedule.publish', 'jazz'],
      [first, 'home.update', 'an item'],
    ] as const
    for (const [index, [actorId, action, targetId]] of changes.entries()) {
      const occurredAt = new Date(Date.now() - 60_000 + index * 1000).toISOString()
      await harness.publishAudit({ actorId, action, occurredAt, data: { targetId } })
    }
    const occurredAt = new Date(Date.now() - 31 * 86_400_000).toISOString()
    await harness.publishAudit({ actorId: other, action: 'video.edit', occurredAt, data: { targetId: 'v' } })
    await service.processAll()
    const ask = (account: TestUser | null, query: string) =>
      callApi(service.url, account, 'GET', `/api/audit/last-editor?${query}`)
    expect((await ask(programmer, 'subject=playlist&targetId=jazz')).body).toEqual({ userId: second })
    expect((await ask(programmer, 'subject=playlist&targetId=none')).body).toEqual({ userId: null })
    expect((await ask(programmer, 'subject=video&targetId=v')).body).toEqual({ userId: null })
    expect((await ask(curator, 'subject=home')).body).toEqual({ userId: first })
    expect((await callApi(service.url, curator, 'GET', '/api/audit')).status).toBe(403)
    expect((await ask(viewer, 'subject=home')).status).toBe(403)
    expect((await ask(null, 'subject=home')).status).toBe(401)
    expect((await ask(curator, 'subject=user')).status).toBe(400)
  })

  it('is readable by admins only, and rejects invalid queries', async () => {
    expect((await callApi(service.url, null, 'GET', '/api/audit')).status).toBe(401)
    expect((await callApi(service.url, viewer, 'GET', '/api/audit')).status).toBe(403)
    for (const query of [
      'limit=0',
      'limit=1000',
      'adminUserId=x',
      'since=yesterday',
      'security=perhaps',
      'who=me',
      'cursor=x',
      `cursor=${Buffer.from('["x","y"]').toString('base64url')}`,
    ]) {
      expect([query, (await callApi(service.url, admin, 'GET', `/api/audit?${query}`)).status]).toEqual([
        query,
        400,
      ])
    }
  })
})

describe('the export of the log', () => {
  const exported = async (body: object, account: TestUser | null = admin) => {
    const response = await fetch(`${service.url}/api/audit/export`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...account?.headers },
      body: JSON.stringify(body),
    })
    return { response, text: Buffer.from(await response.arrayBuffer()).toString() }
  }

  it('is refused when the second factor was verified more than ten minutes ago', async () => {
    const outdated = await harness.identity.createUser('admin', { id: admin.id, factorAgeS: 601 })
    const { response, text } = await exported({ format: 'json' }, outdated)
    expect([response.status, JSON.parse(text).code]).toEqual([403, 'second_factor_outdated'])
  })

  it('contains every entry that matches the filter, over several pages, and is audited', async () => {
    const actorId = randomUUID()
    for (let i = 0; i < 3; i += 1)
      await harness.publishAudit({ actorId, action: `e${i}`, data: { after: { i } } })
    await service.processAll()
    await sql`insert into audit_log (id, admin_user_id, action, created_at)
      select gen_random_uuid(), ${actorId}::uuid, 'older', now() - n * interval '1 hour'
      from generate_series(1, 1200) n`.execute(harness.db)
    const { response, text } = await exported({ format: 'json', adminUserId: actorId })
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="audit.json"')
    expect(response.headers.get('x-truncated')).toBe('false')
    const lines = JSON.parse(text) as { id: string; action: string; after: unknown }[]
    expect(new Set(lines.map(({ id }) => id)).size).toBe(1203)
    // Published within one millisecond, the three may be in any order; older entries follow.
    expect(lines.slice(0, 3)).toContainEqual(expect.objectContaining({ action: 'e2', after: { i: 2 } }))
    expect(JSON.parse((await exported({ format: 'json', adminUserId: randomUUID() })).text)).toEqual([])

    await service.processAll()
    const exportEntries = await readLog(service.url, admin, `?action=audit.export&adminUserId=${admin.id}`)
    expect(exportEntries.map(({ details }) => details)).toEqual(
      expect.arrayContaining(
        [
          { format: 'json', lines: 1203 },
          { format: 'json', lines: 0 },
        ].map((facts) => expect.objectContaining(facts)),
      ),
    )
  })

  it('escapes quotes, line breaks, commas and formulas as CSV', async () => {
    const actorId = randomUUID()
    const details = '=1+1 "and", so\non'
    await harness.publishAudit({ actorId, action: 'tricky', data: { details } })
    await service.processAll()
    const { response, text } = await exported({ format: 'csv', adminUserId: actorId })
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [head, ...rest] = text.split('\r\n')
    expect(head).toBe(
      '\uFEFF"createdAt","adminUserId","action","targetType","targetId","targetUserId","details","before","after","id","isPseudonymised"',
    )
    expect(rest.join('\r\n')).toContain(`"tricky",,,,"'=1+1 ""and"", so\non",,,`)
  })

  it('is for admins only, and rejects invalid requests', async () => {
    expect((await exported({ format: 'csv' }, null)).response.status).toBe(401)
    expect((await exported({ format: 'csv' }, viewer)).response.status).toBe(403)
    for (const body of [{}, { format: 'xml' }, { format: 'csv', limit: 5 }]) {
      expect((await exported(body)).response.status).toBe(400)
    }
  })
})
