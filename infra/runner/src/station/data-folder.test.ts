import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { repositoryRoot } from '@looptide/backing/paths'
import { expect, it } from 'vitest'

const start = join(repositoryRoot, 'infra/runner/src/start.ts')
/** Time limit (ms): the test fails instead of waiting for a start that never ends. */
const ENDS_MS = 30_000

it.each([
  ['below a file', join(repositoryRoot, 'package.json/looptide')],
  ['where the system creates no folders', '/proc/looptide/data'],
])(
  'a station whose folder is %s says so in one sentence, and ends',
  (_place, folder) => {
    const { status, stderr } = spawnSync(process.execPath, [start], {
      encoding: 'utf8',
      env: { ...process.env, LOOPTIDE_DATA: folder },
      timeout: ENDS_MS,
      killSignal: 'SIGKILL',
    })
    const sentence = `${folder} cannot be written: set LOOPTIDE_DATA to a folder that belongs to you.\n`
    expect([status, stderr]).toEqual([1, sentence])
  },
  2 * ENDS_MS,
)
