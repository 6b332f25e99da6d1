import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { identify } from '../processes/process-identity.ts'
import { lockData } from './data-lock.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'looptide-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('has one holder and leaves no file', () => {
  const unlock = lockData(folder)
  expect(() => lockData(folder)).toThrow('already running')
  unlock()
  expect(readdirSync(folder)).toEqual([])
  lockData(folder)()
})

it('is taken over from a dead holder', async () => {
  const child = spawn('true')
  const identity = { pid: child.pid, started: 'long ago' }
  await once(child, 'exit')
  writeFileSync(join(folder, 'station.lock'), JSON.stringify(identity))
  lockData(folder)()
})

it('is taken over when another process has the holder’s pid', () => {
  writeFileSync(
    join(folder, 'station.lock'),
    JSON.stringify({ ...identify(process.pid), started: 'long ago' }),
  )
  lockData(folder)()
})

it('is taken over when it is damaged', () => {
  writeFileSync(join(folder, 'station.lock'), '')
  lockData(folder)()
})
