import { CommandError, EXIT, usageError } from './exit-codes.ts'
import { readSettings, type Settings } from './settings.ts'
import { StationApi } from './station-api.ts'
import type { Terminal } from './terminal.ts'

export interface GlobalOptions {
  json?: boolean
  yes?: boolean
}

/** One run of one command: its settings, what it says, and the station it asks. */
export class Session {
  readonly terminal: Terminal
  readonly #options: GlobalOptions
  #settings: Promise<Settings> | undefined
  #api: Promise<StationApi> | undefined

  constructor(terminal: Terminal, options: GlobalOptions) {
    this.terminal = terminal
    this.#options = options
  }

  settings(): Promise<Settings> {
    this.#settings ??= readSettings(this.terminal.env)
    return this.#settings
  }

  /** The station over HTTP, asked as an admin. Signs in once. */
  station(): Promise<StationApi> {
    this.#api ??= this.settings().then((settings) => StationApi.signIn(settings))
    return this.#api
  }

  /** Gives back what was opened: the sign-in of a script must not push an admin's own sessions out. */
  async close(): Promise<void> {
    const api = await this.#api?.catch(() => undefined)
    await api?.signOut()
  }

  /** The outcome: as JSON for a program, as text for people. */
  report(value: unknown, text: string): void {
    this.terminal.out(this.#options.json === true ? JSON.stringify(value, null, 2) : text)
  }

  /** On the way, for people only. */
  note(text: string): void {
    if (this.#options.json !== true) this.terminal.err(text)
  }

  /** Goes on only when it was said that it shall: by `--yes`, or by whoever sits there. */
  async confirm(what: string): Promise<void> {
    if (this.#options.yes === true) return
    const { ask } = this.terminal
    if (ask === undefined) throw usageError(`${what} Say --yes if that is what you want.`)
    const answer = await ask(`${what} Go on? [y/N] `)
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError(EXIT.fault, 'Nothing was done.')
  }
}
