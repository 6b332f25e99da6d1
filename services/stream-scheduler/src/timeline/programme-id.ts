/** A programme's id: another one when the same place in the timeline was planned anew. */
export function programmeId(programme: { channelId: string; seq: number; version: number }): string {
  return `${programme.channelId}.${programme.seq}.${programme.version}`
}
