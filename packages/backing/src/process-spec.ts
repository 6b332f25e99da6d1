import type { Account } from './programs/run-as.ts'

/** How to run one process of the station. */
export interface ProcessSpec {
  name: string
  command: string
  args: readonly string[]
  /** The complete environment; nothing is inherited. */
  env: Record<string, string>
  cwd: string
  account?: Account | undefined
  /** Resolves when the process is ready, rejects otherwise. Polled. A Failure ends the start: waiting does not help. */
  ready: () => Promise<void>
  stopSignal?: NodeJS.Signals
  stopTimeoutMs?: number
  /** Called before every start. */
  prepare?: () => Promise<void>
  /** Whether the process accepts requests over a message channel. */
  hasChannel?: boolean
}
