/**
 * What a phone asks a paired TV of the same account to do. The two exchange broadcasts on the private topic of their user
 * (docs/protocols/realtime.md §8); another account cannot join it.
 */
export type TvCommand =
  | { kind: 'channel'; step: 1 | -1 }
  | { kind: 'mute' }
  | { kind: 'guide' }
  | { kind: 'search'; text: string }

/** In characters. */
export const MAX_SEARCH_TEXT = 200

type Fields = Record<string, unknown>
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

/** The session of the TV that says it is here; undefined if the message is malformed. */
export function readTv(message: unknown): string | undefined {
  const { tv } = fieldsOf(message)
  return typeof tv === 'string' ? tv : undefined
}

/** The command of a message to the TV with this session; undefined if it is for another one, or malformed. */
export function readCommand(message: unknown, ownSession: string): TvCommand | undefined {
  const { tv, command } = fieldsOf(message)
  if (tv !== ownSession) return undefined
  const { kind, step, text } = fieldsOf(command)
  if (kind === 'mute' || kind === 'guide') return { kind }
  if (kind === 'channel' && (step === 1 || step === -1)) return { kind, step }
  if (kind === 'search' && typeof text === 'string' && text !== '')
    return { kind, text: text.slice(0, MAX_SEARCH_TEXT) }
  return undefined
}
