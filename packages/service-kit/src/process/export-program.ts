import { createDb, type Db, PROGRAM_TIMEOUTS } from '../db/db.ts'
import { type Env, EnvReader, readDatabase } from '../settings/env.ts'
import { createLogger } from '../telemetry/logger.ts'

/** One page of a part of a user's data, as its endpoint below `/api/export` returns it. */
export type ReadPart<T> = (
  db: Db<T>,
  userId: string,
  cursor?: string,
) => Promise<{ items: readonly unknown[]; nextCursor: string | null }>

/** Prints items of a part as one line, which `looptide users export` reads. */
export const printPart = (part: string, items: readonly unknown[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const line = `${JSON.stringify({ part, items })}\n`
    process.stdout.write(line, (error) => (error == null ? resolve() : reject(error)))
  })

/** A service's program `export-user`: prints all that it keeps of the user EXPORT_USER_ID, at one instant. */
export async function runExport<T>(
  service: string,
  env: Env,
  parts: Readonly<Record<string, ReadPart<T>>>,
): Promise<void> {
  const reader = new EnvReader(env)
  const { databaseUrl } = readDatabase(reader)
  reader.done()
  const userId = env.EXPORT_USER_ID ?? ''
  const db = createDb<T>(databaseUrl, createLogger(service, 'warn'), 1, PROGRAM_TIMEOUTS)
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  try {
    await snapshot.execute(async (trx) => {
      for (const [part, read] of Object.entries(parts)) await printAll(part, read, trx, userId)
    })
  } finally {
    await db.destroy()
  }
}

async function printAll<T>(part: string, read: ReadPart<T>, db: Db<T>, userId: string): Promise<void> {
  let cursor: string | undefined
  do {
    const page = await read(db, userId, cursor)
    await printPart(part, page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}
