import type { ProgrammeRow, Store } from '../../db/schema.ts'

interface Around {
  programme: ProgrammeRow | undefined
  before: ProgrammeRow | undefined
  after: ProgrammeRow | undefined
  /** The last programme before its round. */
  beforeRound: ProgrammeRow | undefined
}

/** A programme of a channel with its neighbours, as far as the timeline holds them. */
export async function programmesAround(db: Store, channelId: string, seq: number): Promise<Around> {
  const rows = await db
    .selectFrom('programmes')
    .selectAll()
    .where('channelId', '=', channelId)
    .where('seq', 'in', [seq - 1, seq, seq + 1])
    .execute()
  const at = (wanted: number) => rows.find((row) => row.seq === wanted)
  const programme = at(seq)
  const beforeRound =
    programme &&
    (await db
      .selectFrom('programmes')
      .selectAll()
      .where('channelId', '=', channelId)
      .where('seq', '=', programme.roundSeq - 1)
      .executeTakeFirst())
  return { programme, before: at(seq - 1), after: at(seq + 1), beforeRound }
}
