import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleRoot, repositoryRoot } from '@looptide/backing/paths'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../station/config.ts'
import { gatewayNodeArgs, programFile } from './services.ts'

it('runs the gateway as its container does', () => {
  const dockerfile = readFileSync(join(repositoryRoot, 'infra/docker/Dockerfile'), 'utf8')
  expect(dockerfile).toContain(
    `CMD ${JSON.stringify(['node', ...gatewayNodeArgs, 'src/main.ts']).replaceAll(',', ', ')}`,
  )
})

describe('the file of a program', () => {
  const chat = { name: 'chat', folder: 'services/chat' } as const
  const config = (bundle: 'on' | 'off') => readConfig({ LOOPTIDE_BUNDLE: bundle })

  it('is its bundle', () => {
    expect(programFile(chat, 'src/main.ts', config('on'))).toBe(join(bundleRoot, 'services/chat/src/main.js'))
  })

  it('is its source without bundles, and for a program outside the repository', () => {
    expect(programFile(chat, 'src/main.ts', config('off'))).toBe(
      join(repositoryRoot, 'services/chat/src/main.ts'),
    )
    expect(programFile({ ...chat, folder: '/elsewhere' }, 'src/main.ts', config('on'))).toBe(
      '/elsewhere/src/main.ts',
    )
  })
})
