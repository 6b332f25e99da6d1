import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { recountAfter } from './like-repository.ts'

/** Videos that are counted in one transaction. */
const BATCH = 500
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** Counts all likes again, and publishes the numbers that were wrong, as after rows were deleted by hand. */
export async function recountLikes(db: Kysely<Database>): Promise<void> {
  for (let last: string | undefined = BEFORE_ALL; last !== undefined; ) {
    const after: string = last
    last = await db.transaction().execute((trx) => recountAfter(trx, after, BATCH))
  }
}
