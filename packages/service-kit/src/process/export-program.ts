import { createDb, type Db, PROGRAM_TIMEOUTS } from '../db/db.ts'
import type { ExportPart } from '../routes/export-part.ts'
import { type Env, EnvReader, readDatabase } from '../settings/env.ts'
import { createLogger } from '../telemetry/logger.ts'

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
  parts: readonly ExportPart<T>[],
): Promise<void> {
  const reader = new EnvReader(env)
  const { databaseUrl } = readDatabase(reader)
  reader.done()
  const userId = env.EXPORT_USER_ID ?? ''
  const db = createDb<T>(databaseUrl, createLogger(service, 'warn'), 1, PROGRAM_TIMEOUTS)
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  try {
    await snapshot.execute(async (trx) => {
      for (const part of parts) await printAll(part, trx, userId)
    })
  } finally {
    await db.destroy()
  }
}

async function printAll<T>({ name, read }: ExportPart<T>, db: Db<T>, userId: string): Promise<void> {
  let cursor: string | undefined
  do {
    const page = await read(db, userId, cursor)
    await printPart(name, page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}
