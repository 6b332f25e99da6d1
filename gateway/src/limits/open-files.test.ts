import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { connectionCapacity } from './open-files.ts'

it('accepts fewer connections than there are descriptors', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e6 }),
      fc.integer({ min: 16, max: 1e6 }),
      (maxSockets, openFiles) => {
        const { sockets, http } = connectionCapacity(maxSockets, openFiles)
        expect(sockets).toBeLessThanOrEqual(maxSockets)
        expect(sockets + http).toBeLessThan(openFiles)
      },
    ),
  )
})

it('keeps MAX_SOCKETS if the limit of open files allows it', () => {
  expect(connectionCapacity(20_000, 27_000)).toEqual({ sockets: 20_000, http: 5000 })
  expect(connectionCapacity(20_000, null)).toEqual({ sockets: 20_000, http: 5000 })
  expect(connectionCapacity(20_000, 20_000)).toEqual({ sockets: 13_000, http: 5000 })
})

it('reads the limit of the current process', () => {
  const module = fileURLToPath(new URL('./open-files.ts', import.meta.url))
  const program = `import { openFilesLimit } from ${JSON.stringify(module)}; console.log(openFilesLimit())`
  const command = `ulimit -n 300; exec "$0" --input-type=module -e "$1"`
  expect(execFileSync('sh', ['-c', command, process.execPath, program], { encoding: 'utf8' }).trim()).toBe(
    '300',
  )
})
