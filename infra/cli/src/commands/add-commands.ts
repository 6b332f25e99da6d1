import type { Command } from 'commander'
import type { Session } from '../session.ts'

/** Adds the commands of one subject. `act` provides their session. */
export type AddCommands = (program: Command, act: Act) => void

/** Wraps an action: `work` receives the session and the command's arguments. */
export type Act = <A extends unknown[]>(
  work: (session: Session, ...args: A) => Promise<void>,
) => (...args: A) => Promise<void>
