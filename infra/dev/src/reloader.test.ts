import { expect, it } from 'vitest'
import { Reloader } from './reloader.ts'

/** A reloader whose restarts end when the test says so. */
function build() {
  const restarts: { service: string; end: (error?: Error) => void }[] = []
  const said: string[] = []
  const reloader = new Reloader({
    restart: (service) =>
      new Promise((resolve, reject) => {
        restarts.push({ service, end: (error) => (error === undefined ? resolve() : reject(error)) })
      }),
    say: (text) => said.push(text),
  })
  return { reloader, restarts, said }
}

it('restarts once more after changes during a restart', async () => {
  const { reloader, restarts, said } = build()
  const reloaded = reloader.reload('chat')
  await reloader.reload('chat')
  await reloader.reload('chat')
  restarts[0]?.end()
  await expect.poll(() => restarts.length).toBe(2)
  restarts[1]?.end()
  await reloaded
  expect(restarts.map(({ service }) => service)).toEqual(['chat', 'chat'])
  expect(said).toHaveLength(2)
})

it('says why a service does not start, and starts it again after the next change', async () => {
  const { reloader, restarts, said } = build()
  const failed = reloader.reload('chat')
  restarts[0]?.end(new Error('SyntaxError: Unexpected token'))
  await failed
  expect(said.join()).toContain('SyntaxError: Unexpected token')
  const reloaded = reloader.reload('chat')
  restarts[1]?.end()
  await reloaded
  expect(said.at(-1)).toMatch(/^chat reloaded in /)
})

it('reports nothing about a restart that was ended by Ctrl-C', async () => {
  const { reloader, restarts, said } = build()
  const reloaded = reloader.reload('chat')
  reloader.stop()
  restarts[0]?.end(new Error('The station is being stopped.'))
  await reloaded
  expect(said).toEqual([])
})
