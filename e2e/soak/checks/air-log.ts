import { withClient } from '@looptide/backing/database/set-up'
import { IDENT_MAX_MS } from '@looptide/contracts/schedule'

/** A row of the air log; instants in epoch ms. */
export interface Aired {
  channelId: string
  seq: number
  startedAtMs: number
  endedAtMs: number
}

/** An instant at which an admin took a channel off the air. */
export interface TakenOff {
  channelId: string
  atMs: number
}

/** Reads the air log repeatedly, so that entries deleted by retention are kept for the final check. */
export class AirLogReader {
  readonly #databaseUrl: string
  readonly #channels = new Map<string, Map<number, Aired>>()

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl
  }

  async read(): Promise<void> {
    const { rows } = await withClient(this.#databaseUrl, (client) =>
      client.query<Record<keyof Aired, string>>(`
        select channel_id as "channelId", seq, started_at_ms as "startedAtMs", ended_at_ms as "endedAtMs"
        from scheduler.air_log`),
    )
    for (const { channelId, seq, startedAtMs, endedAtMs } of rows) {
      const known = this.#channels.get(channelId) ?? new Map<number, Aired>()
      this.#channels.set(channelId, known)
      // A programme that was on the air when it was read may have been cut short since.
      known.set(Number(seq), {
        channelId,
        seq: Number(seq),
        startedAtMs: Number(startedAtMs),
        endedAtMs: Number(endedAtMs),
      })
    }
  }

  /** All entries read so far, by channel, in order. */
  channels(): Map<string, Aired[]> {
    return new Map(
      [...this.#channels].map(([id, rows]) => [id, [...rows.values()].sort((a, b) => a.seq - b.seq)]),
    )
  }
}

/** Maximum time between a request and its effect, on a clock that runs an hour per second (ms). */
const HASTE_MS = 1_800_000

/** The demo channel with a schedule. Its cards have numbers, and are not in the air log. */
const SCHEDULED_CHANNEL = 'night-and-day'

/**
 * Faults in a channel's log. Within a span on the air, each programme starts when its predecessor ends and has the next
 * number, unless cards fill the time. Between two spans, an admin must have stopped the channel.
 */
export function flawsOf(rows: readonly Aired[], takenOff: readonly TakenOff[]): string[] {
  return rows.slice(1).flatMap((row, index) => {
    const before = rows[index] as Aired
    const between = row.startedAtMs - before.endedAtMs
    const where = `${row.channelId} ${before.seq} → ${row.seq}`
    if (between < 0) return [`${where} overlap by ${-between} ms`]
    if (between === 0) return row.seq === before.seq + 1 ? [] : [`${where} skip a number`]
    const missing = row.seq - before.seq - 1
    const areCards = row.channelId === SCHEDULED_CHANNEL && between <= missing * IDENT_MAX_MS
    if (areCards) return []
    const isExplained = takenOff.some(
      ({ channelId, atMs }) =>
        channelId === row.channelId &&
        atMs >= before.endedAtMs - HASTE_MS &&
        atMs <= row.startedAtMs + HASTE_MS,
    )
    return isExplained ? [] : [`${where} leave a gap of ${between} ms at ${before.endedAtMs}`]
  })
}

/** Number of spans in a channel's air log. */
export const spansOf = (rows: readonly Aired[]): number =>
  rows.filter((row, index) => rows[index - 1]?.endedAtMs !== row.startedAtMs).length

/** All instants at which a channel went off the air, from the audit log. */
export async function readTakenOff(databaseUrl: string): Promise<TakenOff[]> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ channelId: string; at: Date }>(`
      select target_id as "channelId", created_at as at from admin_audit.audit_log
      where action like 'stream.%' and after->>'status' = 'idle'`),
  )
  return rows.map(({ channelId, at }) => ({ channelId, atMs: at.getTime() }))
}
