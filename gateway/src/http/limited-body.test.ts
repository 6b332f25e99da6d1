import { PassThrough, Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { limitedBody } from './limited-body.ts'

it('lets through what is not too long', async () => {
  const body = limitedBody(Readable.from([Buffer.alloc(6), Buffer.alloc(4)]), 10)
  expect(Buffer.concat(await body.toArray())).toHaveLength(10)
})

it('fails once it is longer', async () => {
  const body = limitedBody(Readable.from([Buffer.alloc(6), Buffer.alloc(5)]), 10)
  await expect(body.toArray()).rejects.toMatchObject({ code: 'payload_too_large', status: 413 })
})

it('ends with a sender that goes away, also when nobody listens', async () => {
  const sender = new PassThrough()
  const body = limitedBody(sender, 10)
  sender.write('x')
  const closed = new Promise((resolve) => body.once('close', resolve))
  sender.destroy(new Error('aborted'))
  // An error nobody listens to would end the process at the next turn.
  await setImmediate()
  await closed
  expect(body.destroyed).toBe(true)
})
