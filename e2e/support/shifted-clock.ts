import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Loaded into a process before its program (`--import`): the clock of the day is off by as many ms as the file named
 * for the process in the folder `?folder=` says, and jumps when the file changes. Timers and `performance.now()` go on
 * as they do when the clock of a machine is set. The file is looked at every 50 ms.
 */
const folder = new URL(import.meta.url).searchParams.get('folder') ?? ''
const file = fileURLToPath(new URL(`${folder}/${process.pid}`, 'file:///'))
let offMs = 0

setInterval(() => {
  try {
    offMs = Number(readFileSync(file, 'utf8'))
  } catch {
    // No offset was set for this process.
  }
}, 50).unref()

const RealDate = Date
const now = (): number => RealDate.now() + offMs

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
})
