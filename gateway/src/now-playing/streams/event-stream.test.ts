import { Duplex } from 'node:stream'
import { expect, it } from 'vitest'
import { EventStream } from './event-stream.ts'

/** A socket whose client reads one write at a time. */
class Reader extends Duplex {
  readonly written: string[] = []
  #done: (() => void) | null = null

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.written.push(chunk.toString())
    this.#done = done
  }

  override _read(): void {
    // Sends nothing.
  }

  async readNext(): Promise<void> {
    this.#done?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

let nowMs = 0
const create = () => {
  nowMs = 0
  const reader = new Reader()
  return { reader, stream: new EventStream(reader, () => nowMs) }
}

it('keeps one unread message, the newest', async () => {
  const { reader, stream } = create()
  for (const text of ['a', 'b', 'c', 'd']) stream.send(Buffer.from(text))
  expect(reader.written).toEqual(['a'])
  expect(reader.writableLength).toBe(1)
  await reader.readNext()
  expect(reader.written).toEqual(['a', 'd'])
})

it('sends comments only to clients that read, and gives the others half a minute', async () => {
  const { reader, stream } = create()
  stream.send(Buffer.from('a'))
  nowMs = 15_000
  expect(stream.comment()).toBe(true)
  expect(reader.written).toEqual(['a'])
  await reader.readNext()
  expect(stream.comment()).toBe(true)
  expect(reader.written).toEqual(['a', ':\n\n'])
  nowMs = 44_000
  expect(stream.comment()).toBe(true)
  nowMs = 45_000
  expect(stream.comment()).toBe(false)
})
