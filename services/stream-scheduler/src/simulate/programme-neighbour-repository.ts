import { sql } from 'kysely'
import type { ProgrammeRow, Store } from '../db/schema.ts'

interface ProgrammeWithNeighbours {
  programme: ProgrammeRow | undefined
  before: ProgrammeRow | undefined
  after: ProgrammeRow | undefined
  /** The last programme of the previous cycle. */
  beforeCycle: ProgrammeRow | undefined
}

/** A programme of a channel with its neighbours, each undefined if it is not in the timeline. */
export async function findProgrammeWithNeighbours(
  db: Store,
  channelId: string,
  seq: number,
): Promise<ProgrammeWithNeighbours> {
  const rows = await db
    .selectFrom('programmes')
    .selectAll()
    .where('channelId', '=', channelId)
    .where('seq', 'in', [seq - 1, seq, seq + 1])
    .execute()
  const at = (number: number) => rows.find((row) => row.seq === number)
  const programme = at(seq)
  const beforeCycle =
    programme &&
    (await db
      .selectFrom('programmes')
      .selectAll()
      .where('channelId', '=', channelId)
      .where('seq', '=', programme.roundSeq - 1)
      .executeTakeFirst())
  return { programme, before: at(seq - 1), after: at(seq + 1), beforeCycle }
}

/** The number of programmes with `fromSeq` ≤ seq < `beforeSeq` that are viewers' requests: they are of no cycle. */
export async function countRequests(
  db: Store,
  channelId: string,
  fromSeq: number,
  beforeSeq: number,
): Promise<number> {
  const { count } = await db
    .selectFrom('programmes')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('channelId', '=', channelId)
    .where('seq', '>=', fromSeq)
    .where('seq', '<', beforeSeq)
    .where(sql<boolean>`reason ? 'request'`)
    .executeTakeFirstOrThrow()
  return count
}

/** The number of cycles of a loop that start with a programme of `fromSeq` ≤ seq ≤ `toSeq`. */
export async function countCycleStarts(
  db: Store,
  channelId: string,
  fromSeq: number,
  toSeq: number,
): Promise<number> {
  const { count } = await db
    .selectFrom('programmes')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('channelId', '=', channelId)
    .where((where) => where.between('seq', fromSeq, toSeq))
    .where((where) => where('seq', '=', where.ref('roundSeq')))
    .executeTakeFirstOrThrow()
  return count
}
