import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '@looptide/backing/failure'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Ledger } from './ledger.ts'
import { LogFile } from './log-file.ts'
import { SupervisedProcess } from './supervised-process.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'looptide-process-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('stops a process that cannot become ready, with the reason', async () => {
  const spec = {
    name: 'store',
    command: 'sleep',
    args: ['infinity'],
    env: {},
    cwd: folder,
    ready: () => Promise.reject(new Failure('The password is wrong.')),
  }
  const log = new LogFile(join(folder, 'store.log'), () => {})
  const store = new SupervisedProcess(spec, { ledger: new Ledger(folder), log, say: () => {}, tether: false })
  await expect(store.start()).rejects.toThrow('The password is wrong.')
  expect(store.pid).toBeUndefined()
})
