import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const shownLines = 15
const maxBytes = 20 * 1024 * 1024

/** The output of one process on disk. The previous start's file is kept as `.1`; a long run keeps its last 20–40 MB. */
export class LogFile {
  readonly path: string
  #bytes = 0
  #partial = ''
  readonly #last: string[] = []
  readonly #onLine: (line: string) => void

  constructor(path: string, onLine: (line: string) => void) {
    this.path = path
    this.#onLine = onLine
    mkdirSync(dirname(path), { recursive: true })
    this.#rotate()
  }

  write(chunk: Buffer): void {
    if (this.#bytes + chunk.length > maxBytes) this.#rotate()
    this.#bytes += chunk.length
    try {
      appendFileSync(this.path, chunk)
    } catch {
      // A full disk must not stop the station: the line is lost, the process continues.
    }
    const lines = (this.#partial + chunk.toString()).split('\n')
    this.#partial = (lines.pop() ?? '').slice(-64_000)
    for (const line of lines) {
      this.#last.push(line)
      this.#onLine(line)
    }
    this.#last.splice(0, this.#last.length - shownLines)
  }

  /** The last lines, for an error message. */
  tail(): string {
    return [...this.#last, this.#partial].join('\n').trim()
  }

  #rotate(): void {
    this.#bytes = 0
    try {
      if (statSync(this.path).size > 0) renameSync(this.path, `${this.path}.1`)
    } catch {
      // There is no file yet.
    }
  }
}
