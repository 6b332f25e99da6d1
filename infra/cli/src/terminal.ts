import { createInterface } from 'node:readline/promises'
import type { Env } from '@looptide/service-kit/env'

/** What a command is run in: settings, and somebody to talk to. */
export interface Terminal {
  env: Env
  out(text: string): void
  err(text: string): void
  /** Undefined where nobody can be asked, as in a script. */
  ask: ((question: string) => Promise<string>) | undefined
}

/** This process's own. */
export function terminal(env: Env): Terminal {
  const isInteractive = process.stdin.isTTY === true && process.stderr.isTTY === true
  return {
    env,
    out: (text) => process.stdout.write(`${text}\n`),
    err: (text) => process.stderr.write(`${text}\n`),
    ask: isInteractive ? askOnTerminal : undefined,
  }
}

/** Questions go to stderr: stdout may be read by a program. */
async function askOnTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await lines.question(question)
  } finally {
    lines.close()
  }
}
