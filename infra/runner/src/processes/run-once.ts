import { spawn } from 'node:child_process'
import { Failure } from '../station/failure.ts'

/** A program that runs to its end. */
export interface OneShot {
  /** Name for messages, such as "the migrations of chat". */
  what: string
  command: string
  args: readonly string[]
  env: Record<string, string>
  cwd: string
  signal: AbortSignal
}

const shownLines = 8

/**
 * Runs a program to its end.
 *
 * @returns its output
 * @throws Failure with its last lines when the exit code is not 0
 */
export async function runOnce(shot: OneShot): Promise<string> {
  const child = spawn(shot.command, [...shot.args], {
    cwd: shot.cwd,
    env: shot.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: shot.signal,
  })
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-100_000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const how = await new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : `ended with ${signal ?? code}`))
  })
  if (how === undefined) return output
  const last = output.trim().split('\n').slice(-shownLines).join('\n')
  throw new Failure(`${shot.what}: ${how}${last === '' ? '' : `\n${last}`}`)
}
