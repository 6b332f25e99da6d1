/** The id of a programme. It changes when the programme's place in the timeline is planned again. */
export function programmeId(programme: { channelId: string; seq: number; version: number }): string {
  return `${programme.channelId}.${programme.seq}.${programme.version}`
}
