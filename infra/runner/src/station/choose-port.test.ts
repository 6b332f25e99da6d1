import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { freePort } from '@looptide/backing/free-port'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { choosePort } from './choose-port.ts'

let holder: Server
let taken: number
const said: string[] = []
const say = (text: string) => void said.push(text)

beforeEach(async () => {
  said.length = 0
  taken = await freePort()
  holder = createServer()
  holder.listen(taken, '127.0.0.1')
  await once(holder, 'listening')
})

afterEach(() => new Promise((resolve) => holder.close(resolve)))

it('takes the requested port when it is free', async () => {
  const port = await freePort()
  expect(await choosePort('PORT', { port, explicit: true }, say)).toBe(port)
  expect(said).toEqual([])
})

it('replaces a default port that is in use, with a message', async () => {
  const port = await choosePort('PORT', { port: taken, explicit: false }, say)
  expect(port).not.toBe(taken)
  expect(said).toEqual([`Port ${taken} is taken, using ${port} instead (set PORT to choose).`])
})

it('refuses an explicit port that is in use, in one sentence', async () => {
  await expect(choosePort('PORT', { port: taken, explicit: true }, say)).rejects.toThrow(
    `Port ${taken} is taken (or not permitted): stop the program that uses it, or set PORT to another port.`,
  )
})
