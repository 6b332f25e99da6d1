import { randomUUID } from 'node:crypto'
import { newId } from '@looptide/service-kit/db/ids'
import { EnvReader } from '@looptide/service-kit/settings/env'
import { storeEvent } from '@looptide/testkit/event-keys'
import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readStoredSettings } from '../src/config.ts'
import { pseudonymiseDue } from '../src/features/retention/audit-retention.ts'
import { type AuditHarness, logger, readLog, startAuditHarness } from './_harness.ts'

const DAY_MS = 86_400_000

let harness: AuditHarness
beforeAll(async () => {
  harness = await startAuditHarness()
})
afterAll(() => harness.stop())

/** Writes an entry of this age about a person, and returns its id. */
async function write(userId: string, ageDays: number): Promise<string> {
  const id = newId()
  await harness.db
    .insertInto('auditLog')
    .values({
      id,
      adminUserId: randomUUID(),
      action: 'user.restriction.add',
      targetType: 'user_restriction',
      targetId: 'restriction-1',
      targetUserId: userId,
      details: null,
      before: null,
      after: JSON.stringify({ reason: 'called Ann names' }),
      correlationId: 'request-1',
      createdAt: new Date(Date.now() - ageDays * DAY_MS),
    })
    .execute()
  return id
}

const entry = (id: string) =>
  harness.db.selectFrom('auditLog').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
/** Stores the setting as the migration step does. */
const setRetention = (days: number) =>
  readStoredSettings(new EnvReader({ AUDIT_PSEUDONYMISE_DAYS: String(days) }))(harness.ownerDb)
async function run(days: number): Promise<void> {
  await setRetention(days)
  await pseudonymiseDue({ db: harness.db, logger })
}
/** What a compromised service could try. */
const erase = (olderThan: Date, person: string | null = null) =>
  sql`select audit_pseudonymise(${olderThan}, ${person}, 500)`.execute(harness.db)
/** Lets the deletion of an account have been noted earlier than the trigger allows. */
async function noteEarlier(person: string, days: number): Promise<void> {
  await sql`alter table removed_accounts disable trigger removed_accounts_note_time`.execute(harness.ownerDb)
  await sql`update removed_accounts set deleted_at = now() - make_interval(days => ${days})
    where user_id = ${person}`.execute(harness.ownerDb)
  await sql`alter table removed_accounts enable trigger removed_accounts_note_time`.execute(harness.ownerDb)
}

it('entries lose their personal data at the age of the setting, and keep what was done to what', async () => {
  const person = randomUUID()
  const [old, younger] = [await write(person, 101), await write(person, 99)]
  await run(0)
  expect((await entry(old)).targetUserId).toBe(person)
  await run(100)
  const changed = await entry(old)
  expect(changed).toMatchObject({
    action: 'user.restriction.add',
    targetId: 'restriction-1',
    after: null,
    correlationId: null,
  })
  expect(changed.targetUserId).not.toBe(person)
  expect((await entry(younger)).targetUserId).toBe(person)
  await run(98)
  expect((await entry(younger)).targetUserId).toBe(changed.targetUserId)
})

it('entries without personal data are marked in the log and its export', async () => {
  const [old, young] = [await write(randomUUID(), 45), await write(randomUUID(), 5)]
  await run(40)
  // Before the service starts, because it then reads the roles.
  const admin = await harness.identity.createUser('admin')
  const service = await harness.serve()
  const marks = new Map(
    (await readLog(service.url, admin, '?limit=100')).map(({ id, isPseudonymised }) => [id, isPseudonymised]),
  )
  expect([marks.get(old), marks.get(young)]).toEqual([true, false])
  const csv = await fetch(`${service.url}/api/audit/export`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...admin.headers },
    body: JSON.stringify({ format: 'csv' }),
  })
  const text = await csv.text()
  expect(text).toContain(`"${old}","true"\r\n`)
  expect(text).toContain(`"${young}","false"\r\n`)
  await service.close()
})

it('the last 30 days stay, whatever the setting is', async () => {
  const person = randomUUID()
  const [old, young] = [await write(person, 31), await write(person, 29)]
  await run(1)
  expect((await entry(old)).targetUserId).not.toBe(person)
  expect((await entry(young)).targetUserId).toBe(person)
})

it('the service cannot erase entries younger than the setting, nor change it', async () => {
  await setRetention(100)
  const person = randomUUID()
  const [old, young] = [await write(person, 101), await write(person, 99)]
  await erase(new Date(Date.now() + DAY_MS))
  expect((await entry(old)).targetUserId).not.toBe(person)
  expect((await entry(young)).targetUserId).toBe(person)
  await setRetention(0)
  await erase(new Date())
  expect((await entry(young)).targetUserId).toBe(person)
  for (const statement of [
    sql`update audit_settings set pseudonymise_days = 30`,
    sql`delete from audit_settings`,
    sql`insert into audit_settings (pseudonymise_days) values (30)`,
  ])
    await expect(statement.execute(harness.db)).rejects.toThrow('permission denied')
})

it('the service cannot erase entries of a person by claiming that the account was deleted long ago', async () => {
  await setRetention(365)
  const person = randomUUID()
  const id = await write(person, 40)
  await erase(new Date(), person)
  const deletedAt = new Date(Date.now() - 60 * DAY_MS)
  await harness.db.insertInto('removedAccounts').values({ userId: person, deletedAt }).execute()
  await erase(new Date(), person)
  await harness.db.updateTable('removedAccounts').set({ deletedAt }).where('userId', '=', person).execute()
  await erase(new Date(), person)
  expect((await entry(id)).targetUserId).toBe(person)
  await harness.db.deleteFrom('removedAccounts').where('userId', '=', person).execute()
})

it('entries about a deleted account lose theirs 30 days after the deletion', async () => {
  const [person, other] = [randomUUID(), randomUUID()]
  const [theirs, others] = [await write(person, 40), await write(other, 40)]
  const service = await harness.serve()
  await storeEvent(harness.nats, {
    id: newId(),
    type: 'auth.user.deleted.v1',
    occurredAt: new Date().toISOString(),
    actorId: null,
    correlationId: 'request-1',
    aggregateId: person,
    aggregateVersion: 1,
    data: { userId: person, deletesMessages: false },
  })
  const removed = harness.db.selectFrom('removedAccounts').select('userId')
  await until('the deletion is known', async () => (await removed.execute()).length === 1)
  await service.close()
  await run(365)
  expect((await entry(theirs)).targetUserId).toBe(person)
  await noteEarlier(person, 29)
  await run(365)
  expect((await entry(theirs)).targetUserId).toBe(person)
  await noteEarlier(person, 30)
  await run(0)
  expect(await removed.execute()).toHaveLength(1)
  await run(365)
  expect((await entry(theirs)).targetUserId).not.toBe(person)
  expect((await entry(others)).targetUserId).toBe(other)
  expect(await removed.execute()).toEqual([])
})
