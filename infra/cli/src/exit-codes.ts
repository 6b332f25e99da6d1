/** Exit codes, for scripts. */
export const EXIT = {
  done: 0,
  /** The check found a fault, or the station refused. */
  fault: 1,
  /** The command or its settings are invalid. */
  usage: 2,
  /** The station, its database or NATS does not answer. */
  away: 3,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Ends the command with a sentence and a code of {@link EXIT}. */
export class CommandError extends Error {
  readonly code: ExitCode
  constructor(code: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CommandError'
    this.code = code
  }
}

/** The command was given wrong arguments or settings. */
export const usageError = (message: string): CommandError => new CommandError(EXIT.usage, message)
/** The station answered, and what it said is wrong or refused. */
export const fault = (message: string): CommandError => new CommandError(EXIT.fault, message)
/** Something that the command needs does not answer. */
export const away = (message: string, cause?: unknown): CommandError =>
  new CommandError(EXIT.away, message, { cause })
