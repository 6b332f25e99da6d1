import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadSecrets } from './secrets.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'looptide-secrets-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('generates them once, readable by their owner only', async () => {
  const made = await loadSecrets(folder)
  expect(await loadSecrets(folder)).toEqual(made)
  expect((await stat(join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600)
  const all = [
    made.redis,
    made.internalToken,
    ...Object.values(made.nats),
    ...Object.values(made.databaseRoles),
  ]
  expect(new Set(all).size).toBe(all.length)
})

it('keeps the old ones and adds what a newer version needs', async () => {
  const { nats: _dropped, ...older } = await loadSecrets(folder)
  await writeFile(join(folder, 'secrets.json'), JSON.stringify(older))
  expect(await loadSecrets(folder)).toMatchObject(older)
  expect(JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'))).toHaveProperty('nats.chat')
})

it('does not overwrite a damaged file', async () => {
  await writeFile(join(folder, 'secrets.json'), '{"redis":')
  await expect(loadSecrets(folder)).rejects.toThrow('is damaged')
})
