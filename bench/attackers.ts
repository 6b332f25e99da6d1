import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'

/** A process that attacks a server: it is sent one attack at a time, and answers each with its result. */
export class Attackers<Attack extends object, Result> {
  readonly #process: ChildProcess

  constructor(process: ChildProcess) {
    this.#process = process
  }

  /** Starts the program, which sends a message when it is ready. */
  static async start<Attack extends object, Result>(program: URL): Promise<Attackers<Attack, Result>> {
    const started = fork(program, [], { stdio: 'inherit' })
    await once(started, 'message')
    // They represent other machines: their processor time must not be counted as the server's.
    if (started.pid !== undefined) setPriority(started.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    return new Attackers(started)
  }

  async run(attack: Attack): Promise<Result> {
    this.#process.send(attack)
    const [result] = (await once(this.#process, 'message')) as [Result]
    return result
  }

  stop(): void {
    this.#process.disconnect()
  }
}
