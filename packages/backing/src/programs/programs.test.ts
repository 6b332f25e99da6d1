import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isSince, programVersion } from './programs.ts'

const folder = mkdtempSync(join(tmpdir(), 'looptide-programs-'))
afterAll(() => rmSync(folder, { recursive: true }))

function programThatPrints(text: string): string {
  const path = join(folder, 'program')
  writeFileSync(path, `#!/bin/sh\necho "${text}"\n`)
  chmodSync(path, 0o755)
  return path
}

describe('the version of a program', () => {
  it('is what it prints', () => {
    const version = (text: string) => programVersion({ path: programThatPrints(text), env: {} })
    expect(version('nats-server: v2.10.27')).toEqual([2, 10])
    expect(version('postgres (PostgreSQL) 15.12 (Debian 15.12-0+deb12u2)')).toEqual([15, 12])
    expect(version('no version')).toBeUndefined()
    expect(programVersion({ path: join(folder, 'missing'), env: {} })).toBeUndefined()
  })

  it('is new enough by its numbers, not by its text', () => {
    expect(isSince([2, 10], [2, 10])).toBe(true)
    expect(isSince([2, 9], [2, 10])).toBe(false)
    expect(isSince([3, 0], [2, 10])).toBe(true)
    expect(isSince([1, 99], [2, 10])).toBe(false)
    expect(isSince(undefined, [2, 10])).toBe(false)
  })
})
