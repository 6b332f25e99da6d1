import type { Db } from '@looptide/service-kit/db/db'
import type { Selectable } from 'kysely'
import type { Database } from '../../../db/schema.ts'

export type DeviceGrantRow = Selectable<Database['deviceGrants']>

/** Stores a device that waits. False if its user code is in use. */
export const insert = async (db: Db<Database>, row: DeviceGrantRow): Promise<boolean> => {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('deviceGrants')
    .values(row)
    .onConflict((conflict) => conflict.column('userCodeDigest').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** The device with this code, expired ones included. */
export const byDeviceCode = (db: Db<Database>, digest: Buffer): Promise<DeviceGrantRow | undefined> =>
  db.selectFrom('deviceGrants').selectAll().where('deviceCodeDigest', '=', digest).executeTakeFirst()

/** Like {@link byDeviceCode}, locked until the transaction ends. */
export const lockByDeviceCode = (db: Db<Database>, digest: Buffer): Promise<DeviceGrantRow | undefined> =>
  db
    .selectFrom('deviceGrants')
    .selectAll()
    .where('deviceCodeDigest', '=', digest)
    .forUpdate()
    .executeTakeFirst()

/** The device whose user code has one of these digests, expired ones included. */
export const byUserCode = (
  db: Db<Database>,
  digests: readonly Buffer[],
): Promise<DeviceGrantRow | undefined> =>
  db.selectFrom('deviceGrants').selectAll().where('userCodeDigest', 'in', digests).executeTakeFirst()

/** Stores that a device asked, and how long it must wait before it asks again. */
export const recordPoll = async (
  db: Db<Database>,
  digest: Buffer,
  poll: Pick<DeviceGrantRow, 'polledAt' | 'intervalS'>,
): Promise<void> => {
  await db.updateTable('deviceGrants').set(poll).where('deviceCodeDigest', '=', digest).execute()
}

/** Stores the decision about a device that waits. False if there was one already, or if the device has expired. */
export const decide = async (
  db: Db<Database>,
  digest: Buffer,
  decision: Pick<DeviceGrantRow, 'state' | 'userId' | 'sessionId'>,
  now: Date,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('deviceGrants')
    .set(decision)
    .where('deviceCodeDigest', '=', digest)
    .where('state', '=', 'waiting')
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Marks an allowed device as used. False if it was before: of two requests with one code, one gets a session. */
export const redeem = async (db: Db<Database>, digest: Buffer, now: Date): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('deviceGrants')
    .set({ state: 'used' })
    .where('deviceCodeDigest', '=', digest)
    .where('state', '=', 'allowed')
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
