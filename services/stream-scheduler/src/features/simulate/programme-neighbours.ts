import type { ProgrammeRow, Store } from '../../db/schema.ts'

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
