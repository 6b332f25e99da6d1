interface ReloaderOptions {
  restart: (service: string) => Promise<void>
  say: (text: string) => void
}

/** Restarts services after changes: each one at a time, and once more after a change during its restart. */
export class Reloader {
  readonly #options: ReloaderOptions
  /** Services that are being restarted, with whether they changed again since. */
  readonly #restarting = new Map<string, boolean>()
  #stopped = false

  constructor(options: ReloaderOptions) {
    this.#options = options
  }

  /** Resolves when the service runs its newest sources, or has failed to start. */
  async reload(service: string): Promise<void> {
    if (this.#restarting.has(service)) {
      this.#restarting.set(service, true)
      return
    }
    do {
      this.#restarting.set(service, false)
      await this.#restart(service)
    } while (this.#restarting.get(service) === true && !this.#stopped)
    this.#restarting.delete(service)
  }

  /** Restarts in progress are no longer reported. */
  stop(): void {
    this.#stopped = true
  }

  async #restart(service: string): Promise<void> {
    const { restart, say } = this.#options
    const startedAtMs = performance.now()
    try {
      await restart(service)
      say(`${service} reloaded in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s.`)
    } catch (error) {
      if (this.#stopped) return
      say(
        `${error instanceof Error ? error.message : String(error)}\n${service} is started again after the next change.`,
      )
    }
  }
}
