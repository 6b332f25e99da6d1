import { createInterface } from 'node:readline/promises'
import type { Env } from '@looptide/service-kit/settings/env'

/** Environment, output and input of a command. */
export interface Terminal {
  env: Env
  out(text: string): void
  err(text: string): void
  /** Undefined without a terminal, as in a script. */
  ask: ((question: string) => Promise<string>) | undefined
}

/** This process's terminal. */
export function terminal(env: Env): Terminal {
  const isInteractive = process.stdin.isTTY === true && process.stderr.isTTY === true
  return {
    env,
    out: (text) => process.stdout.write(`${text}\n`),
    err: (text) => process.stderr.write(`${text}\n`),
    ask: isInteractive ? askOnTerminal : undefined,
  }
}

/** Questions go to stderr, since stdout may be read by a program. */
async function askOnTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await lines.question(question)
  } finally {
    lines.close()
  }
}
