import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'

const asking = (count: number) => `
  const { freePort } = await import('${new URL('./free-port.ts', import.meta.url)}')
  const ports = []
  for (let asked = 0; asked < ${count}; asked++) ports.push(await freePort())
  console.log(JSON.stringify(ports))
`

it('never gives two processes that live at once the same port, nor one process the same twice', async () => {
  const count = 120
  const processes = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', `${asking(count)}; process.stdin.resume()`]),
  )
  // They stay alive, each with its ports, until all have answered.
  const ports = await Promise.all(
    processes.map(async ({ stdout }) => JSON.parse(String((await once(stdout, 'data'))[0])) as number[]),
  )
  for (const { stdin } of processes) stdin.end()
  expect(new Set(ports.flat()).size).toBe(3 * count)
})

it('keeps no process alive', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', asking(1)])
  expect(JSON.parse(await text(child.stdout))).toHaveLength(1)
})
