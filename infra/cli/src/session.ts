import { loadInternalTls } from '@looptide/service-kit/tls/internal-client'
import { CommandError, EXIT, usageError } from './exit-codes.ts'
import { readSettings, type Settings } from './settings.ts'
import { StationApi } from './station-api.ts'
import type { Terminal } from './terminal.ts'

export interface GlobalOptions {
  json?: boolean
  yes?: boolean
}

/** One run of a command: its settings, output and connection to the station. */
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
    this.#settings ??= readSettings(this.terminal.env).then(async (settings) => {
      if (settings.internalTls !== undefined) await loadInternalTls(settings.internalTls)
      return settings
    })
    return this.#settings
  }

  /** The station's API as an admin. Signs in once. */
  station(): Promise<StationApi> {
    this.#api ??= this.settings().then((settings) => StationApi.signIn(settings))
    return this.#api
  }

  /** The station's API as a visitor, who needs no account. */
  async visitor(): Promise<StationApi> {
    return StationApi.visit(await this.settings())
  }

  /** Signs out: sessions of scripts must not displace an admin's own. */
  async close(): Promise<void> {
    const api = await this.#api?.catch(() => undefined)
    await api?.signOut()
  }

  /** Prints the result, as JSON or as text. */
  report(value: unknown, text: string): void {
    this.terminal.out(this.#options.json === true ? JSON.stringify(value, null, 2) : text)
  }

  /** Prints progress, unless the output is JSON. */
  note(text: string): void {
    if (this.#options.json !== true) this.terminal.err(text)
  }

  /** Continues only after `--yes` or a confirmation at the terminal. */
  async confirm(what: string): Promise<void> {
    if (this.#options.yes === true) return
    const { ask } = this.terminal
    if (ask === undefined) throw usageError(`${what} Pass --yes to confirm.`)
    const answer = await ask(`${what} Continue? [y/N] `)
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError(EXIT.fault, 'Cancelled.')
  }
}
