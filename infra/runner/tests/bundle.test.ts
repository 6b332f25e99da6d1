import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { bundleRoot } from '@looptide/backing/paths'
import { beforeAll, expect, it } from 'vitest'
import { bundleServices } from '../src/bundle/bundle-services.ts'
import { stationServices } from '../src/processes/services.ts'

const IMPORT = /^(?:import|export)\b[^;]*?"(\.[^"]+)"/gm

/** The sources that a program loads when it starts, by file: its own and those of its static imports. */
function loadedAtStart(file: string, loaded = new Map<string, string>()): ReadonlyMap<string, string> {
  if (loaded.has(file)) return loaded
  const source = readFileSync(file, 'utf8')
  loaded.set(file, source)
  for (const [, path = ''] of source.matchAll(IMPORT)) loadedAtStart(resolve(dirname(file), path), loaded)
  return loaded
}

const programs = [
  ...stationServices.map(({ folder }) => `${folder}/src/main.js`),
  'infra/runner/src/run.js',
].map((file) => join(bundleRoot, file))
const startOf = (file: string): string => [...loadedAtStart(file).values()].join('\n')

beforeAll(() => bundleServices(new AbortController().signal, () => undefined), 120_000)

it('a bundled program is ASCII, so that V8 keeps one byte for each character', () => {
  for (const program of programs) {
    const loaded = loadedAtStart(program)
    expect(loaded.size).toBeGreaterThan(10)
    for (const [file, source] of loaded)
      expect([file, /[^\p{ASCII}]/u.exec(source)?.[0]]).toEqual([file, undefined])
  }
})

it.each([
  ['WebAuthn', 'function verifyRegistrationResponse('],
  ['the readers of media files', 'var UrlSource = class'],
  ['the list of leaked passwords', 'iloveyou'],
  ['the SDK of OpenTelemetry', 'var BatchSpanProcessor'],
])('not before its first use: %s', (_what, code) => {
  const chunks = readdirSync(join(bundleRoot, 'chunks'))
  const sources = chunks.map((name) => readFileSync(join(bundleRoot, 'chunks', name), 'utf8'))
  expect(sources.some((source) => source.includes(code))).toBe(true)
  expect(programs.filter((program) => startOf(program).includes(code))).toEqual([])
})
