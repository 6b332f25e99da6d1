import { PassThrough, Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { limitedBody } from './limited-body.ts'

it('passes a body within the limit', async () => {
  const body = limitedBody(Readable.from([Buffer.alloc(6), Buffer.alloc(4)]), 10)
  expect(Buffer.concat(await body.toArray())).toHaveLength(10)
})

it('fails with payload_too_large above the limit', async () => {
  const body = limitedBody(Readable.from([Buffer.alloc(6), Buffer.alloc(5)]), 10)
  await expect(body.toArray()).rejects.toMatchObject({ code: 'payload_too_large', status: 413 })
})

it('is destroyed when the sender disconnects, even without an error listener', async () => {
  const sender = new PassThrough()
  const body = limitedBody(sender, 10)
  sender.write('x')
  const closed = new Promise((resolve) => body.once('close', resolve))
  sender.destroy(new Error('aborted'))
  // An unhandled error event would end the process in the next turn of the event loop.
  await setImmediate()
  await closed
  expect(body.destroyed).toBe(true)
})
